"""Which workspace files and folders belong to, and which of its findings are about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rowbook.definitions.workspace_root import WORKSPACE_FILE, find_workspace
from rowbook.errors import Diagnostic, RowbookError


def workspace_of(paths: Iterable[str | Path]) -> Path:
    """The folder of the workspace that all these files and folders belong to."""
    found = [Path(path) for path in paths]
    roots = {find_workspace(path if path.is_dir() else path.parent) for path in found}
    if len(roots) > 1:
        raise RowbookError.of("USAGE_001", "the paths belong to different workspaces")
    return roots.pop() if roots else find_workspace(Path())


def parts_of(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """The parts of a workspace that are wanted; none means all, as does its own folder."""
    found = [Path(path) for path in paths]
    if any((path / WORKSPACE_FILE).exists() for path in found):
        return ()
    return tuple(path.resolve() for path in found)


def within(
    diagnostics: Iterable[Diagnostic], root: Path, parts: Sequence[Path]
) -> tuple[Diagnostic, ...]:
    """The findings in these files and folders, and those that have no place."""
    return tuple(
        each
        for each in diagnostics
        if each.position is None or is_within(root / each.position.file, parts)
    )


def is_within(file: Path, parts: Sequence[Path]) -> bool:
    if not parts:
        return True
    resolved = file.resolve()
    return any(resolved == path or path in resolved.parents for path in parts)
