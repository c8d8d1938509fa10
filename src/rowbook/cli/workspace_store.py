"""The workspace and the store that a command works on, and the runs it means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.definitions.workspace_root import find_workspace

if TYPE_CHECKING:
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.store import Store

_SHORTEST = 4


@contextmanager
def opened(folder: Path | None) -> Iterator[OpenWorkspace]:
    """The workspace, in whose store dead runs have been seen to."""
    from rowbook.runs.execute.dead_runs import recover_dead_runs
    from rowbook.runs.open_workspace import OpenWorkspace

    with OpenWorkspace(find_workspace(folder or Path())) as workspace:
        recover_dead_runs(workspace)
        yield workspace


def find_run(store: Store, begins: str) -> str:
    """The id of the run that an id, or the beginning of one, means; else the text as it is."""
    begins = begins.removesuffix("…")  # as lists cut it
    found = [each.id for each in store.runs.newest() if each.id.startswith(begins)]
    return found[0] if len(found) == 1 and len(begins) >= _SHORTEST else begins
