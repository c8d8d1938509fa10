"""Parameters of a project: how they are declared, what a run may be given for them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from rowbook.definitions.yaml.nodes import Scalar
from rowbook.expressions.bound import Parameter
from rowbook.expressions.types import parse_type
from rowbook.expressions.values import Value
from rowbook.planning.operations.english import step_in_words
from rowbook.planning.project_plan import ProjectPlan, Surroundings, plan_project
from rowbook.planning.resolution.parameter_values import (
    GivenParameters,
    ParameterInput,
    ParameterValue,
)
from rowbook.planning.scenario_cells import read_cell
from tests.support.trial import Trial, append, delete, output, project, types, update

THRESHOLD = 'parameters: {threshold: {type: "decimal(18,2)", default: 5000}}'


def given(
    trial: Trial, text: str, **values: ParameterInput
) -> tuple[ProjectPlan | None, list[str]]:
    """The plan of the text's project for a run that is given values, and the codes of findings."""
    checked = trial.check(text)
    (entry,) = checked.files.projects
    planned = plan_project(entry, Surroundings(checked.known, given=GivenParameters(values)))
    return planned.plan, [d.code for d in planned.diagnostics if d.severity == "error"]


def value(trial: Trial, kind: str, of: ParameterInput) -> Value:
    """What a parameter of a type has when it is given something; None where that does not fit."""
    text = project(delete(), more=f'parameters: {{p: {{type: "{kind}"}}}}')
    plan, codes = given(trial, text, p=of)
    assert codes == ([] if plan else ["PARAMETER_003"])
    return plan.parameters[0].parameter.value if plan else None


# --- declared


def test_a_parameter_may_stand_in_every_expression(trial: Trial) -> None:
    summed = '{column: amount, expression: "SUM(plan.amount) - param.threshold"}'
    on = "gl.currency = fx.currency AND fx.rate < param.threshold"
    trial.accepts(
        project(
            append(
                "budget",
                seq=1,
                more='source_selector: "plan.amount > param.threshold",'
                f" aggregation: {{group_by: [account_code], aggregations: [{summed}]}}",
            ),
            update(
                seq=2,
                selector="{{large}}",
                joins=f'{{alias: fx, dataset_id: rates, on: "{on}"}}',
                over="amount - param.threshold",
            ),
            output(seq=3, selector="amount > param.threshold"),
            more=f'{THRESHOLD}\nselectors: {{large: "amount > param.threshold"}}',
        )
    )


def test_a_parameter_has_its_type_and_is_never_null(trial: Trial) -> None:
    more = "parameters: {n: {type: integer, default: 1}, s: {type: string}}"
    plan = trial.plan(project(update(times="amount * param.n", label="param.s"), more=more))
    after = types(plan.steps[0].columns)
    assert after["times"] == "decimal(38,2)?"  # a literal 1 would make it decimal(20,2)
    assert after["label"] == "string?"
    assert not plan.steps[0].columns.fields["amount"].nullable


@pytest.mark.parametrize(
    ("more", "selector", "code"),
    [
        (THRESHOLD, "amount > ⟦param.treshold", "PARAMETER_001"),
        ("description: none", "amount > ⟦param.threshold", "PARAMETER_001"),
        ("parameters: {threshold: {type: ⟦number}}", "amount > param.threshold", "PARAMETER_004"),
        ("parameters: {a: {type: integer, default: ⟦1.5}}", "param.a = 1", "PARAMETER_003"),
        (
            "parameters: {a: {type: date, default: ⟦31.01.2026}}",
            "param.a > TODAY()",
            "PARAMETER_003",
        ),
        ("parameters: {a: {type: integer, ⟦defualt: 1}}", "param.a = 1", "YAML_002"),
        ("parameters: {a: ⟦{type: integer}, b: {type: integer}}", "param.b > 1", "PARAMETER_005"),
        (THRESHOLD, "⟦code = param.threshold", "EXPR_002"),
    ],
)
def test_what_is_wrong_with_it_is_found_at_its_place(
    more: str, selector: str, code: str, trial: Trial
) -> None:
    trial.refuses(project(delete(selector), more=more), code)


def test_a_name_that_cannot_be_written_is_refused(trial: Trial) -> None:
    more = "parameters: {⟦a-b: ⟦{type: string}}"
    trial.refuses(project(delete(), more=more), "PARAMETER_004", "PARAMETER_005")


def test_a_name_that_is_near_is_proposed(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete("amount > ⟦param.treshold"), more=THRESHOLD), "PARAMETER_001"
    )
    assert found.hint == "did you mean 'threshold'?  parameters: threshold"


def test_lookups_of_datasets_know_no_parameters(trial: Trial) -> None:
    text = """\
dataset:
  name: other
  main_table: {name: other, columns: [{name: code, type: string}]}
  lookups: [{alias: chart, dataset_id: accounts, on: "other.code = ⟦param.code"}]
"""
    trial.refuses(text, "EXPR_003")


def test_a_table_of_that_name_stays_what_it_was(trial: Trial) -> None:
    text = """\
dataset: {name: odd, main_table: {name: param, columns: [{name: amount, type: integer}]}}
---
project:
  name: p
  input_dataset_id: odd
  operations: [{seq: 1, name: d, type: delete, selector: "param.amount > 1"}]
"""
    trial.accepts(text)


def test_no_join_is_called_param(trial: Trial) -> None:
    joins = '{alias: ⟦param, dataset_id: rates, on: "gl.currency = param.currency"}'
    trial.refuses(project(update(joins=joins, r="param.rate"), more=THRESHOLD), "JOIN_006")


