"""Writing a Delta table, all or nothing.

Rows are staged as a table of their own in a hidden folder beside the target. If that is not there
yet, the folder becomes it; to one that is there, the files are added with one commit, by us where
naming them is enough, else by Spark; and rows that are published at once by Spark as it computes
them. What Spark wrote for a
commit that never was is invisible to readers; VACUUM removes it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from pyspark.sql import DataFrame

from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.delta.added_files import damage_of
from rowbook.sources.delta.commits import (
    newest_head,
    next_number,
    partition_values,
    settle_commit,
    written_by,
)
from rowbook.sources.delta.delta_table import DeltaTarget
from rowbook.sources.delta.errors import is_conflict, is_final, refusal_in
from rowbook.sources.delta.file_commit import commit_files
from rowbook.sources.delta.log import is_table
from rowbook.sources.delta.save import DeltaWrite, save
from rowbook.sources.delta.state import TableHead
from rowbook.sources.files.listing import is_hidden, plain_path
from rowbook.sources.publishing.column_fitting import fitted_rows, typed_rows
from rowbook.sources.publishing.exchange import (
    claim,
    is_untouched,
    publish,
    remove_output,
    sync,
    written_beside,
)
from rowbook.sources.publishing.staging import keep_hidden, staging
from rowbook.sources.publishing.table_lock import held
from rowbook.sources.publishing.table_publication import check_folder, file_sizes
from rowbook.sources.publishing.table_publication import damage_of as staged_damage
from rowbook.sources.source import (
    Mode,
    Publishing,
    Settlement,
    StagedOutput,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.source_errors import (
    UnreachableError,
    no_period_error,
    output_error,
    table_exists_error,
)
from rowbook.write_points import write_point

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class _Write(DeltaWrite):
    path: Path

    @classmethod
    def of(
        cls, frame: DataFrame, target: DeltaTarget, order: StagedOutput | WriteRequest
    ) -> _Write:
        return cls(frame, order, target.label, target.options, target.path)


def stage_delta(frame: DataFrame, target: DeltaTarget, order: WriteRequest) -> StagedOutput:
    began = time.monotonic()
    job = _Write.of(typed_rows(frame, target.label), target, order)
    try:
        is_free = _is_free(target, order.mode)
        if not is_free:
            _prepared(job, _head(job))
        with staging(target, order.run_id, order.seq) as folder:
            if order.at_once and not is_free:
                claim(target.path, order.run_id, order.seq)
                nothing = WriteResult(0, 0, 0, 0)
                return replace(StagedOutput.of(target, order, nothing), frame=job.frame)
            written = _stage(job, folder)
            sync(folder)
            write_point("staged rows are on disk")
    except OSError as cause:
        raise job.refused(f"cannot be written: {cause.strerror or cause}") from cause
    took = int((time.monotonic() - began) * 1000)
    files = [list(each) for each in file_sizes(folder)]
    return StagedOutput.of(target, order, replace(written, duration_ms=took), files=files)


def publish_delta(staged: StagedOutput, publishing: Publishing) -> WriteResult:
    """One process at a time writes to a table: on a local disk two could take the same version."""
    target = cast("DeltaTarget", staged.target)
    table, run_id, seq = target.path, staged.run_id, staged.seq
    began = time.monotonic()
    check_folder(table)
    try:
        with held(table, target.label, publishing):
            found = _settled(staged, table)
            if found.published:
                written = found.written or staged.written
            elif not is_table(table) and staged.frame is None:
                written = _publish(staged, target, publishing)
            else:
                written = _add(staged, target, publishing)
        remove_output(table, run_id, seq)
    except UnreachableError:
        raise
    except OSError as cause:
        raise output_error(target.label, f"cannot be written: {cause.strerror or cause}") from cause
    took = staged.written.duration_ms + int((time.monotonic() - began) * 1000)
    return replace(written, duration_ms=took)


def _settled(staged: StagedOutput, table: Path) -> Settlement:
    """Whether an earlier attempt to publish came through."""
    if staged.frame is not None or is_untouched(table, staged.run_id, staged.seq):
        return Settlement(False)
    return settle_commit(table, staged.run_id, staged.seq, close=False)


def _check_whole(staged: StagedOutput, target: DeltaTarget) -> None:
    if why := staged_damage(target.path, staged):
        raise output_error(target.label, f"cannot be published: {why}", "resume the run")


def _add(staged: StagedOutput, target: DeltaTarget, publishing: Publishing) -> WriteResult:
    """To a table that is there: rows as they are computed, or as they were staged, by naming their
    files where that is enough."""
    if staged.mode == "error_if_exists":
        raise table_exists_error(target.label)
    if staged.frame is not None:
        return _committed(_Write.of(staged.frame, target, staged), publishing)
    _check_whole(staged, target)
    folder, _ = claim(target.path, staged.run_id, staged.seq)
    written = commit_files(staged, folder, target.path, publishing)
    if written is not None:
        return written
    rows = publishing.session(target.label).read.format("delta").load(plain_path(folder))
    return _committed(_Write.of(rows, target, staged), publishing)


def _stage(job: _Write, folder: Path) -> WriteResult:
    order = job.order
    staged = written_beside(job.path, order.run_id)
    by = (PERIOD.name,) if order.periods is not None else ()
    save(job, job.frame, staged, 1, by)
    for entry in staged.iterdir():
        entry.rename(folder / entry.name)
    write_point("a Delta table was staged")
    _check_periods(job, folder)
    written = written_by(folder, job.name, 1)
    assert written is not None
    if said := damage_of(folder, job.name, 1):
        raise job.refused(f"was staged, but {said}", "look after the disk, then run again")
    return written


def _publish(staged: StagedOutput, target: DeltaTarget, publishing: Publishing) -> WriteResult:
    table = target.path
    _is_free(target, staged.mode)
    _check_whole(staged, target)
    folder, key = claim(table, staged.run_id, staged.seq)
    keep_hidden(table, folder)
    publishing.announce(staged.written)
    publish(folder, table, key)
    return staged.written


def _check_periods(job: _Write, folder: Path) -> None:
    """Delta itself looks for rows of other periods in a table that is there."""
    if job.order.mode != "replace" or job.order.periods is None:
        return
    for (period,) in partition_values(folder):
        if period not in job.order.periods:
            raise other_period_error(job.label, period)


def _is_free(target: DeltaTarget, mode: Mode) -> bool:
    """Whether there is no table yet; OUTPUT_006 where it may not be there, or anything else is."""
    table, label = target.path, target.label
    if is_table(table):
        if mode == "error_if_exists":
            raise table_exists_error(label)
        return False
    if table.exists() and not table.is_dir():
        raise output_error(label, "is a file that is there already, and no Delta table")
    strangers = [
        entry.name
        for entry in (table.iterdir() if table.exists() else ())
        if entry.is_dir() or not is_hidden(entry.name)
    ]
    if strangers:
        raise output_error(
            label,
            f"holds '{min(strangers)}', and is no Delta table",
            "choose another destination; a table has its folder to itself",
        )
    return True


def _committed(job: _Write, publishing: Publishing) -> WriteResult:
    table, order = job.path, job.order
    head = _head(job)
    number, since = next_number(head, job.name), head.version + 1
    _prepared(job, head)
    publishing.announce(WriteResult(0, 0, 0, 0))
    try:
        _save_persistently(job, number)
    except BaseException as error:
        if not is_final(error) and not isinstance(error, RowbookError):
            settle_commit(table, order.run_id, order.seq, close=True)
        raise
    written = written_by(table, job.name, number, since)
    if written is None:
        raise job.refused("was not written: the run was given up for dead meanwhile")
    if said := damage_of(table, job.name, number, since):
        hint = f"restore version {since - 1} of the table, look after the disk, then run again"
        raise job.refused(f"was written, but {said}", hint)
    return written


def _head(job: _Write) -> TableHead:
    try:
        head = newest_head(job.path)
    except (ValueError, LookupError, TypeError) as cause:
        raise job.refused(f"has a log that cannot be read: {cause}") from cause
    if head is None:
        raise job.refused("was removed while it was to be written")
    return head


def _prepared(job: _Write, head: TableHead) -> DataFrame:
    if job.replaces_all:
        return job.frame
    if job.order.mode == "replace" and head.column(PERIOD.name) is None:
        raise no_period_error(job.label)
    return fitted_rows(job.frame, {c.name: c.kind for c in head.columns}, job.label)


def _save_persistently(job: _Write, number: int) -> None:
    """Again where others got in between: nothing was written then."""
    for attempt in range(1, _ATTEMPTS + 1):
        head = _head(job)
        rows = _prepared(job, head)
        kept = head.partitions if job.replaces_all else ()
        by = kept if set(kept) <= set(rows.columns) else ()
        write_point("before rows are committed to a Delta table")
        try:
            save(job, rows, job.path, number, by)
        except RowbookError as error:
            refusal = refusal_in(error.__cause__) if error.__cause__ else None
            if attempt == _ATTEMPTS or refusal is None or not is_conflict(refusal[0]):
                raise
        else:
            write_point("rows were committed to a Delta table")
            return
