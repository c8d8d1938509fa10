"""Files that are not in folders of periods, or in those that an older Rowbook made, stored anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.planning.columns import PERIOD
from rowbook.sources.files.file_pins import pin_files
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.json.lines import first_keys
from rowbook.sources.files.json.write import copy_lines
from rowbook.sources.files.listing import (
    NULL_FOLDER,
    Listing,
    LocalFile,
    data_files,
    partition_folder,
)
from rowbook.sources.files.read_tables import read_places
from rowbook.sources.publishing.staged_check import check_staged
from rowbook.sources.publishing.table_publication import FileWrite
from rowbook.sources.publishing.write_table import format_of, save
from rowbook.sources.raw import Raw
from rowbook.sources.source_errors import no_period_error, output_error
from rowbook.spark.column_names import column
from rowbook.spark.markers import failing


def adopt(
    job: FileWrite, folder: Path, files: Sequence[LocalFile], spark: Callable[[], SparkSession]
) -> None:
    """Stores rows of the old table in the new one, without those that are replaced."""
    target, table = job.target, job.target.current
    assert table is not None
    if target.kind == "json":
        _adopt_lines(job, folder, files)
        return
    pins = pin_files(table, Listing(tuple(files)), target.label, lambda _: True, None)
    place = FileTable(target.kind, table, target.options, label=target.label, pins=pins)
    form = format_of(target)
    for rows in _kept_rows(spark(), place, job.replaced):
        before = {file.path for file in data_files(folder, target.kind)}
        number = save(job, form, rows, folder, job.by)
        added = [f for f in data_files(folder, target.kind) if f.path not in before]
        check_staged(target, added, number, form.rows)


def _adopt_lines(job: FileWrite, folder: Path, files: Sequence[LocalFile]) -> None:
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