# --- given


@pytest.mark.parametrize(
    ("kind", "of", "expected"),
    [
        ("decimal(18,2)", "6000", Decimal("6000.00")),
        ("decimal(18,2)", 6000, Decimal("6000.00")),
        ("decimal(18,2)", 0.5, Decimal("0.50")),
        ("decimal(18,2)", Decimal("-1.25"), Decimal("-1.25")),
        ("decimal(18,2)", "0.005", None),
        ("decimal(4,2)", "100", None),
        ("decimal(18,2)", "1,000", None),
        ("integer", "12", 12),
        ("integer", "1.5", None),
        ("integer", True, None),
        ("float", "1.5", 1.5),
        ("float", 1e300, 1e300),
        ("boolean", True, True),
        ("boolean", "FALSE", False),
        ("boolean", "yes", None),
        ("string", "", ""),
        ("string", "null", "null"),
        ("string", 7, "7"),
        ("date", "2026-01-31", date(2026, 1, 31)),
        ("date", date(2026, 1, 31), date(2026, 1, 31)),
        ("date", "2026-02-31", None),
        ("timestamp", datetime(2026, 1, 31, 10, tzinfo=UTC), datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("timestamp", "2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
    ],
)
def test_texts_and_values_of_python_are_read_by_the_type(
    kind: str, of: ParameterInput, expected: Value, trial: Trial
) -> None:
    found = value(trial, kind, of)
    assert (found, type(found)) == (expected, type(expected))


def test_what_is_given_counts_before_the_default_and_can_be_given_again(trial: Trial) -> None:
    text = project(delete("amount < param.threshold"), more=THRESHOLD)
    plan, _ = given(trial, text, threshold="6000")
    assert plan is not None
    (found,) = plan.parameters
    assert (found.text, found.is_default) == ("6000.00", False)
    assert step_in_words(plan.steps[0]) == (
        "Deletes the rows where amount is less than threshold (6,000.00)."
    )
    by_default, _ = given(trial, text)
    assert by_default is not None
    assert (by_default.parameters[0].text, by_default.parameters[0].is_default) == ("5000.00", True)


def test_all_that_is_wrong_with_what_is_given_is_told_at_once(trial: Trial) -> None:
    more = "parameters: {day: {type: date}, limit: {type: integer}, label: {type: string}}"
    plan, codes = given(trial, project(delete(), more=more), day="soon", lable="x")
    assert plan is None
    assert codes == ["PARAMETER_003", "PARAMETER_001", "PARAMETER_002", "PARAMETER_002"]


def test_a_check_needs_no_values(trial: Trial) -> None:
    text = project(delete("amount < param.a"), more="parameters: {a: {type: integer}}")
    plan = trial.plan(text)
    assert plan.parameters[0].parameter.value is None
    assert step_in_words(plan.steps[0]) == "Deletes the rows where amount is less than a."


def test_null_is_no_value(trial: Trial) -> None:
    checked = trial.check(project(delete(), more="parameters: {a: {type: string}}"))
    (entry,) = checked.files.projects
    nothing = GivenParameters({"a": Scalar("null", 0, 0)})
    planned = plan_project(entry, Surroundings(checked.known, given=nothing))
    assert "PARAMETER_003" in [each.code for each in planned.diagnostics]


@drawn(
    st.one_of(
        st.tuples(st.just("string"), st.text()),
        st.tuples(st.just("integer"), st.integers(-(2**63), 2**63 - 1)),
        st.tuples(st.just("boolean"), st.booleans()),
        st.tuples(st.just("date"), st.dates()),
        st.tuples(st.just("timestamp"), st.datetimes(timezones=st.just(UTC))),
        st.tuples(st.just("float"), st.floats(allow_nan=False, allow_infinity=False)),
        st.tuples(
            st.just("decimal(38,10)"),
            st.decimals(-(10**27), 10**27, allow_nan=False, allow_infinity=False, places=10),
        ),
    )
)
def test_what_is_recorded_comes_back_as_the_same_value(given: tuple[str, Value]) -> None:
    kind = parse_type(given[0])
    assert kind is not None
    recorded = ParameterValue(Parameter("p", given[1], kind), is_default=False).text
    assert read_cell(recorded, kind) == given[1]


# --- of a scenario


def test_a_scenario_that_gives_what_cannot_be_is_refused_at_its_place(trial: Trial) -> None:
    text = f"""\
{project(delete("amount < param.threshold"), more=THRESHOLD)}
---
scenario:
  name: one
  period: 2026-01
  project: trial
  parameters: {{⟦treshold: 1, threshold: ⟦x}}
  input: {{gl_entries: {{rows: []}}}}
  expect: {{working: {{rows: []}}}}
"""
    trial.refuses(text, "PARAMETER_001", "PARAMETER_003")


def test_a_scenario_gives_what_has_no_default(trial: Trial) -> None:
    more = "parameters: {threshold: {type: integer}}"
    head = f"""\
{project(delete("amount < param.threshold"), more=more)}
---
scenario:
  name: one
  period: 2026-01
  project: trial
  input: {{gl_entries: {{rows: []}}}}
  expect: {{working: {{rows: []}}}}
"""
    trial.accepts(f"{head}  parameters: {{threshold: 1}}\n")
    trial.refuses(head.replace("  name: one", "  ⟦name: one"), "PARAMETER_002")
