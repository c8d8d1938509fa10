"""What planning an operation needs to know of its project: joins in use, columns by reference."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound
from tests.support.trial import Trial, aggregate, delete, output, project, update


@pytest.mark.parametrize(
    "operation", [update(made="1"), aggregate(n="COUNT(*)"), delete("posted"), output()]
)
def test_a_lookup_is_joined_only_where_it_is_mentioned(operation: str, trial: Trial) -> None:
    assert trial.step(operation).joins == ()


def test_what_a_lookup_builds_on_is_joined_with_it(trial: Trial) -> None:
    step = trial.step(update(made="groups.title"))
    assert [join.alias for join in step.joins] == ["accounts", "groups"]
    assert bound.columns(step.joins[1].condition) == {
        ("accounts", "group_code"),
        ("groups", "group_code"),
    }


def test_a_lookup_is_mentioned_through_a_named_selector_too(trial: Trial) -> None:
    plan = trial.plan(
        project(delete("{{revenue}}"), more="selectors: {revenue: \"groups.title = 'Revenue'\"}")
    )
    assert [join.alias for join in plan.steps[0].joins] == ["accounts", "groups"]
