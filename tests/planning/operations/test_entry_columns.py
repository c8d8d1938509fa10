"""The columns of rows that an append makes from rows."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.planning.steps import AppendStep
from tests.support.trial import BASE, LEDGER, Trial, append, plan_of, project, types

RATES = '{alias: r, dataset_id: rates, on: "%s.currency = r.currency"%s}'


def entries(assignments: str = "", more: str = "", source: str = "working") -> str:
    parts = [f"source: {source}", f"assignments: [{assignments}]" if assignments else "", more]
    arguments = ", ".join(part for part in parts if part)
    return f"- {{seq: 1, name: entries, type: append, arguments: {{{arguments}}}}}"


def assigned(**columns: str) -> str:
    return ", ".join(f'{{column: {c}, expression: "{e}"}}' for c, e in columns.items())


def step_of(trial: Trial, operation: str) -> AppendStep:
    step = trial.step(operation)
    assert isinstance(step, AppendStep)
    return step


def test_a_copy_of_a_working_row_has_all_its_columns(trial: Trial) -> None:
    step = step_of(trial, entries(more='source_selector: "amount > 0"'))
    assert step.source is None
    assert [r.column for r in step.results] == list(LEDGER)
    assert types(step.columns) == LEDGER


def test_a_new_column_may_be_assigned_to_working_rows(trial: Trial) -> None:
    step = step_of(trial, entries(assigned(reverses="_row_id", currency="NULL")))
    assert types(step.columns) == {**LEDGER, "reverses": "string?"}
    assert [r.column for r in step.results if r.is_new] == ["reverses"]


def test_of_a_dataset_columns_come_that_the_working_dataset_has(trial: Trial) -> None:
    step = step_of(trial, append("budget", more=f"assignments: [{assigned(currency='kind')}]"))
    assert [r.column for r in step.results] == ["account_code", "amount", "currency"]
    assert step.left_out == ("kind", "share")


def test_a_source_column_that_is_assigned_need_not_fit(trial: Trial) -> None:
    late = "{name: amount, type: integer, nullable: false}"
    base_type = "{name: amount, type: string}"
    base = BASE.replace(late, base_type)
    value = "TO_DECIMAL(amount, 18, 2)"
    more = f"assignments: [{assigned(amount=value)}]"
    text = project(append("late_entries", more=more))
    (step,) = plan_of(trial.accepts(text, base=base)).steps
    assert isinstance(step, AppendStep)
    assert step.results[2].expression.type == t.decimal(18, 2)


def test_without_assignments_the_hint_names_them(trial: Trial) -> None:
    (found,) = trial.refuses(project(append("⟦budget")), "APPEND_003")
    assert (found.hint or "").endswith(
        "or give the append `assignments`: columns that the working dataset lacks are left out"
    )


def test_a_dataset_fills_columns_that_there_are(trial: Trial) -> None:
    more = 'assignments: [{column: ⟦amout, expression: "amount"},'
    more += ' {column: ⟦level, expression: "kind"}]'
    near, far = trial.refuses(project(append("budget", more=more)), "APPEND_003", "APPEND_003")
    assert near.message == "column 'amout' is not in the working dataset"
    assert (near.hint or "").startswith("did you mean 'amount'?")
    assert (far.hint or "").startswith("give the working dataset the column before, by an update")


@pytest.mark.parametrize(
    ("column", "code"),
    [("_row_id", "SYSTEM_COLUMN"), ("Amount", "APPEND_010"), ("a b", "APPEND_010")],
)
def test_some_names_cannot_be_assigned(trial: Trial, column: str, code: str) -> None:
    (found,) = trial.refuses(project(entries(f'{{column: ⟦{column}, expression: "1"}}')), code)
    if code == "SYSTEM_COLUMN":
        said = "'_row_id' belongs to the system: an append may assign _period and _labels only"
        assert found.message == said


def test_the_period_of_an_entry_may_be_assigned(trial: Trial) -> None:
    step = step_of(trial, entries(assigned(_period="PERIOD()")))
    assert [r.column for r in step.results] == [*LEDGER, "_period"]
    (found,) = trial.refuses(project(entries('{column: ⟦_period, expression: "1"}')), "APPEND_003")
    assert found.message == "column '_period' is string, the expression gives integer"


@pytest.mark.parametrize("source", ["working", "{dataset_id: late_entries}"])
def test_rows_without_periods_are_assigned_none(trial: Trial, source: str) -> None:
    base = BASE.replace("    temporal_mode: period\n", "", 1)
    text = project(entries('{column: ⟦_period, expression: "PERIOD()"}', source=source))
    (found,) = trial.refuses(text, "APPEND_003", base=base)
    assert (
        found.message == "'_period' cannot be assigned: rows of the working dataset have no period"
    )
    assert found.hint == "leave it out, or give the input dataset temporal_mode: period"


def test_a_column_is_assigned_once(trial: Trial) -> None:
    both = "{column: currency, expression: \"'EUR'\"}, {column: ⟦currency, expression: \"'USD'\"}"
    trial.refuses(project(entries(both)), "APPEND_010")


def test_all_faults_are_said_at_once(trial: Trial) -> None:
    text = project(
        entries(
            '{column: ⟦amount, expression: "currency"}, {column: kind, expression: "⟦amout"}',
            more="source_selector: \"⟦acount_code = '1'\", joins: [{alias: r, dataset_id: ⟦rate,"
            ' on: "gl.currency = r.currency"}]',
        )
    )
    found = trial.check(text).diagnostics
    assert sorted(d.code for d in found) == ["APPEND_003", "APPEND_006", "APPEND_006", "JOIN_001"]


def test_the_selector_does_not_see_the_joins(trial: Trial) -> None:
    more = f"""source_selector: "⟦r.rate > 0", joins: [{RATES % ("gl", "")}]"""
    trial.refuses(project(entries(more=more)), "EXPR_003")


def test_a_join_with_many_matches_fails_rows_without_one_by_default(trial: Trial) -> None:
    joins = f"joins: [{RATES % ('gl', ', many: true')}]"
    (join,) = step_of(trial, entries(more=joins)).matches
    assert (join.many, join.unmatched) == (True, "error")
    (join,) = step_of(trial, entries(more=f"joins: [{RATES % ('gl', '')}]")).matches
    assert (join.many, join.unmatched) == (False, "keep")


def test_only_rows_that_are_kept_without_a_match_bring_nulls(trial: Trial) -> None:
    for more, nullable in ((", unmatched: keep", True), (", unmatched: drop", False)):
        joins = f"joins: [{RATES % ('gl', more)}]"
        step = step_of(trial, entries(assigned(account_code="r.currency"), joins))
        assert step.columns.fields["account_code"].nullable is nullable


def test_a_value_of_another_type_is_to_be_converted(trial: Trial) -> None:
    text = entries('{column: ⟦currency, expression: "amount"}')
    (found,) = trial.refuses(project(text), "APPEND_003")
    assert found.message == "column 'currency' is string, the expression gives decimal(18,2)"
    assert found.hint == "convert it with TO_STRING(…)"


def test_lookups_that_are_mentioned_come_first(trial: Trial) -> None:
    joins = f"joins: [{RATES % ('gl', '')}]"
    step = step_of(trial, entries(assigned(currency="accounts.group_code"), joins))
    assert [join.alias for join in step.lookups] == ["accounts"]
    assert [join.alias for join in step.matches] == ["r"]


def test_an_aggregation_has_nothing_to_assign(trial: Trial) -> None:
    more = (
        'aggregation: {group_by: [currency], aggregations: [{column: amount, expression: "SUM('
        'amount)"}]}'
    )
    text = entries(assigned(currency="'EUR'"), more).replace("assignments: [", "assignments: ⟦[")
    trial.refuses(project(text), "APPEND_009")
