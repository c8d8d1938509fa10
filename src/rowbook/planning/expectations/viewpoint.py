"""What an expectation sees: the rows of a point with their columns and lookups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.definitions.place import Place
from rowbook.expressions.binding.foreign_words import column_hint
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.planning.columns import is_system
from rowbook.planning.datasets import Dataset, Join, lookups_of
from rowbook.planning.definitions.lookup import DefinitionLookup
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.findings import Findings
from rowbook.planning.operations.context import column_of
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """`joins` are the lookups that expressions may use here."""

    point: CheckPoint
    scope: Scope
    joins: tuple[Join, ...]
    natural_key: tuple[str, ...] = ()

    @property
    def fields(self) -> Mapping[str, Field]:
        return self.scope.main.fields

    def columns(
        self, references: Sequence[str], place: Place, code: str, findings: Findings
    ) -> tuple[str, ...]:
        """Columns of the rows by name: EXPR_002 for one that is not there, `code` for one that
        stands twice."""
        chosen: dict[str, None] = {}
        for i, reference in enumerate(references):
            alias, column = column_of(reference, self.scope.main_name)
            is_unknown = column not in self.fields and self.scope.main.complete
            if is_unknown or (alias is not None and self.scope.main_name is not None):
                findings.add(
                    place.at(i),
                    "EXPR_002",
                    f"unknown column '{reference}'",
                    column_hint(column, business_names(self.scope.main)),
                )
            elif column in chosen:
                findings.add(place.at(i), code, f"column '{column}' stands twice")
            else:
                chosen[column] = None
        return tuple(chosen)


def business_names(table: Table) -> tuple[str, ...]:
    return tuple(name for name in table.fields if not is_system(name))


def dataset_viewpoint(dataset: Dataset, point: CheckPoint, known: DefinitionLookup) -> Viewpoint:
    """The rows of a dataset as they are loaded; parameters and named selectors are a project's."""
    lookups = lookups_of(dataset, known)[0]
    scope = lookups.extend(Scope(dataset.readable, dataset.table_name))
    return Viewpoint(point, scope, lookups.joins, dataset.definition.natural_key_columns)
