"""`append`: SPEC sections 3 and 5, the append document's Schema Alignment Rules."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.planning.steps import AppendStep
from tests.support.trial import (
    LEDGER,
    Trial,
    append,
    delete,
    output,
    plan_of,
    project,
    types,
    update,
)


def summed(column: str, expression: str, by: str = "account_code") -> str:
    """An append of the budget, summed into one column."""
    return append(
        "budget",
        more=f"aggregation: {{group_by: [{by}], aggregations:"
        f' [{{column: {column}, expression: "{expression}"}}]}}',
    )


def filtered(selector: str, source: str = "late_entries") -> str:
    """An append of some rows."""
    return append(source, more=f'source_selector: "{selector}"')


def step_of(trial: Trial, operation: str) -> AppendStep:
    step = trial.step(operation)
    assert isinstance(step, AppendStep)
    return step


# --- rows as they are


def test_rows_come_with_the_declared_columns_converted(trial: Trial) -> None:
    step = step_of(trial, append("late_entries"))
    assert step.source
    assert step.source.name == "late_entries"
    assert step.keys is None
    assert [(r.column, r.expression.type) for r in step.results] == [
        ("journal_id", t.STRING),
        ("line_number", t.INTEGER),
        ("amount", t.decimal(18, 2)),
    ]
    assert isinstance(step.results[2].expression, bound.Convert)


def test_extra_columns_are_named(trial: Trial) -> None:
    (found,) = trial.refuses(project(append("⟦budget")), "APPEND_003")
    assert found.message == (
        "columns of 'budget' that the working dataset does not have: kind, share"
    )


def test_columns_that_an_update_added_are_there(trial: Trial) -> None:
    plan = trial.plan(
        project(update(kind="'actual'", share="0.5"), append("budget", seq=2)),
    )
    assert types(plan.steps[1].columns) == {
        **LEDGER,
        "journal_id": "string?",
        "line_number": "integer?",
        "amount": "decimal(18,2)?",
        "kind": "string?",
        "share": "decimal(24,6)?",
    }


def test_a_type_that_does_not_convert_is_refused(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(update(kind="1", share="'0.5'"), append("⟦⟦budget", seq=2)),
        "APPEND_003",
        "APPEND_003",
    )[:1]
    assert found.message == "column 'kind' is integer, the source gives string"


def test_the_input_dataset_itself_may_be_appended(trial: Trial) -> None:
    step = step_of(trial, append("gl_entries"))
    assert types(step.columns) == LEDGER
    assert [r.column for r in step.results] == list(LEDGER)


def test_system_columns_are_never_extra(trial: Trial) -> None:
    text = """\
dataset:
  name: stored
  main_table:
    name: stored
    temporal_mode: period
    columns:
      - {name: _period, type: string}
      - {name: _labels, type: string}
      - {name: _deleted, type: boolean}
      - {name: code, type: string}
