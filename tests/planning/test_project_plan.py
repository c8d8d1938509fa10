"""Projects: SPEC sections 1 and 5. Order, all faults at once, each once."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound
from rowbook.planning.steps import UpdateStep
from tests.support.trial import (
    BASE,
    Trial,
    aggregate,
    append,
    delete,
    output,
    plan_of,
    project,
    update,
)

# --- order


def test_operations_run_in_the_order_of_seq_not_of_the_file(trial: Trial) -> None:
    plan = trial.plan(
        project(
            delete("twice > 0", seq=30), update(seq=20, twice="net * 2"), update(seq=10, net="1")
        )
    )
    assert [step.seq for step in plan.steps] == [10, 20, 30]


def test_a_column_is_unknown_to_operations_before_it(trial: Trial) -> None:
    trial.refuses(
        project(update(seq=20, net="amount"), update(seq=10, twice="⟦net * 2")), "EXPR_002"
    )


# --- what every operation has


@pytest.mark.parametrize(
    ("operation", "code", "message"),
    [
        ("- {seq: ⟦0, name: a, type: delete}", "PROJECT_002", "seq 0 is not positive"),
        (
            "- {seq: ⟦1.5, name: a, type: delete}",
            "YAML_004",
            "'seq' must be a whole number, not '1.5'",
        ),
        (
            '- {seq: ⟦"1", name: a, type: delete}',
            "YAML_004",
            "'seq' must be a whole number, not '1'",
        ),
        ("- {seq: ⟦[1], name: a, type: delete}", "YAML_004", "'seq' must be a whole number"),
        (
            "- {seq: ⟦9223372036854775808, name: a, type: delete}",
            "PROJECT_002",
            "seq is larger than 9223372036854775807",
        ),
        ("- ⟦{name: a, type: delete}", "YAML_003", "required key 'seq' is missing"),
        ("- ⟦{seq: 1, type: delete}", "PROJECT_003", "an operation needs a name"),
        ('- {seq: 1, name: ⟦"", type: delete}', "PROJECT_003", "an operation needs a name"),
        ('- {seq: 1, name: ⟦" ", type: delete}', "PROJECT_003", "an operation needs a name"),
        (
            '- {seq: 1, id: ⟦"", name: a, type: delete}',
            "PROJECT_003",
            "an operation's id must not be empty",
        ),
        ("- ⟦{seq: 1, name: a}", "YAML_003", "required key 'type' is missing"),
        ("- {seq: 1, name: a, type: ⟦upsert}", "PROJECT_004", "unknown operation type 'upsert'"),
        ("- {seq: 1, name: a, type: ⟦Update}", "PROJECT_004", "unknown operation type 'Update'"),
        ("- {seq: 1, name: a, type: ⟦[delete]}", "PROJECT_004", "an operation's type is a word"),
        ("- ⟦delete", "YAML_004", "an operation must be a mapping"),
        (
            "- {seq: 1, name: a, type: delete, ⟦selecter: posted}",
            "YAML_002",
            "unknown key 'selecter'",
        ),
        (
            "- {seq: 1, name: a, type: delete, selector: ⟦[a]}",
            "YAML_004",
            "'selector' must be an expression",
        ),
        (
            "- {seq: 1, name: a, type: update, arguments: ⟦[a]}",
            "YAML_004",
            "'arguments' must be a mapping",
        ),
        (
            "- {seq: 1, name: a, type: update, arguments: {assignments: ⟦{net: 1}}}",
            "YAML_004",
            "'assignments' must be a list",
        ),
    ],
)
def test_faults_of_an_operation(operation: str, code: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(operation), code)
    assert found.message == message


def test_a_seq_that_is_taken_names_the_next_free_one(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete(seq=10), delete(seq=40), delete(seq=10).replace("seq: ", "seq: ⟦")),
        "PROJECT_002",
    )
    assert (found.message, found.hint) == ("seq 10 stands twice", "the next free one is 41")


def test_an_operation_type_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project("- {seq: 1, name: a, type: ⟦agregate}"), "PROJECT_004")
    assert found.hint == (
        "did you mean 'aggregate'?  types: update, aggregate, append, delete, output"
    )


@pytest.mark.parametrize("identifier", ["op-001", "1", '"any text, really"'])
def test_the_id_of_an_operation_is_any_text(identifier: str, trial: Trial) -> None:
    trial.step(f"- {{seq: 1, id: {identifier}, name: a, type: delete}}")


# --- arguments, also called parameters


@pytest.mark.parametrize("key", ["arguments", "parameters"])
def test_arguments_are_read_under_both_names(key: str, trial: Trial) -> None:
    step = trial.step(update(net="1").replace("arguments:", f"{key}:"))
    assert isinstance(step, UpdateStep)
    assert [r.column for r in step.assignments] == ["net"]


def test_faults_below_parameters_stand_at_their_places(trial: Trial) -> None:
    trial.refuses(
        project(
            "- {seq: 1, name: a, type: update, parameters: {joins: [{alias: fx, dataset_id: ⟦rats,"
            ' on: "TRUE"}], assignments: [{column: ⟦Amount, expression: "⟦amout"}]}}',
            "- {seq: 2, name: b, type: append, parameters: {source: {dataset_id: ⟦budgt}}}",
            "- {seq: 3, name: c, type: aggregate, parameters: {group_by: [⟦curency],"
            ' aggregations: [{column: n, expression: "COUNT(*)"}]}}',
            "- {seq: 4, name: d, type: output, parameters:"
            " {destination: {location: {path: ⟦/etc/x}}, columns: [⟦amout]}}",
        ),
        *("JOIN_001", "UPDATE_002", "EXPR_002", "APPEND_001", "AGGREGATE_004"),
        *("DATASOURCE_004", "OUTPUT_002"),
    )


def test_not_under_both_at_once(trial: Trial) -> None:
    operation = update(net="1").replace(
        "arguments:", "arguments: {assignments: [{column: a, expression: 1}]}, ⟦parameters:"
    )
    (found,) = trial.refuses(project(operation), "YAML_002")
    assert found.message == "unknown key 'parameters'"


# --- all faults at once, each once


def test_every_operation_s_faults_are_found_sorted_by_place(trial: Trial) -> None:
    trial.refuses(
        project(
            output(seq=50, selector="⟦amout = 0"),
            delete("⟦curency = 'EUR'", seq=40),
            append("⟦budget", seq=30),
            aggregate(seq=20, by="⟦acount_code", n="COUNT(*)"),
            update(seq=10, net="⟦NOPE(amount)"),
        ),
        *("OUTPUT_001", "EXPR_002", "APPEND_003", "AGGREGATE_004", "EXPR_005"),
    )


def test_an_operation_that_cannot_be_read_does_not_hide_the_others(trial: Trial) -> None:
    trial.refuses(
        project(
            delete("⟦amout = 0", seq=1),
            "- {seq: 2, name: b, type: ⟦upsert}",
            delete("⟦COUNT(*) = 1", seq=3),
        ),
        *("EXPR_002", "PROJECT_004", "EXPR_007"),
    )


def test_columns_it_may_have_made_are_no_second_error(trial: Trial) -> None:
    """What the unreadable operation would have added is not known: later on, any name may be."""
    trial.refuses(
        project(
            delete("⟦net > 0", seq=1),
            "- {seq: 2, name: b, type: ⟦upsert}",
            delete("net > 0", seq=3),
            aggregate(seq=4, by="net", total="SUM(what)"),
            append("budget", seq=5),
            output(seq=6, more="columns: [net, ever]"),
        ),
        "EXPR_002",
        "PROJECT_004",
    )


def test_where_even_its_seq_is_unreadable_that_holds_from_the_start(trial: Trial) -> None:
    trial.refuses(
        project("- ⟦{name: b, type: delete}", delete("net > 0", seq=3), delete("⟦1 + 1", seq=4)),
        "YAML_003",
        "SELECTOR_003",
    )


def test_an_unknown_key_does_not_make_an_operation_unreadable(trial: Trial) -> None:
    trial.refuses(
        project(
            update(net="1").replace("name:", "⟦nme: x, name:"),
            delete("net > 0 AND ⟦amout = 0", seq=2),
        ),
        "YAML_002",
        "EXPR_002",
    )


def test_a_project_with_errors_has_no_plan(trial: Trial) -> None:
    assert trial.check(project(delete("amout = 0"))).projects["trial"].plan is None


def test_nor_one_with_an_unreadable_operation(trial: Trial) -> None:
    checked = trial.check(project(delete("posted"), "- {seq: 2, name: b, type: upsert}"))
    assert checked.projects["trial"].plan is None


def test_but_one_with_warnings_has(trial: Trial) -> None:
    checked = trial.check(project(update(net="amount"), update(seq=2, net="amount * 0.125")))
    assert [d.severity for d in checked.diagnostics] == ["warning"]
    assert plan_of(checked).steps


def test_several_projects_are_all_checked(trial: Trial) -> None:
    second = project(delete("⟦amont = 0")).replace("name: trial", "name: other")
    trial.refuses(project(delete("⟦amout = 0")) + "---\n" + second, "EXPR_002", "EXPR_002")


# --- the input dataset


def test_an_unknown_input_is_one_finding(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            update(net="gl.amount * 2", title="accounts.title", selector="{{mine}}"),
            aggregate(seq=2, by="gl.region", total="SUM(gl.net)"),
            delete("entity = 'X' AND gl.net > 0", seq=3),
            append("late_entries", seq=4),
            output(seq=5, more="columns: [gl.amount, region]", selector="gl.x IS NULL"),
            input_dataset_id="⟦gl_entry",
            more='selectors: {mine: "gl.owner = 1"}',
        ),
        "PROJECT_001",
    )
    assert found.message == "dataset 'gl_entry' is not defined"
    assert (found.hint or "").startswith("did you mean 'gl_entries'?")


def test_other_faults_are_found_without_it(trial: Trial) -> None:
    trial.refuses(
        project(
            update(net="gl.amount +⟦"),
            delete("⟦'a' = 1", seq=2),
            output(seq=3, to="⟦{}"),
            input_dataset_id="⟦gl_entry",
        ).replace("gl_entry", "nothing_like_it"),
        *("PROJECT_001", "UPDATE_005", "EXPR_004", "OUTPUT_003"),
    )


def test_an_input_that_another_project_makes_is_told_to_run_first(trial: Trial) -> None:
    maker = project(output(more="register_as_dataset: closed")).replace("trial", "closing")
    text = maker + "---\n" + project(delete("TRUE"), input_dataset_id="⟦closed")
    (found,) = trial.refuses(text, "PROJECT_001")
    assert found.hint == "project 'closing' registers it: run that first"


@pytest.mark.parametrize(
    "reference", ["edbc01a2-52f9-57f9-a8c7-70daec46e7c7", "EDBC01A2-52F9-57F9-A8C7-70DAEC46E7C7"]
)
def test_the_input_is_named_by_its_id_too(reference: str, trial: Trial) -> None:
    """The id is uuid5 of dataset:gl_entries."""
    plan = trial.plan(project(delete("gl.posted"), input_dataset_id=reference))
    assert plan.input.name == "gl_entries"


# --- form


@pytest.mark.parametrize("operations", ["[]", "null", ""])
def test_a_project_without_operations_is_a_warning(operations: str, trial: Trial) -> None:
    text = f"project: {{name: trial, input_dataset_id: gl_entries, operations: {operations}}}"
    (found,) = trial.check(text).diagnostics
    assert (found.code, found.severity) == ("PROJECT_007", "warning")
    assert found.message == "project 'trial' has no operations"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("project: ⟦{name: trial}", "YAML_003", "required key 'input_dataset_id' is missing"),
        (
            "project: {name: ⟦my trial, input_dataset_id: gl_entries}",
            "WORKSPACE_003",
            "'my trial' is not a name",
        ),
        (
            "project: {name: trial, input_dataset_id: gl_entries, operations: ⟦{a: b}}",
            "YAML_004",
            "'operations' must be a list",
        ),
        (
            "project: {name: trial, input_dataset_id: gl_entries, selectors: ⟦[a]}",
            "YAML_004",
            "'selectors' must be a mapping",
        ),
        (
            "project: {name: trial, input_dataset_id: gl_entries, id: ⟦x-1}",
            "YAML_004",
            "'x-1' is not a UUID",
        ),
    ],
)
def test_faults_of_form(text: str, code: str, message: str, trial: Trial) -> None:
    found = [d for d in trial.check(text).diagnostics if d.severity == "error"]
    column = text.index("⟦") + 1
    assert [(d.code, str(d.position), d.message) for d in found] == [
        (code, f"projects/trial.yaml:1:{column}", message)
    ]


def test_an_unreadable_dataset_is_no_second_error_where_it_is_used(trial: Trial) -> None:
    broken = BASE.replace("  name: gl_entries\n  main_table:", "  name: gl_entries\n  main_tabel:")
    checked = trial.check(project(update(net="gl.amount")), base=broken)
    assert [d.code for d in checked.diagnostics] == ["YAML_003", "YAML_002"]


def test_the_plan_knows_what_it_reads(trial: Trial) -> None:
    join = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'
    plan = trial.plan(project(update(joins=join, net="fx.rate"), append("late_entries", seq=2)))
    assert (plan.input.name, plan.input.version) == ("gl_entries", 1)
    assert [join.dataset.name for step in plan.steps for join in step.joins] == ["rates"]
    assert bound.columns(plan.steps[0].joins[0].condition) == {
        (None, "currency"),
        ("fx", "currency"),
    }
