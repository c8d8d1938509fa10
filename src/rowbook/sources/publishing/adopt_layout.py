"""Tables that somebody else laid out: rows brought into `_period=…` folders."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.read_tables import read_place
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column


def kept_rows(spark: SparkSession, place: FileTable, but: Collection[str]) -> Iterator[DataFrame]:
    """The rows outside of folders of periods, without those of `but`. OUTPUT_006 where they have no
    `_period`, and for json, of which the values' types are not known."""
    for raw in read_place(spark, place):
        if PERIOD.name in raw.partitions:
            continue
        if PERIOD.name not in raw.columns:
            raise RowbookError.of(
                "OUTPUT_006",
                f"{raw.origin} holds rows without {PERIOD.name}: those of a period cannot be told"
                " from the others",
                hint="write to another destination, or add the column to the existing data",
            )
        if place.kind == "json":
            raise RowbookError.of(
                "OUTPUT_006",
                f"{raw.origin} holds rows outside of {PERIOD.name}=… folders: json rows cannot be"
                " moved there without changing numbers into text",
                hint="write to another destination, or move the rows yourself",
            )
        period = column(PERIOD.name).cast("string")
        others = _sound(raw).filter(~F.coalesce(period.isin(*but), F.lit(False)))
        yield others.withColumn(PERIOD.name, period)


def _sound(raw: Raw) -> DataFrame:
    """The physical columns; a line that cannot be read fails the job."""
    rows = raw.frame
    if raw.broken is not None:
        text = F.lit(f"ROWBOOK DATASOURCE_007: {raw.origin} holds lines that cannot be read")
        fail = F.raise_error(text).cast("boolean")
        rows = rows.filter(F.when(column(raw.broken).isNotNull(), fail).otherwise(F.lit(True)))
    return rows.select(*map(column, raw.columns))
