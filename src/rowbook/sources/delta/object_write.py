"""Writing a Delta table in an object store, all or nothing.

Spark writes the rows as a table of their own, into a folder in that of the table. A commit of ours
names these files where they are; it is put only where its version is not taken, so that of writers
at the same time none is lost. Spark itself never commits to the table.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast
from urllib.parse import unquote

from pyspark.sql import DataFrame

from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.delta.added_files import damage_of
from rowbook.sources.delta.commits import add_commit, application, is_committed, written_by
from rowbook.sources.delta.delta_table import DeltaStoreTarget
from rowbook.sources.delta.file_commit import commit_content
from rowbook.sources.delta.log import Log, commit_file, read_commit
from rowbook.sources.delta.output_folder import STAGED, OutputFolder, is_staged
from rowbook.sources.delta.save import DeltaWrite, save
from rowbook.sources.delta.staged_objects import claim, clear_folders, folder_of
from rowbook.sources.delta.table_state import TableState
from rowbook.sources.files.listing import is_hidden
from rowbook.sources.publishing.column_fitting import fitted_rows, typed_rows
from rowbook.sources.source import Publishing, StagedOutput, WriteRequest, WriteResult
from rowbook.sources.source_errors import (
    given_up_error,
    no_period_error,
    output_error,
    table_exists_error,
)
from rowbook.sources.stores.conditions import check_conditions
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.write_points import write_point

_ATTEMPTS = 50
_ELSEWHERE = "write to another destination, or to a Delta table on a disk"


def stage_objects(frame: DataFrame, target: DeltaStoreTarget, order: WriteRequest) -> StagedOutput:
    began = time.monotonic()
    check_conditions(target.path.store, target.path.key)
    there = _table_at(target)
    _check(target, there, order)
    clear_folders(target.path, order.run_id, order.seq)
    rows = typed_rows(frame, target.label)
    job = DeltaWrite(rows, order, target.label, target.options)
    if there is not None and not job.replaces_all:
        kinds = {column.name: column.kind for column in there.head.columns}
        job = replace(job, frame=fitted_rows(rows, kinds, target.label))
    write_point("before rows are put into an object store")
    folder = OutputFolder.begin(target.path, order.run_id, order.seq)
    try:
        written, files = _saved(job, folder, _partitions(job, there))
        state = folder.state()
        if state is None or not folder.move(state, STAGED):
            raise given_up_error(target.label)
        write_point("rows were put into an object store")
    except BaseException:
        clear_folders(target.path, order.run_id, order.seq)
        raise
    took = int((time.monotonic() - began) * 1000)
    written = replace(written, duration_ms=took)
    return StagedOutput.of(target, order, written, folder=folder.name, files=files)


def publish_objects(staged: StagedOutput, publishing: Publishing) -> WriteResult:
    began = time.monotonic()
    number, written = claim(staged), staged.written
    if number is not None:
        written = _committed(staged, number, publishing)
    folder_of(staged).finish()
    took = staged.written.duration_ms + int((time.monotonic() - began) * 1000)
    return replace(written, duration_ms=took)


def _committed(staged: StagedOutput, number: int, publishing: Publishing) -> WriteResult:
    target, folder = cast("DeltaStoreTarget", staged.target), folder_of(staged)
    table, name = target.path, application(staged.run_id, staged.seq)
    new = TableState.at(folder.path)
    if new is None:
        raise output_error(target.label, "cannot be published: its staged log is gone")
    for attempt in range(_ATTEMPTS):
        there = _table_at(target)
        if there is not None and there.head.transactions.get(name, 0) >= number:
            if is_committed(table, name, number):
                return staged.written
            raise given_up_error(target.label)
        _check(target, there, staged)
        more = _table_actions(staged, target, new, there)
        if attempt == 0:
            publishing.announce(staged.written)
        version = 0 if there is None else there.head.version + 1
        content = commit_content(staged, new, there, number, more, f"{folder.name}/")
        write_point("before objects are committed to a Delta table")
        is_ours = add_commit(table, version, content)
        write_point("objects were committed to a Delta table")
        if is_ours:
            return written_by(table, name, number, version) or staged.written
    why = "was changed by others at the same time, again and again"
    raise output_error(target.label, why, "run again")


def _table_at(target: DeltaStoreTarget) -> TableState | None:
    """OUTPUT_006 where there is one, and its log is broken: version 0 is not free then."""
    try:
        if Log.of(target.path).newest is None:
            return None
        found = TableState.at(target.path)
    except (ValueError, LookupError, TypeError) as cause:
        raise _refused(target, f"has a log that cannot be read: {cause}") from cause
    if found is None:
        raise _refused(target, "has a log that cannot be read: commits are missing in it")
    return found


def _check(
    target: DeltaStoreTarget, there: TableState | None, order: WriteRequest | StagedOutput
) -> None:
    """OUTPUT_006 where the table cannot take an output as it is now. One without columns is none:
    it was put there to shut out the first output, which came late."""
    if there is None or not there.fields:
        if others := _strangers(target.path):
            why = f"holds '{others[0]}', and is no Delta table"
            hint = "choose another destination; a table has its folder to itself"
            raise _refused(target, why, hint)
        return
    if order.mode == "error_if_exists":
        raise table_exists_error(target.label)
    if not there.is_plain:
        why = "has features, constraints or settings that only Spark knows to keep"
        raise _refused(target, why, _ELSEWHERE)
    if order.mode == "replace" and order.periods is not None:
        if PERIOD.name not in there.fields:
            raise no_period_error(target.label)
        if PERIOD.name not in there.head.partitions:
            why = f"is not partitioned by {PERIOD.name}: files would have to be written anew"
            raise _refused(target, why, _ELSEWHERE)


def _strangers(table: ObjectPath) -> list[str]:
    names = (
        each.key.removeprefix(table.key).lstrip("/")
        for each in table.store.list(table.key)
        if not is_staged(table, each.key)
    )
    return sorted(name for name in names if not is_hidden(name))


def _partitions(job: DeltaWrite, there: TableState | None) -> tuple[str, ...]:
    """As the table has them, where it has them."""
    if there is None or not there.fields:
        return (PERIOD.name,) if job.order.periods is not None else ()
    kept = there.head.partitions
    if set(kept) <= set(job.frame.columns):
        return kept
    if job.replaces_all:
        return ()
    missing = next(name for name in kept if name not in job.frame.columns)
    raise job.refused(f"is partitioned by '{missing}', which the rows do not have")


def _saved(
    job: DeltaWrite, folder: OutputFolder, by: Sequence[str]
) -> tuple[WriteResult, list[list[Any]]]:
    """What was written, and the names, sizes and etags of its files."""
    save(job, job.frame, folder.path, 1, by)
    write_point("Spark put rows into an object store")
    written = written_by(folder.path, job.name, 1)
    assert written is not None
    order, objects, files = job.order, folder.objects(), []
    for _, fields in read_commit(commit_file(folder.path, 0), ("add",)):
        period = fields["partitionValues"].get(PERIOD.name)
        if order.mode == "replace" and order.periods is not None and period not in order.periods:
            raise other_period_error(job.label, period)
        name = unquote(fields["path"])
        files.append([name, objects[name].size, objects[name].etag])
    if said := damage_of(folder.path, job.name, 1):
        raise job.refused(f"was staged, but {said}", "look after the store, then run again")
    return written, files


def _table_actions(
    staged: StagedOutput, target: DeltaStoreTarget, new: TableState, there: TableState | None
) -> list[dict[str, Any]]:
    """What a commit says of the table itself: all of it for the first output, and its columns where
    they change."""
    if there is None or not there.fields:
        first = commit_file(folder_of(staged).path, 0)
        actions = [{kind: dict(fields)} for kind, fields in read_commit(first, ("protocol",))]
        kept = {} if there is None else {"id": there.metadata["id"]}
        return [*actions, {"metaData": {**new.metadata, **kept}}]
    mine, other = there.fields, new.fields
    if not new.head.protocol.writer_features <= there.head.protocol.writer_features:
        raise _refused(target, "cannot take columns of these types", _ELSEWHERE)
    if staged.mode == "replace" and staged.periods is None:
        fields, partitions = list(other.values()), new.head.partitions
    else:
        if new.head.partitions != there.head.partitions:
            raise _refused(target, "is partitioned in another way by now", "run again")
        if any(mine[name]["type"] != other[name]["type"] for name in mine.keys() & other.keys()):
            raise _refused(target, "has columns of other types by now", "run again")
        added = [each for name, each in other.items() if name not in mine]
        fields, partitions = [*mine.values(), *added], there.head.partitions
    if fields == list(mine.values()) and partitions == there.head.partitions:
        return []
    schema = json.dumps({"type": "struct", "fields": fields})
    columns = {"schemaString": schema, "partitionColumns": list(partitions)}
    return [{"metaData": {**there.metadata, **columns}}]


def _refused(target: DeltaStoreTarget, why: str, hint: str | None = None) -> RowbookError:
    return output_error(target.label, why, hint)
