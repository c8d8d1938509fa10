"""A table of a database as it can be looked at without Spark: its columns, keys and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rowbook.expressions.values import Value


@dataclass(frozen=True, slots=True)
class TableSample:
    """`types` are those that Spark reads columns as, numeric where it reads texts; `keys` are those
    that the server itself keeps unique. A table of more rows than are wanted is not looked at."""

    label: str
    types: Mapping[str, str]
    never_null: frozenset[str]
    keys: tuple[tuple[str, ...], ...]
    rows: Callable[[], Iterator[tuple[str, Sequence[Value]]]]
    is_looked_at: bool
    notes: tuple[str, ...]
