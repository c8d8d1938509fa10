"""`gc`: removes what runs left on disk and nobody will use again. Live runs are never touched: the
store lists only what belongs to runs that have ended."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from rowbook.errors import RowbookError
from rowbook.locations.removal import (
    NotOursError,
    evidence_folder,
    is_run_id,
    kept_input_folder,
    remove_inside,
    remove_shared_sandbox,
    sandbox_folder,
)
from rowbook.private_files import STATE
from rowbook.runs.execute.dead_runs import recover_dead_runs, remove_discarded
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.sources import registry
from rowbook.sources.source import Target
from rowbook.store import FINAL, JsonObject, Store

_LONGEST_LOOK = timedelta(days=1)
"""For which nobody who looks at a past run loses what is read of it."""

What: TypeAlias = Literal["sandbox", "replaced table", "evidence", "input"]


@dataclass(frozen=True, slots=True)
class Removal:
    """What was removed, or, with the reason why, was not: a draft's sandbox; what a table was
    before an output replaced it; contents that nobody needs as evidence any more; what a dead
    process read from. `run_id` is that of a sandbox."""

    run_id: str | None
    place: str
    bytes: int
    failure: str | None = None
    what: What = "sandbox"


def clean(workspace: OpenWorkspace, *, before: datetime, at: datetime) -> tuple[Removal, ...]:
    """Removes the sandboxes of drafts that ended before a time, the staged data of runs that failed
    before it and can then no longer be resumed, and staged data that is of no use already. Of
    evidence, what tables were that were replaced before the time, and contents that only such
    drafts read."""
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
    removals += _clean_evidence(workspace, before, at)
    return tuple(removals)


def _clean_evidence(workspace: OpenWorkspace, before: datetime, at: datetime) -> Iterator[Removal]:
    needed, targets = set[str](), dict[str, Target]()
    for snapshot in workspace.store.leftovers.snapshots(before=before):
        needed.update(_digests(snapshot))
        for write in snapshot.get("writes", ()):
            with suppress(RowbookError, LookupError, TypeError, ValueError, AttributeError):
                target = registry.target_from_json(write["target"], workspace.boundary)
                targets[target.key] = target
    for target in targets.values():
        with suppress(OSError):
            for place, size in registry.remove_states(target, before):
                yield Removal(None, place, size, what="replaced table")
    state = workspace.root / STATE
    yield from _old(evidence_folder(workspace.root), state, before, needed, "evidence")
    folder = kept_input_folder(workspace.root, "")
    live = [each.name for each in folder.glob("*") if _may_live(workspace.store, each.name)]
    yield from _old(folder, state, min(before, at - _LONGEST_LOOK), live, "input")


def _may_live(store: Store, run_id: str) -> bool:
    """Whether a run reads its input, or is still to be recovered. Who looks at a past run has an id
    that is no run's."""
    try:
        return store.runs.get(run_id).status not in FINAL
    except RowbookError:
        return False


def _digests(snapshot: JsonObject) -> Iterator[str]:
    for dataset in snapshot.get("datasets", ()):
        for place in dataset["locations"]:
            for content in place["contents"]:
                yield str(content.get("digest", "")).removeprefix("sha256:")
                yield str(content.get("kept", "")).removeprefix("sha256:")


def _old(
    folder: Path, state: Path, before: datetime, needed: Collection[str], what: What
) -> Iterator[Removal]:
    """Whatever a run at work needs was touched since."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name in needed or path.lstat().st_mtime >= before.timestamp():
            continue
        place, size = path.relative_to(state.parent).as_posix(), path.lstat().st_size
        try:
            remove_inside(path, state)
        except NotOursError as error:
            yield Removal(None, place, 0, error.reason, what)
        except OSError as error:
            yield Removal(None, place, 0, error.strerror or str(error), what)
        else:
            yield Removal(None, place, size, what=what)


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
