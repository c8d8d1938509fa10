"""Which workspace, and which parts of it, a command was asked about."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rowbook.definitions.workspace_root import WORKSPACE_FILE, find_workspace
from rowbook.errors import RowbookError


def chosen(paths: Sequence[Path], folder: Path | None) -> tuple[Path, list[Path]]:
    """The workspace, and the parts of it that are wanted (none means all). A path is
    taken from here, or else from the folder of -C."""
    if folder is not None and not folder.is_dir():
        raise RowbookError.of("WORKSPACE_001", f"{folder} is not a folder")
    if folder is not None:
        paths = [p if _exists(p) or not _exists(folder / p) else folder / p for p in paths]
    for path in paths:
        if not _exists(path):
            raise RowbookError.of("USAGE_001", f"{path} does not exist")
    starts = [path if path.is_dir() else path.parent for path in paths]
    if folder is not None:
        starts.append(folder)
    roots = {find_workspace(start) for start in starts or [Path()]}
    if len(roots) > 1:
        raise RowbookError.of("USAGE_001", "the paths belong to different workspaces")
    whole = any((path / WORKSPACE_FILE).exists() for path in paths)
    return roots.pop(), [] if whole else [path.resolve() for path in paths]


def _exists(path: Path) -> bool:
    """As Path.exists, which fails where a name is longer than names can be."""
    return os.path.exists(path)  # noqa: PTH110
