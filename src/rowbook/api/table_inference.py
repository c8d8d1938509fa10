"""Definitions proposed for data: the one thing that is done with a folder that may yet become a
workspace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.definitions.workspace_root import find_workspace
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.inference.infer_tables import Inference
    from rowbook.trust.decision import Trust


def infer(
    *data: str | Path,
    folder: str | Path = ".",
    name: str | None = None,
    write: bool = False,
    trust: Trust = False,
) -> Inference:
    """Looks at files, Delta tables, or tables of a database (`DATASOURCE:TABLE`), and proposes for
    each a dataset, a data source and a resolver rule, checked beside the definitions of the
    workspace at `folder` or above it. With `write` they become files of it; nothing is
    overwritten. Where there is no workspace, the folder becomes one. No Spark."""
    from rowbook.inference.infer_tables import infer_tables
    from rowbook.runs.open_workspace import OpenWorkspace

    if not data:
        raise RowbookError.of("USAGE_001", "name a file, or DATASOURCE:TABLE")
    if not Path(folder).is_dir():
        raise RowbookError.of("WORKSPACE_001", f"{folder} is not a folder")
    try:
        root = find_workspace(Path(folder))
    except RowbookError:
        root = Path(folder)
    else:
        with OpenWorkspace(root, trust=trust) as workspace:
            workspace.check_trust()
    places = [Path(), Path(folder)]
    words = [next((p for p in places if (p / each).exists()), Path()) / each for each in data]
    return infer_tables(root, [str(each) for each in words], name, write=write)
