"""What is looked at: one table, as rows that can be gone through more than once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from rowbook.expressions.values import Value
from rowbook.value_class import dataclass

Rows: TypeAlias = Iterator[tuple[str, Sequence[Value]]]
"""Each with its place, as file and line."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a data source, and what was seen that says so."""

    value: str | int | bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class SourceProposal:
    """A data source to be defined; one that is there already has a name."""

    type: Literal["csv", "json", "parquet", "orc", "delta", "jdbc", "excel"]
    options: Mapping[str, Option] = field(default_factory=dict)
    existing: str | None = None


@dataclass(frozen=True, slots=True)
class Extract:
    """`headers` are the physical names of columns, `types` their physical types where they have
    some, as Spark's SQL names them; else all values are texts. `place` is where a resolver rule
    finds it, below the data source. `forms`: its texts may be written in forms of their own.
    `never_null` are columns that cannot hold NULL; `keys` are those that the source itself has.
    `by_position`: columns have no names in the source; `are_cells`: each value is of a type of its
    own."""

    name: str
    label: str
    source: SourceProposal
    place: str
    is_table: bool
    headers: tuple[str, ...]
    rows: Callable[[], Rows]
    types: Mapping[str, str] | None = None
    never_null: frozenset[str] = frozenset()
    keys: tuple[tuple[str, ...], ...] = ()
    by_position: bool = False
    are_cells: bool = False
    notes: tuple[str, ...] = ()
    is_looked_at: bool = True
    """False: its rows were not gone through, there are too many or only Spark reads them."""
