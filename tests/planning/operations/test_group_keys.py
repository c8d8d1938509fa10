"""Keys of an aggregate: columns and expressions, once or at several levels."""

from __future__ import annotations

import pytest

from rowbook.planning.steps import AggregateStep, TotalLevel
from tests.support.trial import Trial, project, types


def totals(levels: str, more: str = "", results: str = "{column: n, expression: COUNT(*)}") -> str:
    """An aggregate with levels; `more` are further arguments."""
    return (
        f"- {{seq: 1, name: a, type: aggregate, arguments: {{levels: [{levels}],"
        f" aggregations: [{results}]{more and ', '}{more}}}}}"
    )


def planned(trial: Trial, operation: str) -> AggregateStep:
    step = trial.step(operation)
    assert isinstance(step, AggregateStep)
    return step


THREE = (
    "{name: account, group_by: [account_code, gl.currency]},"
    " {name: currency, group_by: [currency]}, {name: all, group_by: []}"
)


def test_each_level_has_its_keys_and_the_step_those_of_all(trial: Trial) -> None:
    step = planned(trial, totals(THREE))
    assert step.keys == ("account_code", "currency")
    assert step.levels == (
        TotalLevel("account", ("account_code", "currency")),
        TotalLevel("currency", ("currency",)),
        TotalLevel("all", ()),
    )


def test_a_plain_group_by_is_the_one_level_without_a_name(trial: Trial) -> None:
    step = planned(
        trial,
        "- {seq: 1, name: a, type: aggregate, arguments:"
        " {group_by: [currency], aggregations: [{column: n, expression: COUNT(*)}]}}",
    )
    assert step.levels == ()
    assert step.groupings == (TotalLevel(None, ("currency",)),)


def test_a_key_that_one_level_lacks_may_be_null_afterwards(trial: Trial) -> None:
    every = "{name: a, group_by: [account_code, journal_id]}, {name: b, group_by: [journal_id]}"
    found = types(planned(trial, totals(every)).columns)
    assert (found["journal_id"], found["account_code"]) == ("string", "string?")


def test_a_key_may_be_an_expression_with_a_column_of_its_own(trial: Trial) -> None:
    key = '{column: class, expression: "LEFT(account_code, 1)"}'
    step = planned(trial, totals(f"{{name: a, group_by: [currency, {key}]}}"))
    assert step.keys == ("currency", "class")
    assert [(each.column, each.is_new) for each in step.key_values] == [("class", True)]
    assert types(step.columns)["class"] == "string?"


def test_a_computed_key_may_replace_the_column_it_is_made_from(trial: Trial) -> None:
    key = '{column: account_code, expression: "LEFT(account_code, 1)"}'
    step = planned(trial, totals(f"{{name: a, group_by: [{key}]}}"))
    assert types(step.columns)["account_code"] == "string"
    assert [each.is_new for each in step.key_values] == [False]


def test_levels_may_name_or_repeat_a_key_that_another_computes(trial: Trial) -> None:
    key = '{column: class, expression: "LEFT(account_code, 1)"}'
    step = planned(
        trial,
        totals(
            f"{{name: a, group_by: [class, currency]}}, {{name: b, group_by: [{key}]}},"
            f" {{name: c, group_by: [{key}, journal_id]}}"
        ),
    )
    assert [level.keys for level in step.levels] == [
        ("class", "currency"),
        ("class",),
        ("class", "journal_id"),
    ]
    assert len(step.key_values) == 1


def test_a_computed_key_may_use_lookups(trial: Trial) -> None:
    key = '{column: title, expression: "groups.title"}'
    step = planned(trial, totals(f"{{name: a, group_by: [{key}]}}"))
    assert [join.alias for join in step.joins] == ["accounts", "groups"]


CLASS = '{column: class, expression: "LEFT(account_code, 1)"}'

REFUSED = [
    (
        totals(THREE, more="group_by: ⟦[currency]"),
        ["AGGREGATE_008"],
        "an aggregate groups by `group_by` or by `levels`, not by both",
    ),
    (
        totals("{name: a, group_by: [currency]}, {name: ⟦a, group_by: []}"),
        ["AGGREGATE_009"],
        "level 'a' stands twice",
    ),
    (totals('{name: ⟦" ", group_by: []}'), ["AGGREGATE_009"], "a level needs a name"),
    (
        totals(
            "{name: a, group_by: [currency, posted]}, {name: b, group_by: ⟦[posted, gl.currency]}"
        ),
        ["AGGREGATE_010"],
        "level 'b' groups by the same keys as level 'a'",
    ),
    (
        totals("{name: a, group_by: [currency, ⟦gl.currency]}"),
        ["AGGREGATE_003"],
        "'gl.currency' stands twice in group_by",
    ),
    (
        totals("{name: a, group_by: [⟦curency]}, {name: b, group_by: [⟦acount_code]}"),
        ["AGGREGATE_004", "AGGREGATE_004"],
        "unknown column 'curency'",
    ),
    (
        totals('{name: a, group_by: [{column: c, expression: "LEFT(⟦acount_code, 1)"}]}'),
        ["AGGREGATE_004"],
        "unknown column 'acount_code'",
    ),
    (
        totals(
            f"{{name: a, group_by: [{CLASS}]}},"
            ' {name: b, group_by: [currency, {column: class, expression: ⟦"currency"}]}'
        ),
        ["AGGREGATE_003"],
        "key 'class' is made in two ways",
    ),
    (
        totals('{name: a, group_by: [{column: ⟦_labels, expression: "currency"}]}'),
        ["AGGREGATE_005"],
        "'_labels' belongs to the system and cannot be set",
    ),
    (
        totals('{name: a, group_by: [{column: ⟦Currency, expression: "currency"}]}'),
        ["AGGREGATE_006"],
        "key column 'Currency' differs from 'currency' only by case",
    ),
    (
        totals('{name: a, group_by: [{column: amount, expression: "⟦currency"}]}'),
        ["EXPR_004"],
        "column 'amount' is decimal(18,2), the expression gives string",
    ),
    (
        totals('{name: a, group_by: [{column: c, expression: "⟦SUM(amount)"}]}'),
        ["EXPR_007"],
        "SUM is an aggregate function: not allowed here",
    ),
    (
        totals(
            "{name: a, group_by: [currency]}, {name: b, group_by: []}",
            results='{column: n, expression: "CONCAT(⟦currency, TO_STRING(COUNT(*)))"}',
        ),
        ["AGGREGATE_007"],
        "'currency' stands outside an aggregate function and is not a group key",
    ),
    (
        totals(
            f"{{name: a, group_by: [{CLASS}]}}", results="{column: ⟦class, expression: COUNT(*)}"
        ),
        ["AGGREGATE_006"],
        "'class' is a group key already",
    ),
    (
        "- {seq: 1, name: a, type: aggregate, arguments: {levels: ⟦[],"
        " aggregations: [{column: n, expression: COUNT(*)}]}}",
        ["AGGREGATE_001"],
        "an aggregate needs at least one level",
    ),
    (
        "- {seq: 1, name: a, type: aggregate, arguments: {levels: [⟦{name: a}],"
        " aggregations: [{column: n, expression: COUNT(*)}]}}",
        ["YAML_003"],
        "required key 'group_by' is missing",
    ),
]


@pytest.mark.parametrize(("operation", "codes", "message"), REFUSED)
def test_it_is_refused(operation: str, codes: list[str], message: str, trial: Trial) -> None:
    found = trial.refuses(project(operation), *codes)
    assert found[0].message == message
