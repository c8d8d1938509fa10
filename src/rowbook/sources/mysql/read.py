"""Reading tables of a database: typed as the server has them, filtered there."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession

from rowbook.locations.identifiers import OWN, TableName
from rowbook.sources.databases.jdbc_frame import jdbc_frame
from rowbook.sources.databases.key_ranges import Divisible, Extent, Scale, splits
from rowbook.sources.databases.output_columns import TableColumn
from rowbook.sources.mysql.column_forms import converted, form_of, selected
from rowbook.sources.mysql.errors import asking, quoted, quoted_label
from rowbook.sources.mysql.mysql_connection import Connection, connected, spark_options
from rowbook.sources.mysql.mysql_server_tables import MysqlRelation, present_table, primary_key
from rowbook.sources.mysql.mysql_tables import MysqlTable
from rowbook.sources.mysql.row_digests import wanted_rows
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column

_DIVISOR = f"{OWN}divisor"
_INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double")
_SCALES: Mapping[str, Scale] = {
    **dict.fromkeys(_INTEGERS, "number"),
    **{f"{kind} unsigned": "number" for kind in _INTEGERS},
    "date": "day",
    "datetime": "moment",
}


def read_table(spark: SparkSession, place: MysqlTable) -> Raw:
    database, name = place.database, place.name
    with asking(database, place.label), connected(database) as connection:
        table = present_table(connection, name, database, place.label)
        divisor = database.options.get("partition_column")
        known = _divisible(connection, name, table)
        by, parts = splits(known, divisor, lambda _: quoted_label(_DIVISOR), place.label)
    frame = _frame(spark, place, table, spark_options(database), by, parts)
    columns = [
        converted(column(f"c{i}"), there, place.label).alias(there.name)
        for i, there in enumerate(table.columns, start=1)
    ]
    never_null = frozenset(there.name for there in table.columns if there.never_null)
    return Raw(frame.select(*columns), place.label, period=place.period, never_null=never_null)


def _divisible(connection: Connection, name: TableName, table: MysqlRelation) -> Divisible:
    def extent(by: TableColumn) -> Extent:
        c = quoted_label(by.name)
        seconds = "CAST(TIMESTAMPDIFF(SECOND, '1970-01-01', {}) AS DECIMAL(20))"
        form = "CAST({} AS DECIMAL(65, 10))" if _SCALES[by.kind] == "number" else seconds
        ends = ", ".join(form.format(f"{end}({c})") for end in ("MIN", "MAX"))
        low, high = connection.one(f"SELECT {ends} FROM {quoted(name)}") or (None, None)
        return low, high

    key = primary_key(connection, name)
    return Divisible(table.size, table.rows, table.by_name, _SCALES, lambda: key, extent)


def _frame(
    spark: SparkSession,
    place: MysqlTable,
    table: MysqlRelation,
    options: dict[str, str],
    by: TableColumn | None,
    parts: list[str],
) -> DataFrame:
    """Columns are numbered: names are ours to quote. Spark's own conditions stay with Spark, since
    the server may take other texts for the same."""
    names = [f"c{i}" for i, _ in enumerate(table.columns, start=1)]
    wanted = [f"{selected(c)} AS {n}" for n, c in zip(names, table.columns, strict=True)]
    if by is not None:
        wanted.append(f"{quoted_label(by.name)} AS {quoted_label(_DIVISOR)}")
    condition = wanted_rows(place.only, table)
    query = f"(SELECT {', '.join(wanted)} FROM {quoted(place.name)}{condition}) r"
    types = [f"{n} {form_of(c).spark}" for n, c in zip(names, table.columns, strict=True)]
    options = {
        **options,
        "dbtable": query,
        "customSchema": ", ".join(types),
        "pushDownPredicate": "false",
    }
    return jdbc_frame(spark, place, options, parts)
