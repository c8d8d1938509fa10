"""Rows that expectations take out: which they are, and how they are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rowbook.expressions.values import Value, in_order
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.reference.expectations.row_observation import is_visible
from rowbook.reference.working_rows import Row, seen


def places_to_take(
    expectation: Expectation, rows: Sequence[Row], violating: Collection[int]
) -> frozenset[int]:
    """With `whole`, all that share its columns with a row that violates, whether it was looked at
    or not."""
    if not expectation.whole:
        return frozenset(violating)

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(in_order(seen(row[name])) for name in expectation.whole)

    shared = {key(rows[place]) for place in violating}
    return frozenset(
        place
        for place, row in enumerate(rows)
        if (expectation.include_deleted or is_visible(row)) and key(row) in shared
    )


def quarantine_row(
    row: Row, expectation: Expectation, step: OutputStep, context: RunContext
) -> dict[str, Value]:
    """In the order of the table's columns. Rows of other datasets have no ids; a row of another
    period is one of the run's here, so that the next run replaces it."""
    period = row.get(PERIOD.name)
    has_id = expectation.point.kind != "dataset"
    told = {
        "_expectation": expectation.name,
        "_run_id": context.run_id,
        "_dataset": expectation.owner,
        ROW_ID: row.get(ROW_ID) if has_id else None,
        PERIOD.name: period if period in context.periods else context.period.identifier,
    }
    return {name: seen(told[name] if name in told else row.get(name)) for name in step.written}
