"""Windows of an update: what they offer to its expressions, and what is refused."""

from __future__ import annotations

import pytest

from rowbook.planning.steps import SortKey, UpdateStep
from tests.support.trial import LEDGER, Trial, project, types

SHARE = "{column: made, expression: 'w.total'}"


def windowed(windows: str, *assignments: str, more: str = "") -> str:
    listed = ", ".join(assignments or [SHARE])
    return (
        f"- {{seq: 1, name: a, type: update, {more}arguments:"
        f" {{windows: [{windows}], assignments: [{listed}]}}}}"
    )


def test_a_window_offers_its_values_below_its_alias(trial: Trial) -> None:
    step = trial.step(
        windowed(
            "{alias: w, by: [gl.currency, _period], selector: 'amount > 0',"
            " order_by: [-amount, line_number], values: {total: 'SUM(amount)', n: ROW_NUMBER()}}",
            SHARE,
            "{column: n, expression: 'w.n'}",
        )
    )
    assert isinstance(step, UpdateStep)
    assert types(step.columns) == {**LEDGER, "made": "decimal(28,2)?", "n": "integer?"}
    (window,) = step.windows
    assert (window.alias, window.keys) == ("w", ("currency", "_period"))
    assert window.order == (SortKey("amount", descending=True), SortKey("line_number"))
    assert [value.column for value in window.values] == ["total", "n"]


def test_what_no_expression_mentions_is_not_computed(trial: Trial) -> None:
    windows = (
        "{alias: w, by: [], values: {total: 'SUM(amount)', unused: 'COUNT(*)'}},"
        " {alias: idle, by: [], values: {title: 'MAX_AGG(groups.title)'}}"
    )
    step = trial.step(windowed(windows))
    assert isinstance(step, UpdateStep)
    assert [(w.alias, [v.column for v in w.values]) for w in step.windows] == [("w", ["total"])]
    assert step.joins == ()


def test_values_use_lookups_and_the_joins_of_the_update(trial: Trial) -> None:
    operation = (
        "- {seq: 1, name: a, type: update, arguments: {joins: [{alias: fx, dataset_id: rates, on:"
        " 'gl.currency = fx.currency'}], windows: [{alias: w, values:"
        " {total: 'SUM(amount * fx.rate)', titles: 'COUNT(groups.title)'}}], assignments:"
        " [{column: made, expression: 'w.total'}, {column: n, expression: 'w.titles'}]}}"
    )
    assert [join.alias for join in trial.step(operation).joins] == ["accounts", "groups", "fx"]


def test_the_selector_and_named_selectors_of_the_update_see_the_values(trial: Trial) -> None:
    operation = windowed(
        "{alias: w, by: [currency], values: {total: 'SUM(amount)'}}",
        "{column: posted, expression: 'TRUE'}",
        more="selector: '{{large}}', ",
    )
    plan = trial.plan(project(operation, more="selectors: {large: 'amount > w.total / 2'}"))
    (step,) = plan.steps
    assert isinstance(step, UpdateStep)
    assert [window.alias for window in step.windows] == ["w"]


