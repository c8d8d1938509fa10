"""Writing a table of files, all or nothing: staged beside the target, then published in one step.

With periods the table is stored by `_period=…` folders, and replacing touches those of the run's
periods alone: the others come along as links.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.locations.removal import remove_replaced
from rowbook.planning.columns import PERIOD
from rowbook.sources.files.columnar_write import ColumnarWriting
from rowbook.sources.files.csv.write import CsvWriting
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.files.json.write import JsonWriting
from rowbook.sources.files.listing import (
    DataFile,
    FileKind,
    data_files,
    partition_folder,
    plain_path,
)
from rowbook.sources.files.read_tables import read_places
from rowbook.sources.publishing.exchange import finish_swaps, mark, publish, written_beside
from rowbook.sources.publishing.file_layout import Part
from rowbook.sources.publishing.staged_check import check_rows, check_staged
from rowbook.sources.publishing.staging import existing_files, keep, keep_hidden, settle, staging
from rowbook.sources.publishing.table_lock import held, locked
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    WriteRequest,
    WriteResult,
    no_period_error,
    other_period_error,
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

    def prepare(self, frame: DataFrame, by: Sequence[str], /) -> DataFrame:
        """The frame as the writer takes it; `by` are the columns that become folders."""

    def arrange(
        self, spark: SparkSession, written: Path, by: Sequence[str], parts: Sequence[Part], /
    ) -> None: ...

    def rows(self, file: DataFile, /) -> int:
        """How many rows a file holds, found without Spark."""


_FORMATS: dict[FileKind, Callable[[FileTarget], FileFormat]] = {
    "csv": CsvWriting.to,
    "json": JsonWriting.to,
    "orc": ColumnarWriting.to,
    "parquet": ColumnarWriting.to,
}
_NO_TRACES = {"mapreduce.fileoutputcommitter.marksuccessfuljobs": "false"}


@dataclass(frozen=True, slots=True)
class _Write:
    frame: DataFrame
    target: FileTarget
    order: WriteRequest
    form: FileFormat

    @property
    def by(self) -> tuple[str, ...]:
        return () if self.order.periods is None else (PERIOD.name,)


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
            mark(folder, run_id, order.seq, target.path)
            took = int((time.monotonic() - began) * 1000)
            written = WriteResult(rows, len(files), sum(file.size for file in files), took)
            order.announce(written)
            _publish(job, folder, run_id)
    return written


def _old_files(job: _Write) -> list[DataFile]:
    """The files of the table as it is; OUTPUT_006 where it cannot take what is to be written."""
    files = existing_files(job.target)
    label = job.target.label
    if files and job.order.mode == "error_if_exists":
        raise table_exists_error(label)
    if job.order.mode == "append" and not job.by and any(file.partitions for file in files):
        why = f"is stored by period, but the rows to append have no {PERIOD.name}"
        raise output_error(label, why)
    return files


def _stage(job: _Write, folder: Path) -> tuple[int, list[DataFile]]:
    if set(job.frame.columns) <= set(job.by):
        raise output_error(job.target.label, f"needs a column beside {PERIOD.name}")
    rows = _save(job, job.frame, folder, job.by)
    if not data_files(folder, job.target.kind):
        _save_columns(job, folder)
    files = data_files(folder, job.target.kind)
    _check_periods(job, files)
    return rows, files


def _save_columns(job: _Write, folder: Path) -> None:
    """A file without rows: it still says what the columns are."""
    fields = [f for f in job.frame.schema.fields if f.name not in job.by]
    empty = job.frame.sparkSession.createDataFrame([], s.StructType(fields)).coalesce(1)
    place = (
        folder / partition_folder(PERIOD.name, job.order.periods[0])
        if job.order.periods
        else folder
    )
    place.mkdir(exist_ok=True)
    _save(job, empty, place, ())


def _save(job: _Write, frame: DataFrame, folder: Path, by: Sequence[str]) -> int:
    spark, written = job.frame.sparkSession, written_beside(job.target.path, job.order.run_id)
    prepared = job.form.prepare(frame, by)
    metrics = {"rows": F.count(F.lit(1))}
    observed = ObservedMetrics(prepared, metrics) if is_exact(prepared) else None
    rows = prepared if observed is None else observed.frame
    writer = rows.write.format(job.target.kind).partitionBy(*by)
    try:
        writer.options(**job.form.options, **_NO_TRACES).save(plain_path(written))
    except PySparkException as cause:
        if said := refusal_in(cause):
            raise output_error(f"{job.target.label}:", said) from cause
        raise
    parts = _counted(job, written)
    number = sum(part.rows for part in parts)
    if observed is not None and (told := observed.found()) is not None:
        check_rows(job.target, told["rows"], number)
    job.form.arrange(spark, written, by, parts)
    settle(written, folder)
    return number


def _counted(job: _Write, written: Path) -> list[Part]:
    """Spark writes one for its first partition even if that is empty; one of these is enough."""
    parts = [Part(file, job.form.rows(file)) for file in data_files(written, job.target.kind)]
    kept = [part for part in parts if part.rows]
    empty = [part for part in parts if not part.rows]
    for part in empty if kept else empty[1:]:
        part.file.path.unlink()
    return kept or empty[:1]


def _check_periods(job: _Write, files: Collection[DataFile]) -> None:
    if job.order.periods is None or job.order.mode != "replace":
        return
    for file in files:
        if file.partitions.get(PERIOD.name) not in job.order.periods:
            raise other_period_error(job.target.label, file.partitions.get(PERIOD.name))


def _keep_old(job: _Write, folder: Path) -> None:
    old = _old_files(job)
    keep_hidden(job.target.path, folder)
    if job.order.mode == "replace" and job.order.periods is None:
        return
    replaced = job.order.periods if job.order.mode == "replace" and job.order.periods else ()
    if job.by:
        loose = [file for file in old if PERIOD.name not in file.partitions]
        if loose:
            _adopt(job, folder, replaced)
        old = [file for file in old if PERIOD.name in file.partitions]
    keep([f for f in old if f.partitions.get(PERIOD.name) not in replaced], folder)


def _adopt(job: _Write, folder: Path, replaced: Collection[str]) -> None:
    table = job.target.current
    assert table is not None
    place = FileTable(job.target.kind, table, job.target.options, label=job.target.label)
    for rows in _kept_rows(job.frame.sparkSession, place, replaced):
        before = {file.path for file in data_files(folder, job.target.kind)}
        number = _save(job, rows, folder, job.by)
        added = [f for f in data_files(folder, job.target.kind) if f.path not in before]
        check_staged(job.target, added, number, job.form.rows)


def _kept_rows(spark: SparkSession, place: FileTable, but: Collection[str]) -> Iterator[DataFrame]:
    """The rows outside of folders of periods, without those of `but`. OUTPUT_006 where they have no
    `_period`, and for json, of which the values' types are not known."""
    for raw in read_places(spark, [place]):
        if PERIOD.name in raw.partitions:
            continue
        if PERIOD.name not in raw.columns:
            raise no_period_error(raw.origin)
        if place.kind == "json":
            raise output_error(
                f"{raw.origin} holds rows outside of {PERIOD.name}=… folders:",
                "json rows cannot be moved there without changing numbers into text",
                "write to another destination, or move the rows yourself",
            )
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
