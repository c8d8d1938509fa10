"""`gc`: removes what runs left on disk and nobody will use again. Live runs are never touched: the
store lists only what belongs to runs that have ended."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rowbook.locations.boundary import STATE
from rowbook.runs.execute.dead_runs import remove_discarded
from rowbook.runs.open_workspace import OpenWorkspace

SANDBOX = f"{STATE}/sandbox"


@dataclass(frozen=True, slots=True)
class Removal:
    """A draft's sandbox that was removed, or, with the reason why, was not."""

    run_id: str
    place: str
    bytes: int
    failure: str | None = None


def clean(workspace: OpenWorkspace, *, before: datetime, at: datetime) -> tuple[Removal, ...]:
    """Removes the sandboxes of drafts that ended before a time, the staged data of runs that failed
    before it and can then no longer be resumed, and staged data that is of no use already."""
    store = workspace.find_store()
    if store is None:
        return ()
    store.leftovers.expire(before=before)
    remove_discarded(workspace)
    removals: list[Removal] = []
    for run_id in store.leftovers.sandboxes(before=before):
        removal = _remove(workspace.root, run_id, f"{SANDBOX}/{run_id}")
        removals.append(removal)
        if removal.failure is None:
            store.leftovers.sandbox_removed(run_id, at=at)
    return tuple(removals)


def _remove(root: Path, run_id: str, place: str) -> Removal:
    """Removes a place that is strictly below the workspace's state, links resolved. One that is
    gone already is removed."""
    path = root / place
    state, target = os.path.realpath(root / STATE), os.path.realpath(path)
    if not target.startswith(state + os.sep):
        return Removal(run_id, place, 0, f"it is not below {STATE}/")
    size = _size(path)
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        return Removal(run_id, place, 0, error.strerror or str(error))
    return Removal(run_id, place, size)


def _size(path: Path) -> int:
    if not path.is_dir():
        return path.lstat().st_size if os.path.lexists(path) else 0
    return sum(
        Path(folder, name).lstat().st_size for folder, _, names in os.walk(path) for name in names
    )
