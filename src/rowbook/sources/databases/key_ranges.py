"""Reading a large table by several connections at once: which rows each of them reads."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Literal, TypeAlias

from rowbook.errors import RowbookError
from rowbook.sources.databases.output_columns import TableColumn

_BYTES, _ROWS = 64 * 2**20, 1_000_000
"""What one connection reads in a sensible time."""
_MOST = 32
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS = range(-62_135_596_800, 253_402_300_800)
"""The seconds of the years 1 to 9999."""

Scale: TypeAlias = Literal["number", "day", "moment", "instant"]
Extent: TypeAlias = tuple[Decimal | None, Decimal | None]


@dataclass(frozen=True, slots=True)
class Divisible:
    """A table that may be read in parts: `scales` are the kinds of columns that it can be divided
    by, `key` is the column that is its primary key alone, `extent` gives the least and the greatest
    value of a column, days and moments in seconds since 1970."""

    size: int
    rows: int
    columns: Mapping[str, TableColumn]
    scales: Mapping[str, Scale]
    key: Callable[[], str | None]
    extent: Callable[[TableColumn], Extent]


def splits(
    table: Divisible, wanted: str | None, quoted: Callable[[str], str], label: str
) -> tuple[TableColumn | None, list[str]]:
    """The column, and conditions on it that divide the rows, each row in exactly one; none where
    one connection is enough. `wanted` is the column to divide by, in tables that have it; else the
    primary key is taken if it is one number or date. DATASOURCE_002 where the wanted column is
    neither."""
    count = min(max(math.ceil(table.size / _BYTES), math.ceil(table.rows / _ROWS)), _MOST)
    column = _column(table, wanted, label)
    if column is None or count < 2:
        return None, []
    scale = table.scales[column.kind]
    cuts = [_literal(scale, cut) for cut in _cuts(scale, *table.extent(column), count)]
    return column, _conditions(quoted(column.name), cuts)


def _column(table: Divisible, wanted: str | None, label: str) -> TableColumn | None:
    asked = table.columns.get(wanted) if wanted is not None else None
    if asked is not None and asked.kind not in table.scales:
        message = f"{label}: partition_column names '{asked.name}', which is {asked.type}"
        raise RowbookError.of("DATASOURCE_002", message, hint="name a number, date or timestamp")
    if asked is not None:
        return asked
    key = table.key()
    found = table.columns.get(key) if key is not None else None
    return found if found is not None and found.kind in table.scales else None


def _cuts(scale: Scale, low: Decimal | None, high: Decimal | None, count: int) -> list[int]:
    """Where one part ends and the next begins; none where the values are without end (NaN,
    infinity, years that nobody has), or all the same."""
    if low is None or high is None or not (low.is_finite() and high.is_finite()):
        return []
    first, last = math.floor(low), math.ceil(high)
    if scale != "number" and (first not in _YEARS or last not in _YEARS):
        return []
    inner = {first + (last - first) * i // count for i in range(1, count)}
    return sorted(inner - {first})


def _literal(scale: Scale, cut: int) -> str:
    """As servers read it."""
    if scale == "number":
        return str(cut)
    moment = (_EPOCH + timedelta(seconds=cut)).replace(tzinfo=None)
    if scale == "day":
        return f"DATE '{moment.date().isoformat()}'"
    zone = "+00" if scale == "instant" else ""
    return f"{'TIMESTAMPTZ' if zone else 'TIMESTAMP'} '{moment.isoformat(sep=' ')}{zone}'"


def _conditions(name: str, cuts: Sequence[str]) -> list[str]:
    """The first has the NULLs, the last what is above everything (NaN, infinity)."""
    if not cuts:
        return []
    between = itertools.pairwise(cuts)
    return [
        f"{name} < {cuts[0]} OR {name} IS NULL",
        *(f"{name} >= {one} AND {name} < {next_}" for one, next_ in between),
        f"{name} >= {cuts[-1]}",
    ]
