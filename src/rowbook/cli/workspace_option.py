"""The workspace that a command works on: where -C says, and where its paths are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.cli.prompts import ask_trust
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.api import Workspace


def open_workspace(
    folder: Path | None, *, trust: bool, engine: str | None = None, debug: bool = False
) -> Workspace:
    from rowbook.api import Workspace

    return Workspace.open(
        folder or Path(),
        engine=engine,
        trigger="command",
        debug=debug,
        keep_session=False,
        trust=trust or ask_trust,
    )


def find_paths(paths: Sequence[Path], folder: Path | None) -> tuple[Path, list[Path]]:
    """The workspace that paths belong to, and where they are: from here, or else from the folder
    of -C."""
    from rowbook.api import workspace_of

    if folder is not None and not folder.is_dir():
        raise RowbookError.of("WORKSPACE_001", f"{folder} is not a folder")
    if folder is not None:
        paths = [p if _exists(p) or not _exists(folder / p) else folder / p for p in paths]
    for path in paths:
        if not _exists(path):
            raise RowbookError.of("USAGE_001", f"{path} does not exist")
    return workspace_of([*paths, folder] if folder is not None else paths), list(paths)


def _exists(path: Path) -> bool:
    """As Path.exists, which fails where a name is longer than names can be."""
    return os.path.exists(path)  # noqa: PTH110
