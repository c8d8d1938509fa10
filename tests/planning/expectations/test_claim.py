"""What can be wrong with an expectation, each at its place."""

from __future__ import annotations

from textwrap import dedent

import pytest

from rowbook.errors import Diagnostic
from tests.support.trial import Trial, output, project, update

_MORE = """\
quarantine: {datasource_id: lake, table: held_back}
parameters: {most: {type: integer, default: 5}}
selectors: {posted: "posted", total: "SUM(amount) > 0"}
"""


def _text(expectation: str) -> str:
    """A project in which one expectation, in the flow style, is on trial."""
    operations = (
        update(seq=30, extra="param.most", selector="{{posted}}"),
        output(seq=80),
    )
    taking = '- {name: taken, at: input, otherwise: quarantine, that: "amount <> 0"}'
    listed = f"expectations:\n  {taking}\n  - {expectation}\n"
    return project(*operations, more=_MORE + dedent(listed))


def _refused(trial: Trial, expectation: str, *codes: str) -> tuple[Diagnostic, ...]:
    return trial.refuses(_text(expectation), *codes)


@pytest.mark.parametrize(
    ("expectation", "code", "message"),
    [
        ("{name: ⟦x}", "EXPECT_001", "expectation 'x' says nothing that must hold"),
        (
            '{name: x, that: "amount > 0", unique: ⟦[amount]}',
            "EXPECT_001",
            "an expectation says `that` or `unique`, not both",
        ),
        (
            '{name: x, that: "⟦amount + 1"}',
            "EXPECT_001",
            "the condition gives decimal(19,2), not true or false",
        ),
        (
            '{name: x, that: "⟦SUM(amount)"}',
            "EXPECT_001",
            "the condition gives decimal(28,2), not true or false",
        ),
        (
            '{name: x, that: "COUNT(*) > ⟦amount"}',
            "EXPECT_002",
            "column 'amount' stands beside an aggregate, and it is about all rows",
        ),
        (
            '{name: x, by: [currency], that: "SUM(amount) > ⟦gl.weight"}',
            "EXPECT_002",
            "column 'gl.weight' stands beside an aggregate, and `by` does not name it",
        ),
        (
            '{name: x, that: "COUNT(*) > 0 AND ⟦{{posted}}"}',
            "EXPECT_002",
            "column 'posted' stands beside an aggregate, and it is about all rows",
        ),
        (
            '{name: x, measures: {m: "COUNT(*) + ⟦amount"}, that: "TRUE = (COUNT(*) > 0)"}',
            "EXPECT_002",
            "column 'amount' stands beside an aggregate, and it is about all rows",
        ),
        (
            '{name: x, by: ⟦[currency], that: "amount > 0"}',
            "EXPECT_003",
            "`by` makes groups of rows, and `that` has no aggregate",
        ),
        (
            '{name: x, by: [currency, ⟦gl.currency], that: "COUNT(*) > 0"}',
            "EXPECT_003",
            "column 'currency' stands twice",
        ),
        (
            "{name: x, by: ⟦[currency], unique: [journal_id]}",
            "EXPECT_003",
            "`by` says nothing beside `unique`",
        ),
        (
            '{name: x, show: ⟦[currency], that: "COUNT(*) > 0"}',
            "EXPECT_003",
            "`show` is about rows, and `that` is about all rows",
        ),
        (
            '{name: x, measures: {m: "⟦amount"}, that: "COUNT(*) > 0"}',
            "EXPECT_003",
            "measure 'm' has no aggregate function",
        ),
        (
            '{name: x, measures: {a b: ⟦"COUNT(*)"}, that: "COUNT(*) > 0"}',
            "EXPECT_003",
            "'a b' cannot be a measure's name: use letters, digits and '_'",
        ),
        (
            '{name: x, by: [currency], measures: {currency: ⟦"COUNT(*)"}, that: "COUNT(*) > 0"}',
            "EXPECT_003",
            "measure 'currency' is a column of `by`",
        ),
        ('{name: ⟦taken, that: "amount > 0"}', "EXPECT_006", None),
        ('{name: ⟦" ", that: "amount > 0"}', "EXPECT_006", "an expectation needs a name"),
        ("{name: x, unique: [journal_id, ⟦line]}", "EXPR_002", "unknown column 'line'"),
        (
            "{name: x, unique: [journal_id, ⟦accounts.group_code]}",
            "EXPR_002",
            "unknown column 'accounts.group_code'",
        ),
        ("{name: x, unique: [⟦glx.amount]}", "EXPR_002", "unknown column 'glx.amount'"),
        ('{name: x, that: "COUNT(*) > ⟦param.least"}', "PARAMETER_001", None),
        ('{name: x, that: "⟦{{unposted}}"}', "SELECTOR_001", None),
        ('{name: x, that: "SUM(⟦amout) > 0"}', "EXPR_002", "unknown column 'amout'"),
        ('{name: x, that: "COUNT(*) > ⟦lines"}', "EXPR_002", "unknown column 'lines'"),
        ('{name: x, that: "SUM(⟦COUNT(*)) > 0"}', "AGGREGATE_007", None),
        ('{name: x, that: "COUNT(*) > 1 AND ⟦MAX(amount) = 1"}', "EXPR_006", None),
        ('{name: x, by: [currency], that: "⟦SUMM(amount) = 1"}', "EXPR_005", None),
        ('{name: x, that: "amount >⟦ "}', "EXPR_001", None),
        ('{name: x, at: input, that: "⟦extra > 0"}', "EXPR_002", "unknown column 'extra'"),
    ],
)
def test_what_cannot_be_is_said_where_it_stands(
    trial: Trial, expectation: str, code: str, message: str | None
) -> None:
    (found,) = _refused(trial, expectation, code)
    assert message is None or found.message == message


