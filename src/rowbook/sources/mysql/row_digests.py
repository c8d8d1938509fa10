"""What identifies the rows of a table, and the rows themselves as evidence.

The server counts no changes of a table, so it is asked for a digest of the rows: how many, how many
bytes, and the sums of two halves of a hash of each. That reads all of them, at the server.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.sources.contents import Content
from rowbook.sources.databases.database import unusable
from rowbook.sources.databases.output_columns import TableColumn
from rowbook.sources.mysql.column_forms import LONG_TEXTS, digest_form, form_of, selected
from rowbook.sources.mysql.errors import quoted, quoted_label
from rowbook.sources.mysql.mysql_connection import Connection
from rowbook.sources.mysql.mysql_server_tables import MysqlRelation
from rowbook.sources.mysql.mysql_tables import MysqlTable

if TYPE_CHECKING:
    import pyarrow as pa

_HALF = "COALESCE(SUM(CAST(CONV(SUBSTRING(`hash`, {}, 16), 16, 10) AS UNSIGNED)), 0)"
_ALL = 2**64 - 1
"""With a limit, the server computes each hash once, and not at each place that names it."""
_ARROW = {
    "string": "string",
    "binary": "binary",
    "bigint": "int64",
    "int": "int32",
    "double": "float64",
}


@dataclass(frozen=True, slots=True)
class MysqlReading:
    """In the transaction of a connection."""

    connection: Connection
    table: MysqlTable
    found: MysqlRelation

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.found.columns)

    def content(self) -> Content:
        texts = [digest_form(column) for column in self.found.columns]
        # A text of several may be longer than the server makes one: then it would be NULL.
        parts = [
            f"COALESCE(MD5({text}), 'N')" if column.kind in LONG_TEXTS else f"QUOTE({text})"
            for column, text in zip(self.found.columns, texts, strict=True)
        ]
        size = " + ".join(f"COALESCE(LENGTH({text}), 0)" for text in texts)
        rows = (
            f"SELECT MD5(CONCAT_WS(',', {', '.join(parts)})) AS `hash`, {size} AS `bytes`"
            f" FROM {quoted(self.table.name)}{wanted_rows(self.table.only, self.found)}"
            f" LIMIT {_ALL}"
        )
        sums = ", ".join(_HALF.format(first) for first in (1, 17))
        query = f"SELECT COUNT(*), COUNT(`hash`), COALESCE(SUM(`bytes`), 0), {sums} FROM ({rows}) r"
        count, hashed, size_, one, other = self.connection.one(query) or (0, 0, 0, 0, 0)
        if count != hashed:
            said = "it holds rows that are longer than the server's max_allowed_packet"
            raise unusable(self.table.database, self.table.label, said)
        return Content(self.table.label, int(size_), digest=f"rows:{count}.{one}.{other}")

    def digest(self) -> str | None:
        return (self.table.content or self.content()).digest

    def rows_fingerprint(self) -> str:
        return self.content().digest or ""

    def write_rows(self, to: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = ", ".join(selected(column) for column in self.found.columns)
        query = f"SELECT {columns} FROM {quoted(self.table.name)}"
        rows = self.connection.rows(query + wanted_rows(self.table.only, self.found))
        arrays = [
            _array([row[place] for row in rows], column)
            for place, column in enumerate(self.found.columns)
        ]
        pq.write_table(pa.table(arrays, names=list(self.columns)), to)


def wanted_rows(only: Mapping[str, Collection[str]], found: MysqlRelation) -> str:
    """A condition to put behind a query of the table. Texts are the same if their bytes are: the
    column's collation may take others for the same, and finds them by its index, if there is
    one."""
    conditions = [
        f"{quoted_label(name)} IN ({_texts(values)}) AND {same_text(name, values)}"
        for name, values in only.items()
        if name in found.by_name
    ]
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def same_text(name: str, values: Collection[str]) -> str:
    literals = ", ".join(f"X'{value.encode().hex()}'" for value in sorted(values))
    return f"CAST(CONVERT({quoted_label(name)} USING utf8mb4) AS BINARY) IN ({literals or 'NULL'})"


def _texts(values: Collection[str]) -> str:
    return ", ".join(f"_utf8mb4 X'{value.encode().hex()}'" for value in sorted(values)) or "NULL"


def _array(values: list[object], column: TableColumn) -> pa.Array:
    """As Spark would have them; as they came where one of them is none of its type."""
    import pyarrow as pa

    form = form_of(column)
    if form.to is not None:
        came = pa.array(values, pa.type_for_alias(_ARROW[form.spark]))
        typed = {
            "boolean": pa.bool_(),
            "date": pa.date32(),
            "timestamp_ntz": pa.timestamp("us"),
            "timestamp": pa.timestamp("us", "UTC"),
        }
        if form.to == "boolean" and not {*values} <= {0, 1, None}:
            return came
        try:
            return came.cast(typed[form.to])
        except pa.ArrowInvalid:
            return came
    if form.spark.startswith("decimal"):
        precision, scale = form.spark.removeprefix("decimal(").rstrip(")").split(",")
        return pa.array(values, pa.decimal128(int(precision), int(scale)))
    return pa.array(values, pa.type_for_alias(_ARROW[form.spark]))
