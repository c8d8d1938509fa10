"""Workbooks for Spark, which does not read them: their rows are read and converted here, and handed
over when their types are known."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import SparkSession
from pyspark.sql import types as s

from rowbook.sources.files.excel.plain_rows import read_plain_excel
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.raw import Raw


def read_excel(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    return tuple(
        Raw(
            spark.createDataFrame([], s.StructType([_field(name) for name in table.columns])),
            table.origin,
            period=table.period,
            identity=tuple(each.name for each in table.identity),
            partitions=table.partitions,
            plain=table,
        )
        for table in read_plain_excel(places)
    )


def _field(name: str) -> s.StructField:
    return s.StructField(name, s.StringType())
