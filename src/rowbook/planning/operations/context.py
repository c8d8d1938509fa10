"""What planning an operation needs to know of its project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from rowbook.definitions.models.project import AnyProject
from rowbook.definitions.place import Place
from rowbook.expressions.bound import Bound, Parameter, columns
from rowbook.expressions.scope import SPELLINGS, Scope
from rowbook.expressions.selectors import Selectors
from rowbook.planning.columns import Columns
from rowbook.planning.datasets import Dataset, Join, Lookups
from rowbook.planning.definitions.lookup import DefinitionLookup
from rowbook.planning.findings import Findings
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Context:
    """One project being planned. `sandbox` is set where data comes from a scenario: resolvers and
    data sources then need not exist."""

    project: AnyProject
    known: DefinitionLookup
    findings: Findings
    input: Dataset | None
    lookups: Lookups
    selectors: Selectors
    sandbox: bool = False
    registered_by: Mapping[str, str] = field(default_factory=dict)
    """Datasets that projects of the workspace register when they run: name → project."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def scope(self, at: Columns) -> Scope:
        main_name = self.input.table_name if self.input else None
        scope = Scope(at.table, main_name, selectors=self.selectors, parameters=self.parameters)
        return self.lookups.extend(scope)


@dataclass(frozen=True, slots=True)
class OperationPlace:
    place: Place
    before: Columns

    @property
    def arguments(self) -> Place:
        canonical = self.place.at("arguments")
        return canonical if canonical.exists else self.place.at("parameters")


def used_joins(available: Iterable[Join], trees: Iterable[Bound | None]) -> tuple[Join, ...]:
    """Those joins that the expressions mention, and the ones those build on, in order."""
    joins = tuple(available)
    wanted = {source for tree in trees if tree is not None for source, _ in columns(tree)}
    for join in reversed(joins):
        if join.alias in wanted:
            wanted |= {source for source, _ in columns(join.condition)}
    return tuple(join for join in joins if join.alias in wanted)


def column_of(reference: str, table: str | None) -> tuple[str | None, str]:
    """A column reference `table.column` or `column` as (alias, column); None is the dataset."""
    qualifier, dot, column = reference.rpartition(".")
    alias = qualifier if dot and qualifier != table else None
    return alias, SPELLINGS.get(column, column)
