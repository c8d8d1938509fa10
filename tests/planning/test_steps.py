"""Steps of a plan: what each knows of its operation, and the columns after it."""

from __future__ import annotations

from rowbook.planning.steps import OutputStep
from tests.support.trial import (
    LEDGER,
    Trial,
    aggregate,
    append,
    delete,
    output,
    project,
    types,
    update,
)


def test_the_schema_is_followed_through_all_operations(trial: Trial) -> None:
    plan = trial.plan(
        project(
            update(net="amount * 0.5", kind="'actual'", share="0.25"),
            append("budget", seq=2),
            aggregate(seq=3, by="account_code, kind", total="SUM(net)"),
            delete("total IS NULL AND share > 1", seq=4),
            output(seq=5, more="columns: [account_code, total]"),
        )
    )
    made = {**LEDGER, "net": "decimal(21,3)?", "kind": "string?", "share": "decimal(24,6)?"}
    appended = {
        **made,
        "journal_id": "string?",
        "line_number": "integer?",
        "amount": "decimal(18,2)?",
    }
    assert types(plan.columns) == LEDGER
    assert types(plan.steps[0].columns) == made
    assert types(plan.steps[1].columns) == appended
    assert types(plan.steps[2].columns) == {**appended, "total": "decimal(31,3)?"}
    assert plan.steps[3].columns == plan.steps[4].columns == plan.steps[2].columns


def test_steps_know_seq_and_name(trial: Trial) -> None:
    plan = trial.plan(
        project("- {seq: 7, name: Drop zero lines, type: delete, selector: amount = 0}")
    )
    assert [(step.seq, step.name) for step in plan.steps] == [(7, "Drop zero lines")]


def test_columns_that_appended_rows_lack_may_be_null(trial: Trial) -> None:
    """Alignment rule 2."""
    step = trial.step(append("late_entries"))
    assert types(step.columns) == {
        "journal_id": "string",
        "line_number": "integer",
        "posting_date": "date?",
        "account_code": "string?",
        "currency": "string?",
        "amount": "decimal(18,2)",
        "weight": "float?",
        "posted": "boolean?",
        "entered": "timestamp?",
    }


def test_an_append_keeps_the_order_of_columns(trial: Trial) -> None:
    """Alignment rule 3: late_entries declares its columns in another order than they are kept."""
    plan = trial.plan(project(append("late_entries")))
    assert list(plan.steps[0].columns.fields) == list(plan.columns.fields)


def test_an_aggregate_leaves_every_column_in_place(trial: Trial) -> None:
    """BR-009, as far as columns show it."""
    plan = trial.plan(project(aggregate(total="SUM(amount)")))
    business = [f.name for f in plan.steps[0].columns.business]
    assert business == [*(f.name for f in plan.columns.business), "total"]


def test_deleted_rows_are_not_written_unless_asked_for(trial: Trial) -> None:
    """BR-013, as far as a plan shows it."""
    plan = trial.plan(project(output(), output(seq=2, more="include_deleted: true")))
    asked = [step.include_deleted for step in plan.steps if isinstance(step, OutputStep)]
    assert asked == [False, True]
