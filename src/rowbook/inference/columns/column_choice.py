"""A column as it is proposed: its type and nullability, and what was seen that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from rowbook.expressions.types import Type
from rowbook.value_class import dataclass


class ValueCounts(Protocol):
    """Of a column: how many rows, NULLs and empty texts."""

    @property
    def rows(self) -> int: ...

    @property
    def nulls(self) -> int: ...

    @property
    def empty(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """`options` say how this column is written, where that is not as its source says; `empty` are
    texts without a character, which are no values of any type but string."""

    type: Type
    evidence: str
    rows: int
    nulls: int
    empty: int = 0
    options: Mapping[str, str] = field(default_factory=dict)

    def nullable(self, *, empty_is_null: bool) -> bool:
        return self.nulls + (self.empty if empty_is_null else 0) > 0 or self.rows == 0


def counted(kind: Type, values: int, of: ValueCounts) -> str:
    """`decimal(18,2): 199,998 of 200,000, 2 empty`."""
    if not of.rows:
        return f"{kind}: as the source says"
    none = of.nulls + of.empty
    if not none:
        return f"{kind}: all {of.rows:,}"
    return f"{kind}: {values:,} of {of.rows:,}, {none:,} empty"
