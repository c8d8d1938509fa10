"""The expectations of a run, in words, and where quarantined rows would go."""

from __future__ import annotations

from rowbook.planning.expectations.expectation import Expectation
from rowbook.planning.expectations.expectation_words import expectation_in_words
from rowbook.planning.resolution.destinations import destination_label
from rowbook.planning.steps import OutputStep
from rowbook.runs.run_plan.plan_model import PlannedExpectation, PlannedQuarantine


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


def plan_quarantine(step: OutputStep) -> PlannedQuarantine:
    return PlannedQuarantine(destination_label(step.destination), step.written)
