"""What a session's catalog has under a name: its rows, and what tells that they are the same.

A table in files is told by these: path, size and time of each, and how many rows it gives, which
also tells rows that were marked as deleted; columnar files are not read for it. Of anything else,
such as a view, the rows themselves are digested, which reads them all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import AtomicType, StringType, VariantType

from rowbook.errors import RowbookError
from rowbook.sources.contents import Content
from rowbook.sources.raw import Raw
from rowbook.sources.spark_catalog.catalog_table import CatalogState, CatalogTable
from rowbook.spark.causes import innermost_cause, is_spark_failure
from rowbook.spark.column_names import column

_SIZED = ("_metadata.file_path", "_metadata.file_size", "_metadata.file_modification_time")
_FILE_COLUMNS = (_SIZED, ("_file",))
"""Of Spark's own formats and Delta; of Iceberg, whose files never change."""
_ALL_PARTITIONS = "spark.sql.hive.metastorePartitionPruningFallbackOnException"
"""A Hive metastore has no filter for names like `_period`: Spark picks partitions itself then."""
_HINT = (
    "name it as table, schema.table or catalog.schema.table. A session that Rowbook starts knows"
    " no tables, unless `engine.conf` says which catalog it has"
)

_READ_HINT = "see whether the session has what its catalog and its files need, and may read them"


def read_table(spark: SparkSession, table: CatalogTable) -> Raw:
    """Rows are told apart by their content."""
    with _saying_why(table):
        return Raw(_frame(spark, table), table.label, period=table.period)


def table_state(spark: SparkSession, table: CatalogTable) -> CatalogState:
    """As it is now, whatever the session remembers of it. DATASOURCE_006 where there is none."""
    with _saying_why(table):
        frame = _frame(spark, table)
        files = _files(frame)
        if files is not None:
            size, digest = files
        else:
            size, digest = 0, _digest(_row_digest(frame))
        columns = tuple(frame.columns)
        return CatalogState(columns, Content(table.label, size, digest=digest))


def _frame(spark: SparkSession, table: CatalogTable) -> DataFrame:
    """A name that the catalog has not would be looked for as a path."""
    if not spark.catalog.tableExists(table.quoted):
        message = f"there is no table {table.label} in the catalog of the session"
        raise RowbookError.of("DATASOURCE_006", message, hint=_HINT)
    spark.conf.set(_ALL_PARTITIONS, "true")
    spark.catalog.refreshTable(table.quoted)
    frame = spark.table(table.quoted)
    types = {field.name: field.dataType for field in frame.schema}
    for each in spark.catalog.listColumns(table.quoted) if table.only else ():
        wanted = table.only.get(each.name)
        if each.isPartition and wanted is not None and types[each.name] == StringType():
            frame = frame.where(column(each.name).isin(*wanted))
    return frame


def _files(frame: DataFrame) -> tuple[int, str] | None:
    """The size of all files, 0 where nobody knows, and a digest of what they are; None where rows
    do not say which file they are from."""
    for names in _FILE_COLUMNS:
        if names[0].split(".")[0] in frame.columns:
            continue
        try:
            texts = (F.col(name).cast("string") for name in names)
            grouped = frame.groupBy(*texts).count()
            grouped.schema  # noqa: B018 - at a remote, the first question about the columns
        except Exception as cause:
            if not is_spark_failure(cause):
                raise
            continue
        found = [tuple(row) for row in grouped.collect()]
        size = sum(int(row[1]) for row in found) if names == _SIZED else 0
        return size, _digest(sorted(map(str, found)))
    return None


def _row_digest(frame: DataFrame) -> list[str]:
    """The same for the same rows in any order."""
    values = [_hashable(frame, name) for name in frame.columns]
    marked = [part for value in values for part in (value, value.isNull())]
    sums = (F.sum(F.xxhash64(F.lit(salt), *marked).cast("decimal(20,0)")) for salt in "ab")
    (found,) = frame.agg(F.count(F.lit(1)), *sums).collect()
    return [str(value) for value in found]


def _hashable(frame: DataFrame, name: str) -> Column:
    kind = frame.schema[name].dataType
    is_plain = isinstance(kind, AtomicType) and not isinstance(kind, VariantType)
    return column(name) if is_plain else F.to_json(F.struct(column(name)))


def _digest(parts: list[str]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@contextmanager
def _saying_why(table: CatalogTable) -> Iterator[None]:
    try:
        yield
    except Exception as cause:
        if not is_spark_failure(cause):
            raise
        message = f"{table.label} cannot be read: {innermost_cause(cause).text}"
        raise RowbookError.of("DATASOURCE_007", message, hint=_READ_HINT) from cause
