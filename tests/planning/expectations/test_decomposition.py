"""A condition taken apart means what it meant as a whole."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from rowbook.expressions.binding.binder import bind
from rowbook.expressions.evaluate import Moment, Row, evaluate, evaluate_aggregate
from rowbook.expressions.scope import Scope, Table
from rowbook.planning.expectations.expectation_plan import GroupCondition
from tests.support.trial import Trial, output, project

_MOMENT = Moment(datetime(2026, 1, 31, tzinfo=UTC), "2026-01")
_ROWS: list[Row] = [
    {(None, "currency"): "EUR", (None, "amount"): Decimal(amount), (None, "weight"): weight}
    for amount, weight in (("10.00", 1.5), ("-10.00", None), ("0.05", 2.0))
]


@pytest.mark.parametrize(
    "that",
    [
        "SUM(amount) = 0",
        "SUM(amount) = 0.05 AND currency = 'EUR'",
        "COUNT(*) = COUNT(weight) OR gl.currency IS NULL",
        "SUM(amount) / COUNT(*) BETWEEN 0 AND 1",
        "CASE WHEN COUNT(weight) > 2 THEN SUM(amount) > 0 ELSE MAX_AGG(amount) > 9 END",
        "currency IN ('USD', MAX_AGG(currency))",
        "NOT (COUNT_ALL() = 3 AND AVG(weight) > 1)",
        "ABS(SUM(amount) - SUM(IF(amount > 0, amount, 0))) < 1",
        "COALESCE(SUM(weight), 0) = 3.5",
        "{{small}}",
        "COUNT(*) > 1 AND {{small}}",
    ],
)
def test_measures_and_the_rest_give_what_the_whole_gives(trial: Trial, that: str) -> None:
    more = (
        'selectors: {small: "SUM(amount) < 1 AND MIN_AGG(amount) < 0"}\nexpectations:\n'
        f'  - {{name: x, by: [currency], that: "{that}"}}\n'
    )
    checked = trial.check(project(output(), more=more))
    plan = checked.projects["trial"].plan
    assert plan is not None
    (expectation,) = plan.expectations
    condition = expectation.condition
    assert isinstance(condition, GroupCondition)
    row: Row = {
        (None, "currency"): "EUR",
        **{
            (None, each.column): evaluate_aggregate(each.expression, _ROWS, _MOMENT)
            for each in condition.measures
        },
    }
    text = that.replace("{{small}}", "(SUM(amount) < 1 AND MIN_AGG(amount) < 0)")
    scope = Scope(Table(plan.columns.fields), plan.input.table_name, keys=frozenset({"currency"}))
    whole = bind(text, scope)
    assert whole.usable
    assert evaluate(condition.that, row, _MOMENT) == evaluate_aggregate(whole.tree, _ROWS, _MOMENT)
