"""`update`: SPEC sections 2 and 5."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.planning.steps import UpdateStep
from tests.support.trial import LEDGER, Trial, delete, project, types, update

FX = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'


def assignment(column: str, expression: str) -> str:
    """An update of one column whose name may be anything."""
    return (
        "- {seq: 1, name: a, type: update, arguments:"
        f' {{assignments: [{{column: {column}, expression: "{expression}"}}]}}}}'
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("currency", "string?"),
        ("CONCAT(journal_id, '-', TO_STRING(line_number))", "string?"),
        ("line_number", "integer?"),
        ("line_number * 2", "integer?"),
        ("FLOOR(amount)", "integer?"),
        ("weight * amount", "float?"),
        ("SQRT(amount)", "float?"),
        ("amount > 0", "boolean?"),
        ("posting_date + 30", "date?"),
        ("NOW()", "timestamp?"),
        ("IF(posted, posting_date, entered)", "timestamp?"),
        # decimals: at least 18 digits before the point
        ("amount", "decimal(20,2)?"),
        ("amount + 0.5", "decimal(20,2)?"),
        ("amount + 0.125", "decimal(21,3)?"),
        ("amount * 2", "decimal(20,2)?"),
        ("amount * 0.9", "decimal(21,3)?"),
        ("amount * amount", "decimal(37,4)?"),
        ("amount / 3", "decimal(24,6)?"),
        ("line_number / 2", "decimal(26,6)?"),
        ("TO_DECIMAL(amount, 9, 2)", "decimal(20,2)?"),
        ("TO_DECIMAL(amount, 38, 2)", "decimal(38,2)?"),
        ("TO_DECIMAL(amount, 38, 30)", "decimal(38,30)?"),
        ("IF(posted, amount, line_number)", "decimal(22,2)?"),
        # from literals alone: at least 6 digits after it
        ("0.1", "decimal(24,6)?"),
        ("-0.1", "decimal(24,6)?"),
        ("0.1 + 1", "decimal(24,6)?"),
        ("0.12345678", "decimal(26,8)?"),
        ("1 / 3", "decimal(24,6)?"),
        ("TO_DECIMAL('1.5', 9, 2) + 0", "decimal(24,6)?"),
        ("CASE WHEN posted THEN 0.1 END", "decimal(19,1)?"),
        # but where TO_DECIMAL names the scale
        ("TO_DECIMAL('1.5', 9, 2)", "decimal(20,2)?"),
        ("CASE WHEN TRUE THEN TO_DECIMAL('1.5', 9, 2) END", "decimal(20,2)?"),
        ("CASE WHEN TRUE THEN TO_DECIMAL('1.5', 9, 2) ELSE 0.1 END", "decimal(24,6)?"),
        ("1", "integer?"),
        ("12345678901234567890", "decimal(26,6)?"),
    ],
)
def test_a_new_column_has_the_type_of_its_expression(
    expression: str, expected: str, trial: Trial
) -> None:
    assert types(trial.step(update(made=expression)).columns) == {**LEDGER, "made": expected}


def test_a_new_column_stands_after_the_business_columns(trial: Trial) -> None:
    columns = list(trial.step(update(made="1")).columns.fields)
    assert columns[len(LEDGER)] == "made"
    assert all(name.startswith("_") for name in columns[len(LEDGER) + 1 :])


def test_an_existing_column_keeps_its_type(trial: Trial) -> None:
    step = trial.step(
        update(amount="amount / 3", weight="amount", entered="posting_date", line_number="FLOOR(1)")
    )
    assert types(step.columns) == {**LEDGER, "amount": "decimal(18,2)?", "line_number": "integer"}


def test_values_are_converted_to_their_column(trial: Trial) -> None:
    step = trial.step(update(weight="amount", line_number="TO_DECIMAL(amount, 9, 0)"))
    assert isinstance(step, UpdateStep)
    assert [(r.column, r.expression.type, r.is_new) for r in step.assignments] == [
        ("weight", t.FLOAT, False),
        ("line_number", t.INTEGER, False),
    ]
    assert all(isinstance(r.expression, bound.Convert) for r in step.assignments)


@pytest.mark.parametrize(
    ("column", "expression", "message", "hint"),
    [
        (
            "line_number",
            "amount",
            "column 'line_number' is integer, the expression gives decimal(18,2)",
            "convert it with TO_INTEGER(…), ROUND(…) or FLOOR(…)",
        ),
        (
            "line_number",
            "currency",
            "column 'line_number' is integer, the expression gives string",
            "convert it with TO_INTEGER(…)",
        ),
        (
            "amount",
            "weight",
            "column 'amount' is decimal(18,2), the expression gives float",
            "convert it with TO_DECIMAL(…, 18, 2)",
        ),
        (
            "currency",
            "line_number",
            "column 'currency' is string, the expression gives integer",
            "convert it with TO_STRING(…)",
        ),
        (
            "posting_date",
            "'2026-01-31'",
            "column 'posting_date' is date, the expression gives string",
            "convert it with DATE(…) or TO_DATE(…, 'yyyy-MM-dd')",
        ),
        (
            "posting_date",
            "entered",
            "column 'posting_date' is date, the expression gives timestamp",
            "convert it with DATE(…) or TO_DATE(…, 'yyyy-MM-dd')",
        ),
        (
            "entered",
            "currency",
            "column 'entered' is timestamp, the expression gives string",
            "convert it with TIMESTAMP(…)",
        ),
        ("posted", "1", "column 'posted' is boolean, the expression gives integer", None),
    ],
)
def test_what_does_not_convert_implicitly_is_refused(
    column: str, expression: str, message: str, hint: str | None, trial: Trial
) -> None:
    (found,) = trial.refuses(project(assignment(column, f"⟦{expression}")), "EXPR_004")
    assert (found.message, found.hint) == (message, hint)


def test_assignments_do_not_see_each_other(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(net="amount", twice="⟦net * 2")), "EXPR_002")
    assert found.message == "unknown column 'net'"


def test_a_later_operation_sees_what_an_earlier_one_made(trial: Trial) -> None:
    plan = trial.plan(
        project(
            update(net="amount * 0.9"),
            update(seq=2, twice="net * 2"),
            update(seq=3, label="CONCAT('net ', TO_STRING(twice))"),
        )
    )
    assert [types(step.columns) for step in plan.steps] == [
        {**LEDGER, "net": "decimal(21,3)?"},
        {**LEDGER, "net": "decimal(21,3)?", "twice": "decimal(23,3)?"},
        {**LEDGER, "net": "decimal(21,3)?", "twice": "decimal(23,3)?", "label": "string?"},
    ]


@pytest.mark.parametrize("selector", [None, "posted"])
def test_null_stays_possible_because_deleted_rows_are_not_touched(
    selector: str | None, trial: Trial
) -> None:
    step = trial.step(update(selector=selector, made="1", currency="'EUR'", account_code="'4000'"))
    assert types(step.columns) == {**LEDGER, "made": "integer?"}


def test_a_value_that_may_be_null_makes_its_column_nullable(trial: Trial) -> None:
    step = trial.step(update(journal_id="currency"))
    assert types(step.columns) == {**LEDGER, "journal_id": "string?"}


def test_a_new_column_from_a_bare_null_has_no_type(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(made="⟦NULL")), "EXPR_004")
    assert found.message == "new column 'made' has no type: its value is a bare NULL"
    assert found.hint == "say the type: TO_DECIMAL(NULL, 18, 2), TO_STRING(NULL), DATE(NULL)"


def test_a_typed_null_makes_a_column(trial: Trial) -> None:
    step = trial.step(update(a="TO_DECIMAL(NULL, 18, 2)", b="TO_STRING(NULL)", c="DATE(NULL)"))
    made = {"a": "decimal(20,2)?", "b": "string?", "c": "date?"}
    assert types(step.columns) == {**LEDGER, **made}


@pytest.mark.parametrize("written", ["NULL", "null", '"NULL"'])
def test_null_may_be_assigned_to_an_existing_column(written: str, trial: Trial) -> None:
    operation = (
        "- {seq: 1, name: a, type: update, arguments:"
        f" {{assignments: [{{column: journal_id, expression: {written}}}]}}}}"
    )
    assert types(trial.step(operation).columns)["journal_id"] == "string?"


@pytest.mark.parametrize("written", ["42", "0.9", "TRUE", "amount"])
def test_an_expression_needs_no_quotes(written: str, trial: Trial) -> None:
    operation = (
        "- {seq: 1, name: a, type: update, arguments:"
        f" {{assignments: [{{column: made, expression: {written}}}]}}}}"
    )
    kinds = {"42": "integer?", "0.9": "decimal(24,6)?", "TRUE": "boolean?"}
    assert types(trial.step(operation).columns)["made"] == kinds.get(written, "decimal(20,2)?")


# --- names of columns


@pytest.mark.parametrize(
    "column", ["1st", "net-amount", '"net amount"', "größe", '""', "gl.amount", '"a\\n"']
)
def test_a_column_is_named_with_letters_digits_and_underscores(column: str, trial: Trial) -> None:
    trial.refuses(project(assignment(f"⟦{column}", "1")), "UPDATE_002")


def test_a_name_that_differs_only_by_case_is_refused(trial: Trial) -> None:
    (found,) = trial.refuses(project(assignment("⟦Amount", "1")), "UPDATE_002")
    assert found.message == "column 'Amount' differs from 'amount' only by case"
    assert found.hint == "did you mean 'amount'?"


def test_also_against_another_assignment_and_a_column_made_before(trial: Trial) -> None:
    trial.refuses(
        project(
            "- {seq: 1, name: a, type: update, arguments: {assignments:"
            ' [{column: net, expression: "1"}, {column: ⟦NET, expression: "2"}]}}',
            "- {seq: 2, name: b, type: update, arguments:"
            ' {assignments: [{column: ⟦Net, expression: "1"}]}}',
        ),
        "UPDATE_002",
        "UPDATE_002",
    )


def test_a_column_is_assigned_once(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            "- {seq: 1, name: a, type: update, arguments: {assignments:"
            ' [{column: net, expression: "1"}, {column: ⟦net, expression: "2"}]}}'
        ),
        "UPDATE_006",
    )
    assert found.message == "column 'net' is assigned twice"


@pytest.mark.parametrize(
    "column",
    [
        *("_row_id", "_source_dataset_id", "_source_dataset", "_source_table", "_operation_seq"),
        *("_created_by_project_id", "_created_by_run_id", "_created_at", "_updated_at"),
        *("_deleted", "_period", "_valid_from", "_mine", "_", "_LABELS"),
    ],
)
def test_names_of_the_system_are_not_assigned(column: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(assignment(f"⟦{column}", "1")), "SYSTEM_COLUMN")
    assert found.message == f"'{column}' belongs to the system: an update may assign _labels only"


def test_labels_are_the_exception(trial: Trial) -> None:
    step = trial.step(update(_labels="CONCAT(_labels, '{region:EMEA}')"))
    assert types(step.columns) == LEDGER
    assert str(step.columns.fields["_labels"].type) == "string"
    assert not step.columns.fields["_labels"].nullable


def test_labels_are_text(trial: Trial) -> None:
    trial.refuses(project(update(_labels="⟦line_number")), "EXPR_004")


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("_row_id", "string"),
        ("_source_dataset_id", "string"),
        ("_source_dataset", "string"),
        ("_source_table", "string"),
        ("_operation_seq", "integer"),
        ("_created_by_project_id", "string"),
        ("_created_by_run_id", "string"),
        ("_created_at", "timestamp"),
        ("_updated_at", "timestamp"),
        ("_deleted", "boolean"),
        ("_labels", "string"),
        ("_period", "string"),
    ],
)
def test_every_system_column_may_be_read(column: str, kind: str, trial: Trial) -> None:
    step = trial.step(update(made=column, same=f"gl.{column}"))
    assert types(step.columns) == {**LEDGER, "made": f"{kind}?", "same": f"{kind}?"}


def test_source_dataset_is_read_as_source_dataset_id(trial: Trial) -> None:
    step = trial.step(update(made="_source_dataset"))
    assert isinstance(step, UpdateStep)
    assert bound.columns(step.assignments[0].expression) == {(None, "_source_dataset_id")}


# --- one fault is one finding


def test_all_faults_of_an_operation_are_found_at_once(trial: Trial) -> None:
    trial.refuses(
        project(
            "- {seq: 1, name: a, type: update, selector: ⟦amout > 0, arguments: {"
            "joins: [{alias: fx, dataset_id: ⟦rats, on: ⟦curency = fx.currency}],"
            " assignments: [{column: ⟦Amount, expression: ⟦weigth}, {column: net,"
            " expression: ⟦amount + currency}, {column: ⟦net, expression: ⟦NOPE(1)},"
            " {column: ⟦_x, expression: 1 +⟦}]}}"
        ),
        *("EXPR_002", "JOIN_001", "EXPR_002", "UPDATE_002", "EXPR_002", "EXPR_004"),
        *("UPDATE_006", "EXPR_005", "SYSTEM_COLUMN", "UPDATE_005"),
    )


def test_a_faulty_expression_does_not_make_its_column_unknown(trial: Trial) -> None:
    trial.refuses(
        project(
            update(net="⟦amout * 2"),
            update(seq=2, twice="net * 2", text="CONCAT(net, 'x')"),
            delete("net > 0 AND twice = 'a'", seq=3),
        ),
        "EXPR_002",
    )


def test_a_fault_in_a_value_leaves_the_type_of_an_existing_column(trial: Trial) -> None:
    trial.refuses(
        project(update(amount="⟦currency"), update(seq=2, currency="⟦amount")),
        "EXPR_004",
        "EXPR_004",
    )


def test_an_undefined_selector_in_an_assignment_is_the_update_s(trial: Trial) -> None:
    trial.refuses(project(update(net="IF(⟦{{nope}}, 1, 2)")), "UPDATE_003")


def test_a_selector_that_is_not_boolean_is_marked_as_a_whole(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(selector="⟦amount + 1", net="1")), "SELECTOR_003")
    assert found.message == "the condition gives decimal(19,2), not true or false"
    assert found.snippet is not None
    assert (found.snippet.text, found.snippet.start, found.snippet.end) == ("amount + 1", 0, 10)


def test_a_hint_names_the_nearest_column_and_lists_the_others(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(net="⟦gl.amout")), "EXPR_002")
    assert found.hint == (
        "did you mean 'gl.amount'?  columns: journal_id, line_number, posting_date, account_code,"
        " currency, amount, weight, posted, entered, _row_id, _source_dataset_id, _source_table …"
    )


def test_a_hint_names_the_alias_that_has_the_column(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(joins=FX, net="⟦rate")), "EXPR_002")
    assert found.hint == "did you mean 'fx.rate'?"


def test_a_hint_names_the_nearest_function(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(net="⟦COALESC(amount, 1)")), "EXPR_005")
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'COALESCE'?")


# --- warnings


def test_storing_into_a_column_of_the_project_warns_where_digits_are_cut(trial: Trial) -> None:
    text = project(update(net="amount"), update(seq=2, net="⟦amount * 1.125"))
    (found,) = trial.refuses(text, "UPDATE_007")
    assert found.severity == "warning"
    assert found.message == (
        "storing decimal(23,5) in 'net', decimal(20,2), cuts 3 digits of scale"
    )
    assert trial.check(text).projects["trial"].plan is not None


def test_storing_into_a_declared_column_does_not_warn(trial: Trial) -> None:
    assert types(trial.step(update(amount="amount * 1.125")).columns) == LEDGER


def test_a_product_that_needs_more_than_38_digits_warns(trial: Trial) -> None:
    text = project(
        update(wide="TO_DECIMAL(amount, 38, 10)"), update(seq=2, square="1 + ⟦wide * wide")
    )
    (found,) = trial.refuses(text, "EXPR_009")
    assert found.severity == "warning"
    assert found.message == (
        "decimal(38,10) * decimal(38,10) needs 77 digits: the result keeps 6 of 20 decimal places"
    )
    plan = trial.check(text).projects["trial"].plan
    assert plan is not None
    assert types(plan.steps[-1].columns)["square"] == "decimal(38,6)?"
