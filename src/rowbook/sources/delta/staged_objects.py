"""Outputs that are staged in an object store: claimed by who publishes them, or given up so that
nobody can any more."""

from __future__ import annotations

from typing import cast

from rowbook.sources.delta.commits import application, is_committed, newest_head, settle_commit
from rowbook.sources.delta.delta_table import DeltaStoreTarget
from rowbook.sources.delta.output_folder import GIVEN_UP, STAGING, OutputFolder, output_folders
from rowbook.sources.source import Settlement, StagedOutput
from rowbook.sources.source_errors import UnreachableError, given_up_error, output_error
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.write_points import write_point

_GONE = "its staged files are gone"


def folder_of(staged: StagedOutput) -> OutputFolder:
    table, name = cast("DeltaStoreTarget", staged.target).path, staged.details["folder"]
    return OutputFolder.recorded(table, name, staged.run_id, staged.seq)


def staged_damage(staged: StagedOutput) -> str | None:
    folder = folder_of(staged)
    state, there = folder.state(), folder.objects()
    if state is None or state.text in (GIVEN_UP, STAGING):
        return _GONE
    for name, size, etag in staged.details["files"]:
        found = there.get(name)
        if found is None:
            return f"its staged file '{name}' is gone"
        if (found.size, found.etag) != (size, etag):
            return f"its staged file '{name}' is another object now"
    return None


def claim(staged: StagedOutput) -> int | None:
    """The number to commit an output under; None where it is committed already."""
    folder, label = folder_of(staged), staged.target.label
    table, name = folder.table, application(staged.run_id, staged.seq)
    state, head = folder.state(), newest_head(table)
    last = head.transactions.get(name, 0) if head else 0
    if state is None and last % 2:
        return None
    number = None if state is None else state.number
    if number is not None and is_committed(table, name, number):
        return None
    if why := staged_damage(staged):
        raise output_error(label, f"cannot be published: {why}", "resume the run")
    number = last + 1 + last % 2 if number is None else number
    if last > number or state is None or not folder.claim(state, number):
        raise given_up_error(label)
    write_point("an output was claimed")
    return number


def settle_objects(table: ObjectPath, run_id: str, seq: int) -> Settlement:
    """Only of an output that somebody claimed can a commit come late, and only then is it shut out
    by another."""
    folders = tuple(output_folders(table, run_id, seq))
    write_point("before what is staged is taken away")
    is_claimed = False
    for folder in folders:
        is_claimed |= not _taken(folder)
    found = settle_commit(table, run_id, seq, close=is_claimed)
    for folder in folders:
        _clear(folder, application(run_id, seq))
    return found


def clear_folders(table: ObjectPath, run_id: str, seq: int) -> None:
    """What earlier attempts left."""
    if any(output_folders(table, run_id, seq)):
        settle_objects(table, run_id, seq)


def _taken(folder: OutputFolder) -> bool:
    """False where somebody claimed it before."""
    while state := folder.state():
        if state.number is not None:
            return False
        if state.text == GIVEN_UP or folder.move(state, GIVEN_UP):
            break
    return True


def _clear(folder: OutputFolder, name: str) -> None:
    state = folder.state()
    if state is None:
        return
    if state.number is not None:
        if is_committed(folder.table, name, state.number):
            folder.finish()
            return
        head = newest_head(folder.table)
        if head is None or head.transactions.get(name, 0) < state.number:
            raise UnreachableError(f"{folder.table} cannot be closed to a late commit")
        folder.move(state, GIVEN_UP)
    folder.remove()