def test_all_that_is_wrong_is_said_at_once(trial: Trial) -> None:
    found = trial.check(
        _text('{name: x, whole: [line], selector: "amout > 0", that: "amount", tolerate: {}}')
    )
    assert [each.code for each in found.diagnostics] == [
        "EXPECT_005",
        "EXPR_002",
        "EXPR_002",
        "EXPECT_001",
        "EXPECT_008",
    ]


@pytest.mark.parametrize(
    "condition",
    [
        "weight > 0",
        "SUM(amount) > 0",
        "currency = 'EUR' OR weight IS NULL",
        "weight IS NOT NULL OR weight > 0",
        "AVG(weight) > 0",
    ],
)
def test_a_condition_that_may_be_null_is_pointed_out(trial: Trial, condition: str) -> None:
    (found,) = _refused(trial, f'{{name: x, that: "⟦{condition}"}}', "EXPECT_009")
    assert found.severity == "warning"
    assert found.message == "the condition may be NULL, which violates it"


@pytest.mark.parametrize(
    ("condition", "by"),
    [
        ("weight IS NOT NULL AND weight > 0", ""),
        ("currency IS NULL OR currency = 'EUR'", ""),
        ("COALESCE(weight, 0) >= 0", ""),
        ("COALESCE(SUM(amount), 0) = 0", ""),
        ("SUM(amount) = 0", "by: [currency], "),
        ("COUNT(weight) > 0", ""),
        ("currency IN ('EUR', 'USD') AND currency IS NOT NULL", ""),
    ],
)
def test_one_that_cannot_is_not(trial: Trial, condition: str, by: str) -> None:
    trial.accepts(_text(f'{{name: x, {by}that: "{condition}"}}'))


@pytest.mark.parametrize("condition", ["TRUE", "1 < 2", "amount IS NOT NULL", "TRUE OR posted"])
def test_a_condition_that_says_nothing_is_pointed_out(trial: Trial, condition: str) -> None:
    (found,) = _refused(trial, f'{{name: x, that: "⟦{condition}"}}', "EXPECT_010")
    assert found.severity == "warning"


def test_a_named_selector_may_hold_the_aggregate(trial: Trial) -> None:
    plan = trial.plan(_text('{name: x, by: [currency], that: "{{total}}"}'))
    assert plan.expectations[-1].condition.measures[0].column == "SUM(amount)"  # type: ignore[union-attr]


def test_a_condition_over_several_lines_is_told_on_one(trial: Trial) -> None:
    lines = "currency IS NOT NULL\n          AND currency <> 'a  b'"
    one = _text('{name: x, that: "x"}')
    text = one.replace('{name: x, that: "x"}', f"name: x\n      that: |\n        {lines}")
    assert trial.plan(text).expectations[-1].text == "currency IS NOT NULL AND currency <> 'a  b'"


def test_an_inline_project_is_checked_at_its_place(trial: Trial) -> None:
    text = """\
scenario:
  name: s
  period: "2026-01"
  project:
    input_dataset_id: gl_entries
    expectations:
      - {name: x, at: ⟦20, that: "COUNT(*) > 0"}
      - {name: y, that: "⟦amout > 0"}
    operations:
      - {seq: 10, name: Drop, type: delete, selector: "amount = 0"}
  input: {gl_entries: {rows: []}}
  expect: {working: {rows: []}}
"""
    trial.refuses(text, "EXPECT_004", "EXPR_002")
