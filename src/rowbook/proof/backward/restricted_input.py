"""The rows of the input that a question is about, of all that were read without Spark."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rowbook.expressions.values import in_order
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.used_datasets import datasets_beside_input
from rowbook.reference.computation import Computation, Source
from rowbook.reference.loading.dataset_rows import LoadedRows, SourceTables, load
from rowbook.reference.row_subset import RowSubset
from rowbook.reference.start import start
from rowbook.reference.subset_rows import places_of


def restricted_input(
    plan: ProjectPlan, context: RunContext, source: Source, subset: RowSubset
) -> SourceTables:
    """Rows that are told apart by what they hold are taken all or none: which is which depends on
    how many there are."""
    tables = source(plan.input)
    environment = Computation(plan, context, source).environment
    loaded = load(plan.input, tables, context, keep_deleted=True)
    rows = start(loaded, plan.columns, environment).rows
    found = {
        loaded.positions[i]
        for i in _with_equals(places_of(rows, subset.input, environment), loaded)
    }
    kept = tuple(
        table.only([i for i in range(len(table.rows)) if (place, i) in found])
        for place, table in enumerate(tables.tables)
    )
    return replace(tables, tables=kept, expected={})


def reads_input_again(plan: ProjectPlan) -> bool:
    """Whether the input is joined or appended too: then all of its rows are needed."""
    own = plan.input.id, plan.input.version
    return any((each.id, each.version) == own for each in datasets_beside_input(plan))


def _with_equals(places: list[int], loaded: LoadedRows) -> list[int]:
    if loaded.unique:
        return places

    def content(place: int) -> tuple[Any, ...]:
        return tuple(map(in_order, loaded.identities[place]))

    wanted = {content(place) for place in places}
    return [place for place in range(len(loaded.rows)) if content(place) in wanted]
