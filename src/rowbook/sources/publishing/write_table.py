"""Staging rows in files: written beside the target by Spark, or here where they are few, read back
and on disk before anybody may publish them. `_period` is a column of the files, as names that begin
with `_` are hidden from other tools.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.files.columnar_write import ColumnarWriting
from rowbook.sources.files.csv.write import CsvWriting
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.json.write import JsonWriting
from rowbook.sources.files.listing import (
    PERIOD_FOLDERS,
    FileKind,
    LocalFile,
    data_files,
    partition_folder,
    plain_path,
)
from rowbook.sources.files.parquet.row_files import RowFiles
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.publishing.exchange import finish_swaps, sync, written_beside
from rowbook.sources.publishing.file_layout import FileLayout, NewFile, Part
from rowbook.sources.publishing.local_write import WriteFile, write_rows
from rowbook.sources.publishing.staged_check import check_rows, check_staged
from rowbook.sources.publishing.staging import settle, staging
from rowbook.sources.publishing.table_lock import locked
from rowbook.sources.publishing.table_publication import (
    FileWrite,
    file_digests,
    file_sizes,
    old_files,
)
from rowbook.sources.publishing.workbook_staging import (
    rows_of_periods,
    stage_sheet,
    write_sheets,
)
from rowbook.sources.source import BegunOutput, StagedOutput, WriteRequest, WriteResult
from rowbook.sources.source_errors import output_error
from rowbook.sources.waiting import Waiting
from rowbook.spark.column_names import column
from rowbook.spark.markers import refusal_in
from rowbook.spark.observed_metrics import ObservedMetrics, is_exact
from rowbook.spark.row_pass import can_pass, passed
from rowbook.write_points import write_point


class FileFormat(Protocol):
    @property
    def options(self) -> Mapping[str, str]: ...

    def prepare(self, frame: DataFrame, /) -> DataFrame:
        """The frame as the writer takes it."""

    def arrange(
        self, spark: SparkSession, written: Path, by: Sequence[str], files: Sequence[NewFile], /
    ) -> None: ...

    def part_rows(self, file: LocalFile, /) -> int:
        """As `rows`, of a file that Spark wrote and nobody has arranged yet."""

    def rows(self, file: LocalFile, /) -> int:
        """How many rows a file holds, found without Spark."""

    def row_files(
        self, folder: Path, columns: Sequence[str], by: Sequence[str], /
    ) -> RowFiles | None:
        """Where rows are written as they pass; None where Spark writes them."""

    def local_writing(self) -> WriteFile | None:
        """Writes files without Spark; None where only Spark can."""

    def plain_table(self, output: PlainOutput, /) -> pa.Table | None:
        """Rows as that takes them; None where only Spark makes them so."""


_FORMATS: dict[FileKind, Callable[[FileTarget], FileFormat]] = {
    "csv": CsvWriting.to,
    "excel": ColumnarWriting.to,
    "json": JsonWriting.to,
    "orc": ColumnarWriting.to,
    "parquet": ColumnarWriting.to,
}
_AT = "__at"
_NO_TRACES = {"mapreduce.fileoutputcommitter.marksuccessfuljobs": "false"}


def format_of(target: FileTarget) -> FileFormat:
    return _FORMATS[target.kind](target)


@dataclass(frozen=True, slots=True)
class _Staging:
    frame: DataFrame | PlainOutput
    write: FileWrite
    order: WriteRequest
    form: FileFormat

    @property
    def target(self) -> FileTarget:
        return self.write.target


def writes_plain(output: PlainOutput, target: FileTarget) -> bool:
    """Whether rows that are here can be staged without Spark."""
    form, layout = format_of(target), FileLayout.of(target.options)
    is_usual = layout.file_size is None and layout.files in (None, 1)
    if not (is_usual and output.has_types and form.local_writing()):
        return False
    return form.plain_table(output.empty) is not None


def stage_files(
    frame: DataFrame | PlainOutput, target: FileTarget, order: WriteRequest
) -> StagedOutput:
    """A sheet of a workbook that others follow in is kept as rows; the last one writes it."""
    began = time.monotonic()
    write = FileWrite(
        target,
        order.mode,
        order.periods,
        order.run_id,
        order.seq,
        _folder_names(frame.columns, target, order),
        order.ordered,
    )
    job = _Staging(frame, write, order, format_of(target))
    target.path.parent.mkdir(parents=True, exist_ok=True)
    with locked(target.path, Waiting(target.label, order.on_wait), order.writer):
        finish_swaps(target.path)
        old_files(write)
    if target.kind == "excel":
        assert isinstance(frame, DataFrame)
        rows, folder = stage_sheet(frame, target, order)
        sync(folder)
        if not order.is_last:
            return _staged(write, folder, rows, began, is_sheet=True)
    with staging(target, order.run_id, order.seq) as folder:
        rows, files = _stage(job, folder)
        write_point("a table was staged")
        check_staged(target, files, rows, job.form.rows)
        sync(folder)
        write_point("staged rows are on disk")
    sheets = [seq for seq, _ in order.sheets]
    return _staged(write, folder, rows, began, sheets=sheets)


def begin_files(target: FileTarget, order: WriteRequest, columns: Sequence[str]) -> BegunOutput:
    """A folder of their own beside the table for rows that are written as they pass."""
    folder = written_beside(target.path, order.run_id)
    target.path.parent.mkdir(parents=True, exist_ok=True)
    write_point("before an output is begun")
    folder.mkdir()
    form, by = format_of(target), _folder_names(columns, target, order)

    def files() -> RowFiles:
        found = form.row_files(folder, columns, by)
        assert found is not None
        return found

    return BegunOutput(folder, files)


def _folder_names(names: Iterable[str], target: FileTarget, order: WriteRequest) -> tuple[str, ...]:
    """What folders are named by; no reader may take it for a column of the files."""
    if order.periods is None or target.file_name is not None:
        return ()
    columns = {name.lower() for name in names}
    return (next(name for name in PERIOD_FOLDERS if name not in columns),)


def _staged(
    write: FileWrite,
    folder: Path,
    rows: int,
    began: float,
    *,
    sheets: Sequence[int] = (),
    is_sheet: bool = False,
) -> StagedOutput:
    files = [] if is_sheet else data_files(folder, write.target.kind)
    took = int((time.monotonic() - began) * 1000)
    return StagedOutput(
        write.target,
        write.mode,
        write.periods,
        write.run_id,
        write.seq,
        WriteResult(
            rows,
            len(files),
            sum(file.size for file in files),
            took,
            {} if is_sheet else file_digests(folder),
        ),
        {
            "by": list(write.by),
            "ordered": write.ordered,
            "sheets": list(sheets),
            "is_sheet": is_sheet,
            "files": [list(each) for each in file_sizes(folder)],
        },
    )


def _stage(job: _Staging, folder: Path) -> tuple[int, list[LocalFile]]:
    if job.target.kind == "excel":
        number = write_sheets(job.target, job.order, folder)
        return number, data_files(folder, job.target.kind)
    if isinstance(job.frame, PlainOutput):
        _check_rows(job.frame, job.target, job.order)
        rows = _save_plain(job.write, job.form, job.frame, folder, job.write.by)
    else:
        frame = rows_of_periods(job.frame, job.target, job.order)
        rows = save(
            job.write,
            job.form,
            frame,
            folder,
            job.write.by,
            local=job.order.local,
            passes=job.order.passes and job.order.begun is None,
            begun=job.order.begun,
        )
    if not data_files(folder, job.target.kind):
        _save_columns(job, folder)
    if job.target.file_name is not None:
        (file,) = data_files(folder, job.target.kind)
        file.path.rename(folder / job.target.file_name)
    files = data_files(folder, job.target.kind)
    _check_periods(job.write, files)
    return rows, files


def _save_columns(job: _Staging, folder: Path) -> None:
    """A file without rows: it still says what the columns are."""
    place = folder
    if job.order.periods and job.write.by:
        place = folder / partition_folder(job.write.by[0], job.order.periods[0])
    place.mkdir(exist_ok=True)
    if isinstance(job.frame, PlainOutput):
        _save_plain(job.write, job.form, job.frame.empty, place, ())
        return
    empty = job.frame.sparkSession.createDataFrame([], job.frame.schema).coalesce(1)
    save(job.write, job.form, empty, place, (), local=job.order.local)


def save(
    job: FileWrite,
    form: FileFormat,
    frame: DataFrame,
    folder: Path,
    by: Sequence[str],
    *,
    local: bool = False,
    passes: bool = False,
    begun: BegunOutput | None = None,
) -> int:
    """Writes rows into a folder that is staged, with those that were begun; gives how many there
    are."""
    spark, written = frame.sparkSession, written_beside(job.target.path, job.run_id)
    prepared = form.prepare(frame)
    write_file = form.local_writing() if local else None
    passing = passes and can_pass(prepared)
    files = form.row_files(written, prepared.columns, by) if passing else None
    told: int | None
    try:
        if write_file is not None:
            told = write_rows(prepared.toArrow(), written, by, write_file)
        elif files is not None:
            written.mkdir()
            tasks = passed(prepared, files.write, "rows long").collect()
            told = sum(task["rows"] for task in tasks)
        else:
            told = _save_by_spark(job, form, prepared, written, by)
    except PySparkException as cause:
        if said := refusal_in(cause):
            raise output_error(f"{job.target.label}:", said) from cause
        raise
    if begun is not None:
        told = told if told is None else told + begun.rows
        settle(begun.folder, written)
    parts = _counted(job.target, form, written)
    number = sum(part.rows for part in parts)
    if told is not None:
        check_rows(job.target, told, number)
    form.arrange(spark, written, by, job.layout.new_files(parts))
    settle(written, folder)
    return number


def _save_plain(
    job: FileWrite, form: FileFormat, output: PlainOutput, folder: Path, by: Sequence[str]
) -> int:
    """The same without Spark."""
    written, write_file = written_beside(job.target.path, job.run_id), form.local_writing()
    table = form.plain_table(output)
    assert write_file is not None
    assert table is not None
    rows = write_rows(table, written, by, write_file)
    check_rows(job.target, rows, sum(part.rows for part in _counted(job.target, form, written)))
    settle(written, folder)
    return rows


def _save_by_spark(
    job: FileWrite, form: FileFormat, prepared: DataFrame, written: Path, by: Sequence[str]
) -> int | None:
    """How many rows there were, where that is known."""
    metrics = {"rows": F.count(F.lit(1))}
    observed = ObservedMetrics(prepared, metrics) if is_exact(prepared) else None
    rows = prepared if observed is None else observed.frame
    for name in by:
        rows = rows.withColumn(name, column(PERIOD.name))
    if job.ordered and by:
        rows = _sorted_by_folder(rows, by)
    writer = rows.write.format(job.target.kind).partitionBy(*by)
    writer.options(**form.options, **_NO_TRACES).save(plain_path(written))
    told = None if observed is None else observed.found()
    return None if told is None else int(told["rows"])


def _sorted_by_folder(rows: DataFrame, by: Sequence[str]) -> DataFrame:
    """Each task's rows by folder, as it must write them, and in each as they come: if Spark sorted
    them itself, that could be lost."""
    numbered = rows.withColumn(_AT, F.monotonically_increasing_id())
    return numbered.sortWithinPartitions(*map(column, (*by, _AT))).drop(_AT)


def _counted(target: FileTarget, form: FileFormat, written: Path) -> list[Part]:
    """Spark writes one for its first partition even if that is empty; one of these is enough."""
    parts = [Part(file, form.part_rows(file)) for file in data_files(written, target.kind)]
    kept = [part for part in parts if part.rows]
    empty = [part for part in parts if not part.rows]
    for part in empty if kept else empty[1:]:
        part.file.path.unlink()
    return kept or empty[:1]


def _check_rows(output: PlainOutput, target: FileTarget, order: WriteRequest) -> None:
    """As `rows_of_periods`."""
    if order.periods is None or target.file_name is None or order.mode != "replace":
        return
    for row in output.rows:
        if (period := row[PERIOD.name]) not in order.periods:
            why = f"rows of period {period} are not of the run's period"
            raise output_error(f"{target.label}:", why)


def _check_periods(job: FileWrite, files: Collection[LocalFile]) -> None:
    if job.periods is None or job.mode != "replace" or not job.by:
        return
    for file in files:
        if (period := file.partitions.get(job.by[0])) not in job.periods:
            raise other_period_error(job.target.label, period)
