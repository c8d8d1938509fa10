"""Planning `spread`."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.planning.steps import AppendStep, Spread
from tests.support.trial import Trial, project

MANY = ", many: true"


def spreading(
    column: str = "amount", weight: str = "r.rate", scale: str = "2", many: str = MANY
) -> str:
    return project(
        "- {seq: 1, name: allocate, type: append, arguments: {source: working, joins: [{alias: r,"
        f' dataset_id: rates, on: "gl.currency = r.currency"{many}}}],'
        f' spread: {{column: {column}, weight: "{weight}", scale: {scale}}}}}}}'
    )


def spread_of(trial: Trial, text: str) -> Spread:
    (step,) = trial.plan(text).steps
    assert isinstance(step, AppendStep)
    assert step.spread
    return step.spread


def test_an_amount_is_spread_over_the_matches_of_a_join(trial: Trial) -> None:
    spread = spread_of(trial, spreading())
    assert (spread.column, spread.type, spread.alias, spread.scale) == (
        *("amount", t.decimal(18, 2), "r"),
        2,
    )
    assert spread.weight.type == t.decimal(12, 6)


def test_weights_may_be_of_the_origin_or_the_same_for_all(trial: Trial) -> None:
    assert spread_of(trial, spreading(weight="1")).weight.type == t.INTEGER
    assert spread_of(trial, spreading("gl.amount", "line_number")).column == "amount"


def test_a_very_wide_weight_counts_with_ten_decimals(trial: Trial) -> None:
    wide = spread_of(trial, spreading(weight="TO_DECIMAL(r.rate, 38, 20)"))
    assert wide.weight.type == t.decimal(26, 10)
    narrow = spread_of(trial, spreading(weight="TO_DECIMAL(r.rate, 38, 4)"))
    assert narrow.weight.type == t.decimal(32, 4)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (spreading("⟦amont"), "APPEND_006", "unknown column 'amont'"),
        (spreading("⟦r.rate"), "APPEND_006", "unknown column 'r.rate'"),
        (
            spreading("⟦weight", scale="0"),
            "APPEND_012",
            "'weight' is float: only an integer or a decimal can be spread",
        ),
        (
            spreading(scale="⟦3"),
            "APPEND_012",
            "'amount' is decimal(18,2): the scale of its parts is 0 to 2, not 3",
        ),
        (
            spreading("line_number", scale="⟦1"),
            "APPEND_012",
            "'line_number' is integer: the scale of its parts is 0, not 1",
        ),
        (
            spreading(weight="⟦gl.weight"),
            "APPEND_012",
            "a weight is an integer or a decimal, this is float",
        ),
        (spreading(weight="⟦r.rat"), "APPEND_006", "unknown column 'r.rat'"),
        (
            spreading(many="").replace("spread: {", "spread: ⟦{"),
            "APPEND_011",
            "a spread goes over the matches of one join with many: true; none of its joins has it",
        ),
    ],
)
def test_what_cannot_be_spread_is_refused(trial: Trial, text: str, code: str, message: str) -> None:
    (found,) = trial.refuses(text, code)
    assert found.message == message


def test_two_joins_with_many_matches_leave_open_what_is_spread(trial: Trial) -> None:
    second = '{alias: q, dataset_id: rates, on: "gl.currency = q.currency", many: true}'
    text = spreading().replace("joins: [", f"joins: [{second}, ").replace("spread: {", "spread: ⟦{")
    (found,) = trial.refuses(text, "APPEND_011")
    assert found.message.endswith("2 of its joins have it")
