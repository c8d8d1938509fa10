"""What a value depends on: columns of datasets, each in which way, and by which operations."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from rowbook.value_class import dataclass

Kind: TypeAlias = Literal[
    "identity",
    "transformation",
    "aggregation",
    "join",
    "group by",
    "filter",
    "sort",
    "window",
    "conditional",
]
DIRECT: tuple[Kind, ...] = ("identity", "transformation", "aggregation")
"""A value is made of the column; each hides those before it. The others only decide which value or
row there is."""


@dataclass(frozen=True, slots=True)
class SourceColumn:
    dataset: str
    column: str

    def __str__(self) -> str:
        return f"{self.dataset}.{self.column}"


Influences: TypeAlias = Mapping[tuple[SourceColumn, Kind], frozenset[int]]
"""With the operations on the way from the column, by seq."""

NOTHING: Influences = MappingProxyType({})


def read_from(dataset: str, column: str, kind: Kind = "identity") -> Influences:
    return {(SourceColumn(dataset, column), kind): frozenset()}


def merged(*found: Influences) -> Influences:
    some = [each for each in found if each]
    if len(some) < 2:
        return some[0] if some else NOTHING
    together = dict(some[0])
    for each in some[1:]:
        for key, operations in each.items():
            known = together.get(key)
            together[key] = operations if known is None else known | operations
    return together


def used_as(found: Influences, kind: Kind) -> Influences:
    """What comes of values that are used in a way: whoever decides by a sum decides by what was
    summed; a sum of what somebody decided on still depends on that decision."""
    if kind == "identity":
        return found
    together: dict[tuple[SourceColumn, Kind], frozenset[int]] = {}
    for (source, before), operations in found.items():
        key = source, composed(before, kind)
        together[key] = together.get(key, frozenset()) | operations
    return together


def composed(before: Kind, kind: Kind) -> Kind:
    """How a value depends on a column, of whose values it was made in one way and then another."""
    if kind not in DIRECT:
        return kind
    if before not in DIRECT:
        return before
    return DIRECT[max(DIRECT.index(before), DIRECT.index(kind))]


def at_operation(found: Influences, seq: int) -> Influences:
    own = frozenset({seq})
    return {key: operations | own for key, operations in found.items()}
