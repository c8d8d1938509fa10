"""Where a workspace is. Imports nothing that takes time: commands ask it before they say a word."""

from __future__ import annotations

from pathlib import Path

from rowbook.errors import RowbookError

WORKSPACE_FILE = "rowbook.yaml"


def find_workspace(start: Path) -> Path:
    """The nearest folder from `start` upwards that has a rowbook.yaml (WORKSPACE_001)."""
    here = start.resolve()
    for folder in (here, *here.parents):
        if (folder / WORKSPACE_FILE).exists():
            return folder
    raise RowbookError.of("WORKSPACE_001", f"no {WORKSPACE_FILE} in {start} or above it")