@pytest.mark.parametrize(
    ("window", "code"),
    [
        ("⟦{alias: w, by: [currency]}", "WINDOW_001"),
        ("{alias: ⟦gl, values: {total: 'SUM(amount)'}}", "WINDOW_002"),
        ("{alias: ⟦Groups, values: {total: 'SUM(amount)'}}", "WINDOW_002"),
        ("{alias: ⟦a b, values: {total: 'SUM(amount)'}}", "WINDOW_002"),
        ("{alias: ⟦param, values: {total: 'SUM(amount)'}}", "WINDOW_002"),
        ("{alias: w, values: {total: 'SUM(amount)', Total: ⟦'COUNT(*)'}}", "WINDOW_002"),
        ("{alias: w, values: {total: 'SUM(amount)', a b: ⟦'COUNT(*)'}}", "WINDOW_002"),
        ("{alias: w, by: [⟦curency], values: {total: 'SUM(amount)'}}", "WINDOW_003"),
        ("{alias: w, by: [⟦groups.title], values: {total: 'SUM(amount)'}}", "WINDOW_003"),
        ("{alias: w, by: [⟦-currency], values: {total: 'SUM(amount)'}}", "WINDOW_003"),
        ("{alias: w, by: [currency, ⟦currency], values: {total: 'SUM(amount)'}}", "WINDOW_003"),
        ("{alias: w, order_by: [-amount, ⟦amount], values: {total: 'SUM(amount)'}}", "WINDOW_003"),
        ("{alias: w, order_by: [⟦-amout], values: {total: 'SUM(amount)'}}", "WINDOW_003"),
        ("{alias: w, values: {total: '⟦RANK() + SUM(amount)'}}", "WINDOW_004"),
        ("{alias: w, values: {total: '⟦amount'}}", "AGGREGATE_007"),
        ("{alias: w, by: [currency], values: {total: '⟦LEN(currency)'}}", "AGGREGATE_007"),
        ("{alias: w, order_by: [amount], values: {total: 'SUM(⟦LAG(amount))'}}", "AGGREGATE_007"),
        ("{alias: w, order_by: [amount], values: {total: 'LAG(amount, ⟦0)'}}", "EXPR_006"),
        ("{alias: w, order_by: [amount], values: {total: 'LEAD(posted, ⟦amount)'}}", "EXPR_004"),
        ("{alias: w, order_by: [amount], values: {total: '⟦ROW_NUMBER(amount)'}}", "EXPR_006"),
        ("{alias: w, values: {total: '⟦MAX_AGG(NULL)'}}", "EXPR_004"),
        ("{alias: w, values: {total: '⟦MAX_BY(amount)'}}", "EXPR_006"),
        ("{alias: w, selector: '⟦amount', values: {total: 'SUM(amount)'}}", "SELECTOR_003"),
        ("{alias: w, selector: '⟦SUM(amount) > 0', values: {total: 'SUM(amount)'}}", "EXPR_007"),
        ("{alias: w, values: {total: 'SUM(⟦w.total)'}}", "EXPR_003"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_once(window: str, code: str, trial: Trial) -> None:
    alias = window.partition("alias: ")[2].partition(",")[0].strip("⟦")
    mention = "1" if alias == "gl" or " " in alias else f"{alias}.total"
    trial.refuses(project(windowed(window, f"{{column: made, expression: '{mention}'}}")), code)


def test_all_faults_of_windows_are_found_at_once(trial: Trial) -> None:
    found = trial.refuses(
        project(
            windowed(
                "{alias: w, by: [⟦curency], order_by: [⟦amout], selector: '⟦missing > 0',"
                " values: {total: 'SUM(⟦amout)'}}, {alias: ⟦w, values: {n: COUNT(*)}}"
            )
        ),
        *("WINDOW_003", "WINDOW_003", "EXPR_002", "EXPR_002", "WINDOW_002"),
    )
    assert (found[0].hint or "").startswith("did you mean 'currency'?")
    assert (found[1].hint or "").startswith("did you mean 'amount'?")


def test_a_windows_alias_is_not_known_in_a_join_nor_in_the_next_operation(trial: Trial) -> None:
    joined = (
        "- {seq: 1, name: a, type: update, arguments: {joins: [{alias: fx, dataset_id: rates, on:"
        " 'fx.rate = ⟦w.total'}], windows: [{alias: w, values: {total: 'SUM(amount)'}}],"
        " assignments: [{column: made, expression: 'w.total'}]}}"
    )
    later = (
        "- {seq: 2, name: b, type: update,"
        " arguments: {assignments: [{column: more, expression: '⟦w.total'}]}}"
    )
    trial.refuses(project(joined, later), "EXPR_003", "EXPR_003")


@pytest.mark.parametrize(
    ("expression", "code", "hint"),
    [
        ("SUM(amount)", "EXPR_007", 'values: {total: "SUM(amount)"}}], then g.total'),
        ("SUM(amount) OVER (PARTITION BY currency)", "UPDATE_005", "windows: [{alias: g"),
        ("ROW_NUMBER()", "WINDOW_004", 'values: {number: "ROW_NUMBER()"}}], then n.number'),
        ("DENSE_RANK()", "EXPR_005", "then n.number"),
    ],
)
def test_who_writes_a_window_into_an_assignment_is_told_how(
    expression: str, code: str, hint: str, trial: Trial
) -> None:
    text = project(
        "- {seq: 1, name: a, type: update, arguments:"
        f" {{assignments: [{{column: made, expression: '{expression}'}}]}}}}"
    )
    (found,) = trial.check(text).diagnostics
    assert found.code == code
    assert hint in (found.hint or "")
