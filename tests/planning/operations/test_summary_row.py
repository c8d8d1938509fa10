"""Assignments on summary rows: what they see, and what they may set."""

from __future__ import annotations

import pytest

from rowbook.expressions.binding.foreign_words import WINDOWS_HINT
from rowbook.planning.steps import AggregateStep
from tests.support.trial import Trial, project, types

BOTH = "{name: account, group_by: [account_code, currency]}, {name: currency, group_by: [currency]}"


def summary(assignments: str, levels: str = BOTH) -> str:
    return (
        f"- {{seq: 1, name: a, type: aggregate, arguments: {{levels: [{levels}], aggregations:"
        f' [{{column: total, expression: "SUM(amount)"}}], assignments: [{assignments}]}}}}'
    )


def by_currency(assignments: str) -> str:
    return (
        "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency], aggregations:"
        f' [{{column: total, expression: "SUM(amount)"}}], assignments: [{assignments}]}}}}'
    )


def test_keys_results_and_the_level_can_be_read(trial: Trial) -> None:
    step = trial.step(
        summary(
            '{column: label, expression: "CONCAT(LEVEL(), COALESCE(gl.account_code, currency))"},'
            ' {column: double, expression: "total * 2"}, {column: level, expression: "LEVEL()"}'
        )
    )
    assert isinstance(step, AggregateStep)
    assert [(each.column, each.is_new) for each in step.assignments] == [
        ("label", True),
        ("double", True),
        ("level", True),
    ]
    found = types(step.columns)
    assert (found["label"], found["double"], found["level"]) == (
        "string?",
        "decimal(30,2)?",
        "string?",
    )


def test_existing_columns_and_labels_can_be_set(trial: Trial) -> None:
    step = trial.step(
        by_currency(
            "{column: journal_id, expression: \"'total'\"},"
            " {column: _labels, expression: \"'sum'\"},"
            ' {column: posting_date, expression: "TODAY()"}'
        )
    )
    assert types(step.columns)["journal_id"] == "string"
    assert types(step.columns)["posting_date"] == "date?"
    assert not step.columns.fields["_labels"].nullable


REFUSED = [
    (
        summary('{column: x, expression: "⟦journal_id"}'),
        ["AGGREGATE_012"],
        "'journal_id' has no value on a summary row: it is neither key nor result",
        "add it to group_by, or make it a result: MAX_AGG(journal_id)",
    ),
    (
        summary('{column: x, expression: "⟦totl"}, {column: y, expression: "⟦gl.jornal_id"}'),
        ["AGGREGATE_004", "AGGREGATE_004"],
        "unknown column 'totl'",
        "did you mean 'total'?  columns: account_code, currency, total, LEVEL()",
    ),
    (
        by_currency('{column: x, expression: "⟦LEVEL()"}'),
        ["AGGREGATE_011"],
        "LEVEL() is the level of a summary row: not known here",
        "it may stand in the assignments of an aggregate that has levels",
    ),
    (
        summary('{column: x, expression: "⟦LEVEL(1)"}'),
        ["EXPR_006"],
        "LEVEL takes no arguments, not 1",
        "LEVEL()",
    ),
    (
        summary('{column: x, expression: "⟦SUM(total)"}'),
        ["EXPR_007"],
        "SUM is an aggregate function: not allowed here",
        WINDOWS_HINT,
    ),
    (
        summary('{column: x, expression: "⟦accounts.group_code"}'),
        ["EXPR_003"],
        "unknown table or alias 'accounts'",
        "tables and aliases here: gl",
    ),
    (
        summary('{column: ⟦total, expression: "1"}'),
        ["AGGREGATE_006"],
        "'total' is a result already",
        None,
    ),
    (
        summary("{column: ⟦currency, expression: \"'x'\"}"),
        ["AGGREGATE_006"],
        "'currency' is a group key already",
        None,
    ),
    (
        summary('{column: x, expression: "1"}, {column: ⟦x, expression: "2"}'),
        ["AGGREGATE_006"],
        "assigned column 'x' stands twice",
        None,
    ),
    (
        summary("{column: _labels, expression: \"'a'\"}, {column: ⟦_labels, expression: \"'b'\"}"),
        ["AGGREGATE_005"],
        "'_labels' belongs to the system and cannot be set",
        None,
    ),
    (
        summary('{column: ⟦_deleted, expression: "TRUE"}'),
        ["AGGREGATE_005"],
        "'_deleted' belongs to the system and cannot be set",
        None,
    ),
    (
        summary('{column: amount, expression: "⟦LEVEL()"}'),
        ["EXPR_004"],
        "column 'amount' is decimal(18,2), the expression gives string",
        "convert it with TO_DECIMAL(…, 18, 2)",
    ),
]


@pytest.mark.parametrize(("operation", "codes", "message", "hint"), REFUSED)
def test_it_is_refused(
    operation: str, codes: list[str], message: str, hint: str | None, trial: Trial
) -> None:
    found = trial.refuses(project(operation), *codes)
    assert (found[0].message, found[0].hint) == (message, hint)


@pytest.mark.parametrize(
    "operation",
    [
        "- {seq: 1, name: a, type: update, arguments:"
        ' {assignments: [{column: x, expression: "⟦LEVEL()"}]}}',
        "- {seq: 1, name: a, type: delete, selector: \"⟦LEVEL() = 'a'\"}",
    ],
)
def test_other_operations_know_no_level(operation: str, trial: Trial) -> None:
    trial.refuses(project(operation), "AGGREGATE_011")
