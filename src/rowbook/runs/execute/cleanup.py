"""`gc`: removes what runs left on disk and nobody will use again. Live runs are never touched: the
store lists only what belongs to runs that have ended."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rowbook.locations.removal import (
    NotOursError,
    is_run_id,
    remove_inside,
    remove_shared_sandbox,
    sandbox_folder,
)
from rowbook.private_files import STATE
from rowbook.runs.execute.dead_runs import recover_dead_runs, remove_discarded
from rowbook.runs.open_workspace import OpenWorkspace


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
    recover_dead_runs(workspace)
    store.leftovers.expire(before=before)
    remove_discarded(workspace)
    removals: list[Removal] = []
    for run_id in store.leftovers.sandboxes(before=before):
        removal = _remove(workspace, run_id)
        removals.append(removal)
        if removal.failure is None:
            store.leftovers.sandbox_removed(run_id, at=at)
    return tuple(removals)


def _remove(workspace: OpenWorkspace, run_id: str) -> Removal:
    """Removes a sandbox. One that is gone already is removed."""
    root, settings = workspace.root, workspace.settings
    shared = settings.engine.sandbox if settings else None
    path = sandbox_folder(root, run_id)
    place = path.relative_to(root).as_posix()
    if not is_run_id(run_id):
        return Removal(run_id, place, 0, "its id is not one that Rowbook gives")
    try:
        size = _size(path)
        remove_inside(path, root / STATE)
        if shared is not None:
            folder = Path(os.path.realpath(root / shared))
            path = folder / run_id
            place, size = str(path), size + _size(path)
            remove_shared_sandbox(path, folder)
    except NotOursError as error:
        return Removal(run_id, place, 0, error.reason)
    except OSError as error:
        return Removal(run_id, place, 0, error.strerror or str(error))
    return Removal(run_id, place, size)


def _size(folder: Path) -> int:
    return sum(
        Path(place, name).lstat().st_size for place, _, names in os.walk(folder) for name in names
    )
