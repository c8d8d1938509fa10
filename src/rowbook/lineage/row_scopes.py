"""Rows as they are read: what decides which rows of a dataset a run sees, and what joins find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from rowbook.expressions.bound import Column, Constant
from rowbook.lineage.expression_sources import sources
from rowbook.lineage.influences import Influences, merged, read_from, used_as
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset, Join
from rowbook.value_class import dataclass

DatasetFilters: TypeAlias = Callable[[Dataset], Influences]


def load_filters(dataset: Dataset) -> Influences:
    """The columns by which rows are of the period, valid, and not deleted."""
    table = dataset.definition.main_table
    names: tuple[str, ...] = ()
    match table.temporal_mode:
        case "period":
            names = (dataset.period_from or PERIOD.name,)
        case "bitemporal":
            names = dataset.validity or ()
    if any(field.name == "_deleted" for field in dataset.fields):
        names = (*names, "_deleted")
    return merged(*(read_from(dataset.source_name, name, "filter") for name in names))


def column_of(dataset: Dataset, name: str) -> Influences:
    """A column as it is read; the period of rows that a date says is made of that date."""
    if name == PERIOD.name and dataset.period_from:
        return read_from(dataset.source_name, dataset.period_from, "transformation")
    return read_from(dataset.source_name, name)


@dataclass(frozen=True)
class RowScope:
    """What expressions see of a row: its own columns, those that joins find, values of windows."""

    own: Callable[[str], Influences]
    constant: Callable[[Column], Constant | None]
    joins: Mapping[str, Join]
    filters: DatasetFilters
    windows: Mapping[tuple[str, str], Influences]

    @classmethod
    def of(
        cls,
        own: Callable[[str], Influences],
        constant: Callable[[Column], Constant | None],
        joins: Iterable[Join],
        filters: DatasetFilters,
        windows: Mapping[tuple[str, str], Influences] | None = None,
    ) -> RowScope:
        return cls(own, constant, {each.alias: each for each in joins}, filters, windows or {})

    def read(self, column: Column) -> Influences:
        alias, name = column.source, column.name
        if alias is None:
            return self.own(name)
        if (alias, name) in self.windows:
            return self.windows[alias, name]
        return merged(column_of(self.joins[alias].dataset, name), self.match(alias))

    def match(self, alias: str) -> Influences:
        """What decides which row a join finds."""
        join = self.joins[alias]

        def read(column: Column) -> Influences:
            return (
                column_of(join.dataset, column.name)
                if column.source == alias
                else self.read(column)
            )

        found = sources(join.condition, read)
        return merged(used_as(found, "join"), self.filters(join.dataset))


def dataset_scope(dataset: Dataset, joins: Iterable[Join], filters: DatasetFilters) -> RowScope:
    """Rows of a dataset, nothing of which is known before they are read."""
    return RowScope.of(lambda name: column_of(dataset, name), lambda _: None, joins, filters)
