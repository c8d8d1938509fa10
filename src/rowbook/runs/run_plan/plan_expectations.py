"""The expectations of a run, in words."""

from __future__ import annotations

from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.expectations.expectation_words import expectation_in_words
from rowbook.runs.run_plan.plan_model import PlannedExpectation


def plan_expectation(expectation: Expectation) -> PlannedExpectation:
    point = expectation.point
    return PlannedExpectation(
        expectation.name,
        expectation.owner,
        point.kind,
        point.seq,
        point.label,
        expectation.text,
        expectation.otherwise,
        expectation_in_words(expectation),
    )
