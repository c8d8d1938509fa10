"""`delete`: SPEC section 5."""

from __future__ import annotations

import pytest

from rowbook.planning.steps import DeleteStep
from tests.support.trial import Trial, delete, project


def test_a_delete_changes_no_column(trial: Trial) -> None:
    plan = trial.plan(project(delete("amount = 0")))
    assert plan.steps[0].columns == plan.columns


def test_a_delete_without_selector_means_all_rows(trial: Trial) -> None:
    step = trial.step("- {seq: 1, name: a, type: delete}")
    assert isinstance(step, DeleteStep)
    assert step.selector is None


@pytest.mark.parametrize("key", ["arguments", "parameters"])
def test_empty_arguments_are_none(key: str, trial: Trial) -> None:
    assert trial.step(f"- {{seq: 1, name: a, type: delete, {key}: {{}}}}").selector is None


@pytest.mark.parametrize("key", ["arguments", "parameters"])
def test_a_delete_takes_no_arguments(key: str, trial: Trial) -> None:
    (found,) = trial.refuses(
        project(f'- {{seq: 1, name: a, type: delete, {key}: ⟦{{selector: "amount = 0"}}}}'),
        "PROJECT_006",
    )
    assert found.message == "a delete takes no arguments"


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        ("⟦amout = 0", "EXPR_002"),
        ("⟦fx.rate = 0", "EXPR_003"),
        ("⟦amount = 'x'", "EXPR_004"),
        ("⟦NOPE()", "EXPR_005"),
        ("⟦COUNT(*) > 1", "EXPR_007"),
        ("amount = 0 AND⟦", "EXPR_001"),
        ("⟦currency", "SELECTOR_003"),
        ("⟦{{nope}}", "SELECTOR_001"),
    ],
)
def test_faults_of_the_selector(selector: str, code: str, trial: Trial) -> None:
    trial.refuses(project(delete(selector)), code)


def test_a_condition_that_is_always_null_is_a_condition(trial: Trial) -> None:
    assert trial.step(delete("NULL")).selector is not None


def test_only_lookups_that_are_mentioned_are_joined(trial: Trial) -> None:
    assert trial.step(delete("amount = 0")).joins == ()
    step = trial.step(delete("accounts.group_code IS NULL"))
    assert [join.alias for join in step.joins] == ["accounts"]


def test_a_selector_left_empty_is_refused_rather_than_taken_for_all_rows(trial: Trial) -> None:
    (found,) = trial.refuses(project("- {seq: 1, name: a, type: delete, ⟦selector: }"), "YAML_004")
    assert found.message == "'selector' is empty"