---
dataset: {name: codes, main_table: {name: codes, columns: [{name: code, type: string}]}}
---
"""
    plan = plan_of(trial.accepts(text + project(append("stored"), input_dataset_id="codes")))
    (step,) = plan.steps
    assert isinstance(step, AppendStep)
    assert [r.column for r in step.results] == ["code"]
    assert "_period" not in step.columns.fields


def test_cut_digits_of_a_column_of_the_project_warn(trial: Trial) -> None:
    text = project(update(kind="'x'", share="TO_DECIMAL(amount, 18, 2)"), append("⟦budget", seq=2))
    (found,) = trial.refuses(text, "UPDATE_007")
    assert found.severity == "warning"
    assert found.message == "storing decimal(9,6) in 'share', decimal(20,2), cuts 4 digits of scale"


# --- source_selector


def test_the_selector_sees_the_source_and_only_the_source(trial: Trial) -> None:
    step = step_of(trial, filtered("amount > 10 AND late.line_number = 1 AND _period = PERIOD()"))
    assert step.selector is not None
    assert bound.columns(step.selector) == {
        (None, "amount"),
        (None, "line_number"),
        (None, "_period"),
    }


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        ("⟦currency = 'EUR'", "APPEND_006"),
        ("⟦gl.amount > 0", "EXPR_003"),
        ("⟦accounts.group_code = 'R'", "EXPR_003"),
        ("⟦amount > '1'", "EXPR_004"),
        ("⟦NOPE(amount)", "EXPR_005"),
        ("⟦ABS() > 1", "EXPR_006"),
        ("⟦SUM(amount) > 1", "EXPR_007"),
        ("amount >⟦", "APPEND_004"),
        ("⟦amount", "SELECTOR_003"),
        ("⟦{{nope}}", "SELECTOR_001"),
    ],
)
def test_faults_of_the_selector(selector: str, code: str, trial: Trial) -> None:
    trial.refuses(project(filtered(selector)), code)


def test_a_hint_names_the_source_s_columns(trial: Trial) -> None:
    (found,) = trial.refuses(project(filtered("⟦amout > 0")), "APPEND_006")
    assert found.hint == (
        "did you mean 'amount'?  columns: journal_id, line_number, amount, _period"
    )


def test_a_named_selector_is_read_against_the_source(trial: Trial) -> None:
    step = plan_of(
        trial.accepts(project(filtered("{{large}}"), more='selectors: {large: "amount > 100"}'))
    ).steps[0]
    assert step.selector is not None
    assert bound.columns(step.selector) == {(None, "amount")}


def test_a_named_selector_that_the_source_cannot_answer_is_refused_at_its_definition(
    trial: Trial,
) -> None:
    trial.refuses(
        project(
            delete("{{euro}}"),
            append("late_entries", seq=2, more='source_selector: "{{euro}}"'),
            more="selectors: {euro: \"⟦currency = 'EUR'\"}",
        ),
        "EXPR_002",
    )


def test_a_selector_that_is_not_boolean_there_keeps_its_own_code(trial: Trial) -> None:
    trial.refuses(
        project(filtered("{{total}}"), more='selectors: {total: "⟦amount * 2"}'), "SELECTOR_003"
    )


# --- aggregation


def test_keys_and_results_are_the_columns_that_come(trial: Trial) -> None:
    step = step_of(trial, summed("amount", "SUM(plan.amount)", by="plan.account_code, _period"))
    assert step.keys == ("account_code", "_period")
    assert [(r.column, r.expression.type) for r in step.results] == [
        ("account_code", t.STRING),
        ("_period", t.STRING),
        ("amount", t.decimal(18, 2)),
    ]


def test_columns_that_do_not_come_may_be_null_afterwards(trial: Trial) -> None:
    step = step_of(trial, summed("amount", "SUM(amount)"))
    assert types(step.columns) == {
        **LEDGER,
        "journal_id": "string?",
        "line_number": "integer?",
        "amount": "decimal(18,2)?",
    }


def test_the_source_s_own_lookups_are_usable(trial: Trial) -> None:
    step = step_of(
        trial,
        append(
            "budget",
            more="source_selector: \"chart.group_code = 'R'\", aggregation: {group_by:"
            ' [account_code], aggregations: [{column: currency, expression: "MAX_AGG(kind)"}]}',
        ),
    )
    assert [join.alias for join in step.joins] == ["chart"]
    in_result = step_of(trial, summed("currency", "MAX_AGG(chart.group_code)"))
    assert [join.alias for join in in_result.joins] == ["chart"]


def test_lookups_that_are_not_mentioned_are_not_joined(trial: Trial) -> None:
    assert step_of(trial, summed("amount", "SUM(amount)")).joins == ()


def test_a_key_is_a_column_of_the_source_s_main_table(trial: Trial) -> None:
    trial.refuses(project(summed("amount", "SUM(amount)", by="⟦chart.group_code")), "APPEND_006")


def test_a_key_of_the_working_dataset_is_unknown_to_the_source(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(summed("amount", "SUM(amount)", by="⟦journal_id")), "APPEND_006"
    )
    assert found.message == "unknown column 'journal_id'"


def test_a_key_of_another_type_is_refused(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            update(kind="1"),
            append(
                "budget",
                seq=2,
                more="aggregation: {group_by: [⟦kind], aggregations:"
                ' [{column: amount, expression: "SUM(amount)"}]}',
            ),
        ),
        "APPEND_003",
    )
    assert found.message == "column 'kind' is integer, the source gives string"


def test_a_result_that_is_not_there_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project(summed("⟦amont", "SUM(amount)")), "APPEND_003")
    assert found.message == "result column 'amont' is not in the working dataset"
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'amount'?")


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("⟦MEDIAN(amount)", "APPEND_005"),
        ("SUM(amount) + ⟦amount", "APPEND_005"),
        ("SUM(⟦SUM(amount))", "APPEND_005"),
        ("SUM(⟦weight)", "APPEND_006"),
        ("SUM(⟦gl.amount)", "EXPR_003"),
        ("SUM(⟦kind)", "EXPR_004"),
        ("⟦SUM(amount, 1)", "EXPR_006"),
        ("SUM(amount⟦", "APPEND_004"),
    ],
)
def test_faults_of_aggregations(expression: str, code: str, trial: Trial) -> None:
    trial.refuses(project(summed("amount", expression)), code)


def test_all_faults_of_an_append_are_found_at_once(trial: Trial) -> None:
    trial.refuses(
        project(
            "- {seq: 1, name: a, type: append, selector: ⟦posted, arguments: {source:"
            ' {dataset_id: budget}, source_selector: "⟦amout > 0", aggregation: {group_by:'
            ' [⟦cost_center], aggregations: [{column: ⟦total, expression: "SUM(⟦amont)"}]}}}'
        ),
        *("PROJECT_005", "APPEND_006", "APPEND_006", "APPEND_003", "APPEND_006"),
    )


# --- the source


def test_a_selector_on_an_append_is_refused(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            "- {seq: 1, name: a, type: append, selector: ⟦posted,"
            " arguments: {source: {dataset_id: late_entries}}}"
        ),
        "PROJECT_005",
    )
    assert found.message == "an append takes no selector"


@pytest.mark.parametrize(
    ("operation", "missing"),
    [
        ("- ⟦{seq: 1, name: a, type: append}", "arguments"),
        ("- {seq: 1, name: a, type: append, arguments: ⟦{}}", "source"),
        ("- {seq: 1, name: a, type: append, arguments: {source: ⟦{}}}", "dataset_id"),
    ],
)
def test_an_append_has_a_source(operation: str, missing: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(operation), "YAML_003")
    assert found.message == f"required key '{missing}' is missing"


def test_an_unknown_source_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project(append("⟦late_entry")), "APPEND_001")
    assert found.message == "dataset 'late_entry' is not defined"
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'late_entries'?")


def test_a_source_that_another_project_makes_is_told_to_run_first(trial: Trial) -> None:
    maker = project(output(more="register_as_dataset: closed")).replace("trial", "closing")
    text = maker + "---\n" + project(append("⟦closed"))
    (found,) = trial.refuses(text, "APPEND_001")
    assert found.hint == "project 'closing' registers it: run that first"


def test_an_append_that_cannot_be_had_leaves_the_columns_as_they_were(trial: Trial) -> None:
    trial.refuses(
        project(append("⟦nope"), delete("amount = 0 AND ⟦amout = 0", seq=2)),
        "APPEND_001",
        "EXPR_002",
    )


def keyed(keys: str) -> str:
    """An append of the budget, summed by these keys."""
    return append(
        "budget",
        more=f"aggregation: {{group_by: [{keys}],"
        ' aggregations: [{column: amount, expression: "SUM(amount)"}]}',
    )


def test_a_key_may_be_computed_from_the_source_and_its_lookups(trial: Trial) -> None:
    step = trial.step(
        keyed('{column: currency, expression: "LEFT(chart.group_code, 1)"}, account_code')
    )
    assert isinstance(step, AppendStep)
    assert step.keys == ("currency", "account_code")
    assert [each.column for each in step.key_values] == ["currency"]
    assert [each.column for each in step.results] == ["account_code", "amount"]
    assert [join.alias for join in step.joins] == ["chart"]


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ('{column: currency, expression: "⟦kynd"}', "APPEND_006"),
        ('{column: ⟦class, expression: "kind"}', "APPEND_003"),
        ('{column: posting_date, expression: ⟦"kind"}', "APPEND_003"),
        ('account_code, ⟦{column: account_code, expression: "kind"}', "APPEND_005"),
        ('{column: ⟦_labels, expression: "kind"}', "APPEND_005"),
    ],
)
def test_a_computed_key_that_does_not_fit_is_refused(keys: str, code: str, trial: Trial) -> None:
    trial.refuses(project(keyed(keys)), code)
