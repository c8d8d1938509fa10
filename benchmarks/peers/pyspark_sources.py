"""Writing and reading tables in PySpark, as a good engineer does: a period is replaced by Spark's
dynamic overwrite, by Delta's `replaceWhere`, or by deleting its rows and inserting in batches; what
is read has its schema given, and text that does not fit it is an error.

None of the writes but Delta's is all or nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from psycopg import sql
from pyspark.sql import functions as F

from benchmarks.postgres import make_table
from benchmarks.sources_task import COLUMNS, NAMES, PERIOD_COLUMN, Folder, FolderKind, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from benchmarks.sources_task import Relation

_SCHEMA = ", ".join(
    [
        *(f"{c.name} {'bigint' if c.type == 'integer' else c.type}" for c in COLUMNS),
        f"{PERIOD_COLUMN} string",
    ]
)
_IN_DATABASE = {
    "string": "text",
    "integer": "bigint",
    "date": "date",
    "timestamp": "timestamp with time zone",
    "decimal(18,2)": "numeric(18,2)",
}
_WRITING: dict[FolderKind, dict[str, str]] = {"csv": {"header": "true"}}
_READING: dict[FolderKind, dict[str, str]] = {
    "csv": {"header": "true", "mode": "FAILFAST"},
    "json": {"mode": "FAILFAST"},
}
_DRIVER = "org.postgresql.Driver"
_ROWS_AT_ONCE = "10000"


def make_relation(table: Relation) -> None:
    """The table that rows go into; Spark itself would choose other types."""
    columns = {column.name: _IN_DATABASE[column.type] for column in COLUMNS}
    make_table(table.server, table.name, {**columns, PERIOD_COLUMN: _IN_DATABASE["string"]})


def replace_period(frame: DataFrame, table: Table, period: str) -> None:
    """Rows of a period in place of those that the table has."""
    if not isinstance(table, Folder):
        _insert(frame, table, period)
        return
    writer = frame.write.format(table.kind).mode("overwrite").partitionBy(PERIOD_COLUMN)
    if table.kind == "delta":
        writer = writer.option("replaceWhere", f"{PERIOD_COLUMN} = '{period}'")
    else:
        writer = writer.option("partitionOverwriteMode", "dynamic")
    writer.options(**_WRITING.get(table.kind, {})).save(str(table.path))


def period_of(spark: SparkSession, table: Table, period: str) -> DataFrame:
    """The rows of a period."""
    return _rows(spark, table).where(F.col(PERIOD_COLUMN) == period).select(*NAMES)


def files_of(spark: SparkSession, table: Folder, period: str) -> list[Path]:
    """The files that the rows of a period are in now."""
    found = [Path(unquote(urlsplit(uri).path)) for uri in _rows(spark, table).inputFiles()]
    folders = {f"{PERIOD_COLUMN}={period}", f"period={period}"}
    return [path for path in found if folders & {*path.parts}]


def _rows(spark: SparkSession, table: Table) -> DataFrame:
    if not isinstance(table, Folder):
        server = table.server
        return spark.read.jdbc(server.url, table.name, properties=_properties(table, "fetchsize"))
    reader = spark.read.format(table.kind).options(**_READING.get(table.kind, {}))
    if table.kind != "delta":
        reader = reader.schema(_SCHEMA)
    return reader.load(str(table.path))


def _insert(frame: DataFrame, table: Relation, period: str) -> None:
    query = sql.SQL("DELETE FROM {} WHERE {} = %s")
    name, column = sql.Identifier(table.name), sql.Identifier(PERIOD_COLUMN)
    with table.server.connect() as connection:
        connection.execute(query.format(name, column), (period,))
    url = f"{table.server.url}?reWriteBatchedInserts=true"
    frame.write.jdbc(url, table.name, mode="append", properties=_properties(table, "batchsize"))


def _properties(table: Relation, limit: str) -> dict[str, str]:
    server = table.server
    return {
        "driver": _DRIVER,
        "user": server.user,
        "password": server.password,
        limit: _ROWS_AT_ONCE,
    }
