"""Which columns of which datasets the columns of a project's outputs come from, and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rowbook.lineage.influences import DIRECT, Influences, Kind, SourceColumn, merged
from rowbook.lineage.row_classes import BirthClass
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ColumnSource:
    """A column that something comes from; `operations` are those of the project on the way, by seq.
    `through` are the datasets on the way that other projects register, the nearest first."""

    dataset: str
    column: str
    kind: Kind
    operations: tuple[int, ...]
    through: tuple[str, ...] = ()

    @property
    def is_direct(self) -> bool:
        """Values are made of it; else it only decides which there are."""
        return self.kind in DIRECT

    @property
    def key(self) -> SourceColumn:
        return SourceColumn(self.dataset, self.column)


@dataclass(frozen=True, slots=True)
class ColumnLineage:
    """`operations` are those that give the column a value."""

    column: str
    sources: tuple[ColumnSource, ...]
    operations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClassLineage:
    """Of rows of one birth. `rows` are columns that decide which rows there are: all columns
    depend on them."""

    birth: BirthClass
    columns: tuple[ColumnLineage, ...]
    rows: tuple[ColumnSource, ...]


@dataclass(frozen=True, slots=True)
class OutputLineage:
    """`table` is the destination as it is written; `dataset` what it is registered as."""

    seq: int
    name: str
    table: str
    dataset: str | None
    columns: tuple[ColumnLineage, ...]
    rows: tuple[ColumnSource, ...]
    births: tuple[ClassLineage, ...]

    @property
    def label(self) -> str:
        return self.dataset or self.table

    def column(self, name: str) -> ColumnLineage | None:
        return next((each for each in self.columns if each.column == name), None)


@dataclass(frozen=True, slots=True)
class ProjectLineage:
    """`reads` are the datasets that outputs depend on or might, the input first."""

    project: str
    reads: tuple[str, ...]
    outputs: tuple[OutputLineage, ...]


def listed(found: Influences) -> tuple[ColumnSource, ...]:
    sources = (
        ColumnSource(source.dataset, source.column, kind, tuple(sorted(operations)))
        for (source, kind), operations in found.items()
    )
    return in_order(sources)


def in_order(sources: Iterable[ColumnSource]) -> tuple[ColumnSource, ...]:
    """Direct ones first; then by name."""
    return tuple(sorted(sources, key=lambda e: (not e.is_direct, e.dataset, e.column, e.kind)))


def column_lineage(column: str, found: Influences, operations: Iterable[int]) -> ColumnLineage:
    return ColumnLineage(column, listed(found), tuple(sorted(operations)))


def influences_of(sources: Sequence[ColumnSource]) -> Influences:
    return merged(*({(each.key, each.kind): frozenset(each.operations)} for each in sources))
