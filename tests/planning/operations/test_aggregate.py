"""`aggregate`: SPEC sections 2, 3 and 5."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.planning.steps import AggregateStep
from tests.support.trial import LEDGER, Trial, aggregate, delete, project, types, update

BY_ACCOUNT = {
    **{name: kind.rstrip("?") + "?" for name, kind in LEDGER.items()},
    "account_code": "string",
}
"""After an aggregate by account: on summary rows every column is NULL but the key."""


def result(column: str, expression: str = "COUNT(*)", by: str = "account_code") -> str:
    """An aggregate with one result whose column may be anything."""
    return (
        f"- {{seq: 1, name: a, type: aggregate, arguments: {{group_by: [{by}],"
        f' aggregations: [{{column: {column}, expression: "{expression}"}}]}}}}'
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("SUM(amount)", "decimal(28,2)"),
        ("SUM(line_number)", "decimal(30,0)"),
        ("SUM(weight)", "float"),
        ("AVG(amount)", "decimal(24,6)"),
        ("AVG(line_number)", "decimal(24,4)"),
        ("AVG(weight)", "float"),
        ("COUNT(*)", "integer"),
        ("COUNT_ALL()", "integer"),
        ("COUNT(currency)", "integer"),
        ("COUNT_DISTINCT(currency)", "integer"),
        ("MIN_AGG(amount)", "decimal(20,2)"),
        ("MAX_AGG(posting_date)", "date"),
        ("MAX_AGG(currency)", "string"),
        ("MIN_AGG(entered)", "timestamp"),
        ("MAX_AGG(posted)", "boolean"),
        ("MAX_AGG('budget')", "string"),
        ("SUM(amount) / COUNT(*)", "decimal(38,12)"),
        ("SUM(IF(posted, amount, 0))", "decimal(28,2)"),
        ("CONCAT(account_code, ': ', TO_STRING(COUNT(*)))", "string"),
        ("COUNT(*) > 1", "boolean"),
    ],
)
def test_a_result_has_the_type_of_its_expression(
    expression: str, expected: str, trial: Trial
) -> None:
    step = trial.step(aggregate(made=expression))
    assert types(step.columns) == {**BY_ACCOUNT, "made": f"{expected}?"}


def test_keys_keep_what_they_were_and_all_else_may_be_null(trial: Trial) -> None:
    step = trial.step(aggregate(by="journal_id, gl.currency, _period", total="SUM(amount)"))
    assert isinstance(step, AggregateStep)
    assert step.keys == ("journal_id", "currency", "_period")
    assert types(step.columns) == {
        **BY_ACCOUNT,
        "journal_id": "string",
        "account_code": "string?",
        "total": "decimal(28,2)?",
    }


def test_system_columns_keep_what_they_were(trial: Trial) -> None:
    plan = trial.plan(project(aggregate(total="SUM(amount)")))
    before, after = plan.columns.fields, plan.steps[0].columns.fields
    system = [name for name in before if name.startswith("_")]
    assert [after[name] for name in system] == [before[name] for name in system]


def test_source_dataset_may_be_a_key(trial: Trial) -> None:
    step = trial.step(aggregate(by="_source_dataset", total="SUM(amount)"))
    assert isinstance(step, AggregateStep)
    assert step.keys == ("_source_dataset_id",)


def test_a_result_may_go_into_an_existing_column_of_its_type(trial: Trial) -> None:
    step = trial.step(aggregate(amount="SUM(amount)", line_number="COUNT(*)", weight="SUM(amount)"))
    assert types(step.columns) == BY_ACCOUNT
    assert isinstance(step, AggregateStep)
    assert [(r.column, r.expression.type, r.is_new) for r in step.results] == [
        ("amount", t.decimal(18, 2), False),
        ("line_number", t.INTEGER, False),
        ("weight", t.FLOAT, False),
    ]


@pytest.mark.parametrize(
    ("column", "expression", "message"),
    [
        (
            "currency",
            "SUM(amount)",
            "column 'currency' is string, the expression gives decimal(28,2)",
        ),
        (
            "line_number",
            "AVG(line_number)",
            "column 'line_number' is integer, the expression gives decimal(24,4)",
        ),
    ],
)
def test_a_result_that_does_not_convert_is_refused(
    column: str, expression: str, message: str, trial: Trial
) -> None:
    (found,) = trial.refuses(project(result(column, f"⟦{expression}")), "EXPR_004")
    assert found.message == message


def test_a_sum_of_integers_fits_an_integer_column(trial: Trial) -> None:
    """A decimal of scale 0 converts when stored."""
    step = trial.step(aggregate(line_number="SUM(line_number)"))
    assert isinstance(step, AggregateStep)
    assert step.results[0].expression.type == t.INTEGER


def test_a_later_operation_sees_the_results(trial: Trial) -> None:
    plan = trial.plan(
        project(aggregate(total="SUM(amount)"), update(seq=2, share="amount / total"))
    )
    assert types(plan.steps[1].columns)["share"] == "decimal(38,20)?"


# --- keys


def test_keys_are_columns_of_the_working_dataset_not_of_a_lookup(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(aggregate(by="account_code, ⟦accounts.group_code", n="COUNT(*)")), "AGGREGATE_004"
    )
    assert found.message == "unknown column 'accounts.group_code'"
    assert found.hint == (
        "group by a column of the working dataset: bring accounts.group_code in with an update"
    )


def test_a_lookup_column_brought_in_by_an_update_may_be_a_key(trial: Trial) -> None:
    plan = trial.plan(
        project(
            update(group_code="accounts.group_code"),
            aggregate(seq=2, by="group_code", total="SUM(amount)"),
        )
    )
    assert [step.columns.fields["group_code"].nullable for step in plan.steps] == [True, True]


def test_an_unknown_table_before_a_key_is_refused(trial: Trial) -> None:
    trial.refuses(project(aggregate(by="⟦ledger.currency", n="COUNT(*)")), "AGGREGATE_004")


def test_an_unknown_key_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project(aggregate(by="⟦curency", n="COUNT(*)")), "AGGREGATE_004")
    assert found.hint == (
        "did you mean 'currency'?  columns: journal_id, line_number, posting_date, account_code,"
        " currency, amount, weight, posted, entered"
    )


def test_an_unknown_key_may_stand_outside_aggregates_without_a_second_error(trial: Trial) -> None:
    trial.refuses(
        project(aggregate(by="⟦curency", n="COUNT(*)", text="MAX_AGG(journal_id)")), "AGGREGATE_004"
    )


def test_a_missing_group_by_is_empty(trial: Trial) -> None:
    trial.refuses(
        project(
            "- {seq: 1, name: a, type: aggregate, arguments: ⟦"
            '{aggregations: [{column: n, expression: "COUNT(*)"}]}}'
        ),
        "AGGREGATE_001",
    )


def test_missing_arguments_are_two_faults(trial: Trial) -> None:
    trial.refuses(
        project("- ⟦⟦{seq: 1, name: a, type: aggregate}"), "AGGREGATE_001", "AGGREGATE_002"
    )


# --- results


@pytest.mark.parametrize("column", ["Amount", "CURRENCY"])
def test_a_result_that_differs_from_a_column_only_by_case_is_refused(
    column: str, trial: Trial
) -> None:
    trial.refuses(project(result(f"⟦{column}")), "AGGREGATE_006")


def test_a_result_that_differs_from_another_only_by_case_is_refused(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency], aggregations:"
            ' [{column: n, expression: "COUNT(*)"}, {column: ⟦N, expression: "COUNT(*)"}]}}'
        ),
        "AGGREGATE_006",
    )
    assert found.message == "result column 'N' differs from 'n' only by case"


@pytest.mark.parametrize("column", ["1st", '"the total"', '""'])
def test_a_result_s_name_is_a_column_s_name(column: str, trial: Trial) -> None:
    trial.refuses(project(result(f"⟦{column}")), "DATASET_001")


@pytest.mark.parametrize("column", ["_total", "_labels", "_operation_seq"])
def test_no_result_goes_into_a_column_of_the_system(column: str, trial: Trial) -> None:
    trial.refuses(project(result(f"⟦{column}")), "AGGREGATE_005")


def test_a_bad_result_column_does_not_hide_a_bad_expression(trial: Trial) -> None:
    trial.refuses(project(result("⟦_total", "SUM(⟦amout)")), "AGGREGATE_005", "AGGREGATE_004")


def test_the_warning_of_cut_digits_holds_for_results_too(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(update(net="amount"), aggregate(seq=2, net="⟦AVG(amount)")), "UPDATE_007"
    )
    assert found.message == "storing decimal(22,6) in 'net', decimal(20,2), cuts 4 digits of scale"


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("⟦amount", "AGGREGATE_007"),
        ("SUM(amount) + ⟦amount", "AGGREGATE_007"),
        ("⟦account_code", "AGGREGATE_007"),
        ("SUM(⟦AVG(amount))", "AGGREGATE_007"),
        ("⟦MEDIAN(amount)", "EXPR_005"),
        ("SUM(⟦currency)", "EXPR_004"),
        ("⟦SUM()", "EXPR_006"),
        ("⟦SUM(*)", "EXPR_006"),
        ("SUM(⟦fx.rate)", "EXPR_003"),
        ("SUM(amount", "EXPR_001"),
    ],
)
def test_faults_of_aggregate_expressions(expression: str, code: str, trial: Trial) -> None:
    marked = expression if "⟦" in expression else f"{expression}⟦"
    trial.refuses(project(aggregate(made=marked)), code)


# --- lookups


def test_selector_and_expressions_may_use_lookups(trial: Trial) -> None:
    step = trial.step(
        aggregate(selector="accounts.group_code = 'R'", title="MAX_AGG(groups.title)")
    )
    assert [join.alias for join in step.joins] == ["accounts", "groups"]
    assert types(step.columns)["title"] == "string?"


def test_without_mention_no_lookup_is_joined(trial: Trial) -> None:
    assert trial.step(aggregate(total="SUM(amount)")).joins == ()


def test_a_broken_aggregate_does_not_hide_later_faults(trial: Trial) -> None:
    trial.refuses(
        project(aggregate(total="SUM(⟦amout)"), delete("total > 0 AND ⟦amont = 0", seq=2)),
        "AGGREGATE_004",
        "EXPR_002",
    )
