"""Reading a large table by several connections at once: which rows each of them reads."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from psycopg import sql

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import TableName
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.errors import quoted
from rowbook.sources.postgres.server_tables import DatabaseTable, TableColumn, primary_key

_BYTES, _ROWS = 64 * 2**20, 1_000_000
"""What one connection reads in a sensible time."""
_MOST = 32

_NUMBER = "min({c})::numeric, max({c})::numeric"
_SECONDS = "extract(epoch FROM min({c}))::numeric, extract(epoch FROM max({c}))::numeric"
_EXTENTS: Mapping[str, str] = {
    **dict.fromkeys(("smallint", "integer", "bigint", "numeric"), _NUMBER),
    **dict.fromkeys(("real", "double precision"), _NUMBER),
    "date": _SECONDS,
    "timestamp without time zone": _SECONDS,
    "timestamp with time zone": _SECONDS,
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS = range(-62_135_596_800, 253_402_300_800)
"""The seconds of the years 1 to 9999."""


def splits(
    connection: Connection, name: TableName, table: DatabaseTable, wanted: str | None, label: str
) -> list[str]:
    """Conditions that divide a table's rows, each row in exactly one; none where one connection is
    enough. `wanted` is the column to divide by, in tables that have it; else the primary key is
    taken if it is one number or date. DATASOURCE_002 where the wanted column is neither."""
    count = min(max(math.ceil(table.size / _BYTES), math.ceil(table.rows / _ROWS)), _MOST)
    column = _column(connection, table, wanted, label)
    if column is None or count < 2:
        return []
    return _conditions(column, _cuts(column, *_extent(connection, name, column), count))


def _column(
    connection: Connection, table: DatabaseTable, wanted: str | None, label: str
) -> TableColumn | None:
    asked = table.column(wanted) if wanted is not None else None
    if asked is not None and asked.kind not in _EXTENTS:
        message = f"{label}: partition_column names '{asked.name}', which is {asked.type}"
        raise RowbookError.of("DATASOURCE_002", message, hint="name a number, date or timestamp")
    if asked is not None:
        return asked
    key = primary_key(connection, table)
    found = table.column(key) if key is not None else None
    return found if found is not None and found.kind in _EXTENTS else None


def _extent(
    connection: Connection, name: TableName, column: TableColumn
) -> tuple[Decimal | None, Decimal | None]:
    ends = sql.SQL(_EXTENTS[column.kind]).format(c=sql.Identifier(column.name))
    query = sql.SQL("SELECT {} FROM {}").format(ends, quoted(name))
    low, high = connection.execute(query).fetchone() or (None, None)
    return low, high


def _cuts(column: TableColumn, low: Decimal | None, high: Decimal | None, count: int) -> list[str]:
    """Where one part ends and the next begins, as the server reads it; none where the values are
    without end (NaN, infinity, years that nobody has), or all the same."""
    if low is None or high is None or not (low.is_finite() and high.is_finite()):
        return []
    first, last = math.floor(low), math.ceil(high)
    if _EXTENTS[column.kind] is _SECONDS and (first not in _YEARS or last not in _YEARS):
        return []
    inner = {first + (last - first) * i // count for i in range(1, count)}
    return [_literal(column, cut) for cut in sorted(inner - {first})]


def _literal(column: TableColumn, cut: int) -> str:
    if _EXTENTS[column.kind] is _NUMBER:
        return str(cut)
    moment = (_EPOCH + timedelta(seconds=cut)).replace(tzinfo=None)
    if column.kind == "date":
        return f"DATE '{moment.date().isoformat()}'"
    zone = "+00" if column.kind.endswith("with time zone") else ""
    return f"{'TIMESTAMPTZ' if zone else 'TIMESTAMP'} '{moment.isoformat(sep=' ')}{zone}'"


def _conditions(column: TableColumn, cuts: Sequence[str]) -> list[str]:
    """The first has the NULLs, the last what is above everything (NaN, infinity)."""
    if not cuts:
        return []
    name = sql.Identifier(column.name).as_string(None)
    between = itertools.pairwise(cuts)
    return [
        f"{name} < {cuts[0]} OR {name} IS NULL",
        *(f"{name} >= {one} AND {name} < {next_}" for one, next_ in between),
        f"{name} >= {cuts[-1]}",
    ]
