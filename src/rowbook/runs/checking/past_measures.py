"""What expectations measured in the period before, for those that compare themselves with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from rowbook.periods import period_at
from rowbook.planning.expectations.expectation_plan import Expectation, GroupCondition
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext

if TYPE_CHECKING:
    from rowbook.store import Store

PastMeasures: TypeAlias = Mapping[tuple[str | None, str], Mapping[str, Any]]
"""Measures as verdicts have them, by the key of the expectation."""


def past_measures(
    plan: ProjectPlan, context: RunContext, find_store: Callable[[], Store | None]
) -> PastMeasures:
    """Of the last completed run of the project that was no draft, for the previous period of its
    calendar. The store is asked only where an expectation wants them."""
    if not any(map(_looks_back, plan.expectations)):
        return {}
    before, store = period_at(context.calendar, context.period, -1), find_store()
    if before is None or store is None:
        return {}
    found = store.runs.past_expectations(context.project_id, period=before.identifier)
    return {
        (verdict["owner"], verdict["name"]): verdict["measures"]
        for past in found
        for verdict in past.verdicts
    }


def _looks_back(expectation: Expectation) -> bool:
    condition = expectation.condition
    if not isinstance(condition, GroupCondition) or condition.against is None:
        return False
    return condition.against.point is None
