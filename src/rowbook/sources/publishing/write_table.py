"""Writing a table of files, all or nothing: staged beside the target, then published in one step.

With periods the table is stored by `period=…` folders, and replacing touches those of the run's
periods alone: the others come along as links. `_period` itself is a column of the files, as names
that begin with `_` are hidden from other tools. What an older Rowbook stored by `_period=…`, and
files outside of any folder, are stored anew.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.locations.removal import remove_replaced
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.files.columnar_write import ColumnarWriting
from rowbook.sources.files.csv.write import CsvWriting
from rowbook.sources.files.file_pins import pin_files
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.files.json.lines import first_keys
from rowbook.sources.files.json.write import JsonWriting, copy_lines
from rowbook.sources.files.listing import (
    NULL_FOLDER,
    PERIOD_FOLDERS,
    DataFile,
    FileKind,
    Listing,
    data_files,
    partition_folder,
    plain_path,
)
from rowbook.sources.files.read_tables import read_places
from rowbook.sources.publishing.exchange import finish_swaps, publish, written_beside
from rowbook.sources.publishing.file_layout import FileLayout, NewFile, Part
from rowbook.sources.publishing.local_write import WriteFile, write_rows
from rowbook.sources.publishing.marks import mark
from rowbook.sources.publishing.staged_check import check_rows, check_staged
from rowbook.sources.publishing.staging import existing_files, keep, keep_hidden, settle, staging
from rowbook.sources.publishing.table_lock import held, locked
from rowbook.sources.publishing.workbook_staging import rows_of_periods, stage_workbook
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    WriteRequest,
    WriteResult,
    no_period_error,
    output_error,
    table_exists_error,
)
from rowbook.sources.waiting import Waiting
from rowbook.spark.column_names import column
from rowbook.spark.markers import failing, refusal_in
from rowbook.spark.observed_metrics import ObservedMetrics, is_exact
from rowbook.write_points import write_point


class FileFormat(Protocol):
    @property
    def options(self) -> Mapping[str, str]: ...

    def prepare(self, frame: DataFrame, /) -> DataFrame:
        """The frame as the writer takes it."""

    def arrange(
        self, spark: SparkSession, written: Path, by: Sequence[str], files: Sequence[NewFile], /
    ) -> None: ...

    def part_rows(self, file: DataFile, /) -> int:
        """As `rows`, of a file that Spark wrote and nobody has arranged yet."""

    def rows(self, file: DataFile, /) -> int:
        """How many rows a file holds, found without Spark."""

    def local_writing(self) -> WriteFile | None:
        """Writes files without Spark; None where only Spark can."""


_FORMATS: dict[FileKind, Callable[[FileTarget], FileFormat]] = {
    "csv": CsvWriting.to,
    "excel": ColumnarWriting.to,
    "json": JsonWriting.to,
    "orc": ColumnarWriting.to,
    "parquet": ColumnarWriting.to,
}
_AT = "__at"
_OF_SPARK = re.compile(r"part-[0-9]{5}-")
_NO_TRACES = {"mapreduce.fileoutputcommitter.marksuccessfuljobs": "false"}


@dataclass(frozen=True, slots=True)
class _Write:
    frame: DataFrame
    target: FileTarget
    order: WriteRequest
    form: FileFormat

    @property
    def layout(self) -> FileLayout:
        if self.target.file_name is not None:
            return FileLayout(files=1)
        return FileLayout.of(self.target.options, ordered=self.order.ordered)

    @property
    def by(self) -> tuple[str, ...]:
        """What folders are named by; no reader may take it for a column of the files."""
        if self.order.periods is None or self.target.file_name is not None:
            return ()
        columns = {name.lower() for name in self.frame.columns}
        return (next(name for name in PERIOD_FOLDERS if name not in columns),)


def write_files(frame: DataFrame, target: FileTarget, order: WriteRequest) -> WriteResult:
    began = time.monotonic()
    run_id = order.run_id
    job = _Write(frame, target, order, _FORMATS[target.kind](target))
    with staging(target, run_id) as folder:
        with locked(target.path, Waiting(target.label, order.on_wait), order.writer):
            finish_swaps(target.path)
            _old_files(job)
        rows, files = _stage(job, folder)
        write_point("a table was staged")
        check_staged(target, files, rows, job.form.rows)
        with held(target.path, target.label, order):
            finish_swaps(target.path)
            _keep_old(job, folder)
            mark(folder, run_id, order.seq, target.path, (seq for seq, _ in order.sheets))
            took = int((time.monotonic() - began) * 1000)
            written = WriteResult(rows, len(files), sum(file.size for file in files), took)
            order.announce(written)
            _publish(job, folder, run_id)
    return written


def _old_files(job: _Write) -> list[DataFile]:
    """The files of the table as it is; OUTPUT_006 where it cannot take what is to be written."""
    files = existing_files(job.target)
    label = job.target.label
    if job.target.file_name is not None:
        _check_one_file(job, files)
    elif files and job.order.mode == "error_if_exists":
        raise table_exists_error(label)
    by_period = any(file.partitions or file.period for file in files)
    if job.order.mode == "append" and not job.by and by_period:
        why = f"is stored by period, but the rows to append have no {PERIOD.name}"
        raise output_error(label, why)
    return files


def _check_one_file(job: _Write, files: Sequence[DataFile]) -> None:
    """Files of a table of many would be read beside the one; those of other names stay."""
    target = job.target
    for file in files:
        if "/" in file.relative or _OF_SPARK.match(file.relative):
            why = f"cannot be one file: beside it is '{file.relative}', of a table of many"
            raise output_error(target.label, why, "choose another destination, or move that table")
    if job.order.mode == "error_if_exists" and any(_is_replaced(job, file) for file in files):
        raise table_exists_error(target.label)


def _is_replaced(job: _Write, file: DataFile) -> bool:
    return file.relative in ("", job.target.file_name)


def _stage(job: _Write, folder: Path) -> tuple[int, list[DataFile]]:
    if job.target.kind == "excel":
        number = stage_workbook(job.frame, job.target, job.order, folder)
        return number, data_files(folder, job.target.kind)
    frame = rows_of_periods(job.frame, job.target, job.order)
    rows = _save(job, frame, folder, job.by, local=job.order.local)
    if not data_files(folder, job.target.kind):
        _save_columns(job, folder)
    if job.target.file_name is not None:
        (file,) = data_files(folder, job.target.kind)
        file.path.rename(folder / job.target.file_name)
    files = data_files(folder, job.target.kind)
    _check_periods(job, files)
    return rows, files


def _save_columns(job: _Write, folder: Path) -> None:
    """A file without rows: it still says what the columns are."""
    empty = job.frame.sparkSession.createDataFrame([], job.frame.schema).coalesce(1)
    place = folder
    if job.order.periods and job.by:
        place = folder / partition_folder(job.by[0], job.order.periods[0])
    place.mkdir(exist_ok=True)
    _save(job, empty, place, (), local=job.order.local)


def _save(
    job: _Write, frame: DataFrame, folder: Path, by: Sequence[str], *, local: bool = False
) -> int:
    spark, written = job.frame.sparkSession, written_beside(job.target.path, job.order.run_id)
    prepared = job.form.prepare(frame)
    write_file = job.form.local_writing() if local else None
    try:
        if write_file is None:
            told = _save_by_spark(job, prepared, written, by)
        else:
            told = write_rows(prepared, written, by, write_file)
    except PySparkException as cause:
        if said := refusal_in(cause):
            raise output_error(f"{job.target.label}:", said) from cause
        raise
    parts = _counted(job, written)
    number = sum(part.rows for part in parts)
    if told is not None:
        check_rows(job.target, told, number)
    job.form.arrange(spark, written, by, job.layout.new_files(parts))
    settle(written, folder)
    return number


def _save_by_spark(
    job: _Write, prepared: DataFrame, written: Path, by: Sequence[str]
) -> int | None:
    """How many rows there were, where that is known."""
    metrics = {"rows": F.count(F.lit(1))}
    observed = ObservedMetrics(prepared, metrics) if is_exact(prepared) else None
    rows = prepared if observed is None else observed.frame
    for name in by:
        rows = rows.withColumn(name, column(PERIOD.name))
    if job.order.ordered and by:
        rows = _sorted_by_folder(rows, by)
    writer = rows.write.format(job.target.kind).partitionBy(*by)
    writer.options(**job.form.options, **_NO_TRACES).save(plain_path(written))
    told = None if observed is None else observed.found()
    return None if told is None else int(told["rows"])


def _sorted_by_folder(rows: DataFrame, by: Sequence[str]) -> DataFrame:
    """Each task's rows by folder, as it must write them, and in each as they come: if Spark sorted
    them itself, that could be lost."""
    numbered = rows.withColumn(_AT, F.monotonically_increasing_id())
    return numbered.sortWithinPartitions(*map(column, (*by, _AT))).drop(_AT)


def _counted(job: _Write, written: Path) -> list[Part]:
    """Spark writes one for its first partition even if that is empty; one of these is enough."""
    parts = [Part(file, job.form.part_rows(file)) for file in data_files(written, job.target.kind)]
    kept = [part for part in parts if part.rows]
    empty = [part for part in parts if not part.rows]
    for part in empty if kept else empty[1:]:
        part.file.path.unlink()
    return kept or empty[:1]


def _check_periods(job: _Write, files: Collection[DataFile]) -> None:
    if job.order.periods is None or job.order.mode != "replace" or not job.by:
        return
    for file in files:
        if (period := file.partitions.get(job.by[0])) not in job.order.periods:
            raise other_period_error(job.target.label, period)


def _keep_old(job: _Write, folder: Path) -> None:
    old = _old_files(job)
    keep_hidden(job.target.path, folder)
    if job.target.file_name is not None:
        keep([file for file in old if not _is_replaced(job, file)], folder)
        return
    if job.order.mode == "replace" and job.order.periods is None:
        return
    replaced = job.order.periods if job.order.mode == "replace" and job.order.periods else ()
    if job.by:
        others = [file for file in old if file.period is None]
        stay = [f for f in others if f.partitions.get(PERIOD.name) not in replaced]
        if stay:
            _adopt(job, folder, stay, replaced)
        old = [_named(file, job.by[0]) for file in old if file.period is not None]
    keep([file for file in old if file.period not in replaced or not job.by], folder)


def _named(file: DataFile, by: str) -> DataFile:
    """In a folder that is named by `by`, whatever that was until now."""
    folder = partition_folder(by, file.period or "")
    return replace(file, relative="/".join((folder, *file.relative.split("/")[1:])))


def _adopt(job: _Write, folder: Path, files: Sequence[DataFile], replaced: Collection[str]) -> None:
    """Files that are not in folders of periods, or in those that an older Rowbook made."""
    target, table = job.target, job.target.current
    assert table is not None
    if target.kind == "json":
        _adopt_lines(job, folder, files)
        return
    pins = pin_files(table, Listing(tuple(files)), target.label, lambda _: True, None)
    place = FileTable(target.kind, table, target.options, label=target.label, pins=pins)
    for rows in _kept_rows(job.frame.sparkSession, place, replaced):
        before = {file.path for file in data_files(folder, target.kind)}
        number = _save(job, rows, folder, job.by)
        added = [f for f in data_files(folder, target.kind) if f.path not in before]
        check_staged(target, added, number, job.form.rows)


def _adopt_lines(job: _Write, folder: Path, files: Sequence[DataFile]) -> None:
    """Json lines as they are, each with the period of its folder: Spark would change numbers. Lines
    outside of folders are refused (OUTPUT_006): which period they have is not known here."""
    for file in files:
        label = file.name_below(job.target.label)
        if PERIOD.name not in file.partitions:
            keys = first_keys([(file.path, label)], "utf-8")
            if keys.complete and PERIOD.name not in keys.names:
                raise no_period_error(label)
            raise output_error(
                f"{label} holds rows outside of folders of periods:",
                "json rows cannot be moved there without changing numbers into text",
                "write to another destination, or move the rows yourself",
            )
        period = file.partitions[PERIOD.name]
        place = folder / partition_folder(job.by[0], period or NULL_FOLDER) / file.path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        copy_lines(file.path, place, {PERIOD.name: period})


def _kept_rows(spark: SparkSession, place: FileTable, but: Collection[str]) -> Iterator[DataFrame]:
    """The rows of a place without those of `but`. OUTPUT_006 where they have no `_period`."""
    for raw in read_places(spark, [place]):
        if PERIOD.name not in raw.columns:
            raise no_period_error(raw.origin)
        period = column(PERIOD.name).cast("string")
        others = _sound(raw).filter(~F.coalesce(period.isin(*but), F.lit(False)))
        yield others.withColumn(PERIOD.name, period)


def _sound(raw: Raw) -> DataFrame:
    """The physical columns; a line that cannot be read fails the job."""
    rows = raw.frame
    if raw.broken is not None:
        text = f"{raw.origin} holds lines that cannot be read"
        fail = failing("DATASOURCE_007", text).cast("boolean")
        rows = rows.filter(F.when(column(raw.broken).isNotNull(), fail).otherwise(F.lit(True)))
    return rows.select(*map(column, raw.columns))


def _publish(job: _Write, folder: Path, run_id: str) -> None:
    publish(folder, job.target.path, run_id)
    single = job.target.single_file
    if single is not None and single.is_file():
        remove_replaced(single, job.target.path)
        write_point("the file that was a table is gone")
