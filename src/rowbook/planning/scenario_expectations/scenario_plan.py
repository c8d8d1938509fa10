"""The plan of a scenario: with the expectations that it looks at."""

from __future__ import annotations

from rowbook.definitions.models.scenario import ExpectedResult, ExpectedVerdict
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.project_plan import ProjectPlan


def plan_for(plan: ProjectPlan, expect: ExpectedResult) -> ProjectPlan:
    """With those that it names, and those that quarantine rows."""
    if expect.looks_at_all or not plan.expectations:
        return plan
    return only_quarantines(plan, [each for each in plan.expectations if is_named(expect, each)])


def is_named(expect: ExpectedResult, expectation: Expectation) -> bool:
    return any(is_meant(each, *expectation.key) for each in expect.named_verdicts)


def is_meant(expected: ExpectedVerdict, owner: str | None, name: str) -> bool:
    return expected.name == name and expected.dataset in (None, owner)
