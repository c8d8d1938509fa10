"""What REQUIREs of an update ask for, and what is said of rows that do not have it."""

from __future__ import annotations

from rowbook.planning.operations.required_values import requirements_of, unmet_requirement
from rowbook.planning.steps import UpdateStep
from tests.support.trial import Trial, aggregate, delete, project, update


def planned(trial: Trial, operation: str) -> UpdateStep:
    step = trial.step(operation)
    assert isinstance(step, UpdateStep)
    return step


def test_only_values_that_must_be_there_are_required(trial: Trial) -> None:
    asked = update(a="currency", b="REQUIRE(currency)", c="IF(posted, REQUIRE(weight), 1)")
    step = planned(trial, asked)
    assert [each.column for each in requirements_of(step)] == ["b", "c"]


def test_rows_are_told_by_the_natural_key_and_by_what_was_looked_at(trial: Trial) -> None:
    step = planned(trial, update(a="REQUIRE(CONCAT(currency, accounts.group_code))"))
    (requirement,) = requirements_of(step)
    shown = [(each.source, each.name) for each in requirement.shown]
    assert shown == [
        (None, "journal_id"),
        (None, "line_number"),
        (None, "currency"),
        ("accounts", "group_code"),
    ]


def test_the_message_says_how_many_and_shows_some(trial: Trial) -> None:
    step = planned(trial, update(a="REQUIRE(currency)"))
    (requirement,) = requirements_of(step)
    long = "x" * 70
    found = unmet_requirement(step, requirement, 1200, [("J1", "1", None), (long, "2", "a\nb")])
    assert found.code == "RUN_013"
    assert str(found.operation) == "operation 1 'update'"
    assert found.message == (
        "REQUIRE finds no value for column 'a' on 1,200 rows: journal_id = 'J1', line_number = '1',"
        f" currency = NULL; journal_id = '{'x' * 60}…', line_number = '2', currency = 'a\\nb' …"
    )


def test_conditions_and_aggregates_require_nothing(trial: Trial) -> None:
    trial.refuses(project(delete("⟦REQUIRE(currency) = 'EUR'")), "EXPR_007")
    trial.refuses(project(aggregate(amount="SUM(⟦REQUIRE(amount))")), "EXPR_007")
    trial.refuses(project(update(selector="⟦REQUIRE(posted)", a="1")), "EXPR_007")


def test_a_required_value_leaves_a_column_without_nulls(trial: Trial) -> None:
    step = planned(trial, update(amount="REQUIRE(TO_DECIMAL(currency, 18, 2))"))
    assert not step.columns.fields["amount"].nullable
