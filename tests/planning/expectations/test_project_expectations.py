"""The expectations of a plan: which there are, and in which order they are looked at."""

from __future__ import annotations

from decimal import Decimal
from textwrap import dedent

from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    Tolerance,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from tests.support.trial import BASE, Trial, project, update

_OUTPUT = (
    "- {seq: 80, name: out, type: output,"
    " arguments: {destination: {datasource_id: lake, table: x}}}"
)


def _plan(trial: Trial, expectations: str, *operations: str, more: str = "") -> ProjectPlan:
    listed = f"expectations:\n{dedent(expectations)}"
    return trial.plan(project(*(operations or (update(seq=30, extra="1"),)), more=listed + more))


def _only(trial: Trial, expectation: str, *operations: str) -> Expectation:
    (found,) = _plan(trial, expectation, *operations).expectations
    return found


def _labels(plan: ProjectPlan) -> list[tuple[str, str | None, str]]:
    return [(each.name, each.owner, each.point.label) for each in plan.expectations]


def test_a_project_without_expectations_has_none(trial: Trial) -> None:
    plan = trial.plan(project(update(extra="1")))
    assert plan.expectations == ()
    assert plan.quarantine is None


def test_a_condition_without_an_aggregate_is_about_rows(trial: Trial) -> None:
    found = _only(trial, '- {name: positive, selector: "posted", that: "amount > 0"}')
    assert isinstance(found.condition, RowCondition)
    assert found.point == CheckPoint("end")
    assert found.text == "amount > 0"
    assert found.otherwise == "warn"


def test_samples_show_the_natural_key_and_what_is_read(trial: Trial) -> None:
    found = _only(trial, '- {name: known, that: "accounts.account_code IS NOT NULL"}')
    assert found.show == ("journal_id", "line_number", "account_code")
    assert [join.alias for join in found.joins] == ["accounts"]
    asked = _only(trial, '- {name: positive, that: "amount > 0", show: [gl.amount, currency]}')
    assert asked.show == ("amount", "currency")


def test_a_condition_with_an_aggregate_reads_measures_called_as_they_are_written(
    trial: Trial,
) -> None:
    found = _only(
        trial,
        '- {name: journals balance, at: input, by: [journal_id], that: "sum( amount )=0"}',
    )
    condition = found.condition
    assert isinstance(condition, GroupCondition)
    assert condition.keys == ("journal_id",)
    assert [each.column for each in condition.measures] == ["SUM(amount)"]
    assert found.text == "sum( amount )=0"


def test_each_side_of_a_comparison_has_its_own_measures(trial: Trial) -> None:
    found = _only(
        trial,
        """\
        - name: within the plan
          by: [account_code]
          against: {alias: planned, dataset_id: budget, selector: "kind = 'final'"}
          that: "SUM(amount) <= COALESCE(SUM(planned.amount), 0)"
        """,
    )
    condition = found.condition
    assert isinstance(condition, GroupCondition)
    assert condition.against is not None
    assert condition.against.alias == "planned"
    assert condition.against.point is not None
    assert condition.against.point.label == "budget"
    assert condition.against.selector is not None
    assert [each.column for each in condition.measures] == ["SUM(amount)"]
    assert [each.column for each in condition.against.measures] == ["SUM(amount)"]


def test_named_measures_are_compared_with_those_of_the_previous_period(trial: Trial) -> None:
    found = _only(
        trial,
        """\
        - name: about as many
          measures: {lines: "COUNT(*)", total: "SUM(amount)"}
          against: {alias: last, period: previous}
          that: "lines BETWEEN 0.8 * last.lines AND 1.25 * last.lines"
        """,
    )
    condition = found.condition
    assert isinstance(condition, GroupCondition)
    assert [each.column for each in condition.measures] == ["lines", "total"]
    assert condition.against is not None
    assert condition.against.point is None
    assert [each.column for each in condition.against.measures] == ["lines"]
    assert found.fault_size is not None


def test_an_aggregate_of_the_previous_period_is_measured_in_this_one_too(trial: Trial) -> None:
    found = _only(
        trial,
        """\
        - name: no fewer days
          against: {alias: last, period: previous}
          that: "COUNT(*) >= COUNT_DISTINCT(last.posting_date)"
        """,
    )
    condition = found.condition
    assert isinstance(condition, GroupCondition)
    names = ["COUNT(*)", "COUNT_DISTINCT(posting_date)"]
    assert [each.column for each in condition.measures] == names
    assert condition.against is not None
    assert [each.column for each in condition.against.measures] == names[1:]


def test_keys_that_stand_once_may_be_demanded(trial: Trial) -> None:
    found = _only(trial, "- {name: once, unique: [journal_id, gl.line_number], otherwise: stop}")
    assert found.condition == UniqueKeys(("journal_id", "line_number"))
    assert found.text == "unique: journal_id, gl.line_number"


def test_tolerance_is_exact(trial: Trial) -> None:
    found = _only(trial, '- {name: few, that: "amount > 0", tolerate: {share: 0.01, rows: 50}}')
    assert found.tolerance == Tolerance(Decimal("0.01"), 50)


def test_expectations_come_in_the_order_of_their_points(trial: Trial) -> None:
    plan = _plan(
        trial,
        """\
        - {name: at the end, that: "COUNT(*) > 0"}
        - {name: after the output, at: 80, that: "COUNT(*) > 0"}
        - {name: of the output, at: {output: 80}, that: "COUNT(*) > 0"}
        - {name: after the update, at: 30, that: "COUNT(*) > 0"}
        - {name: of the input, at: input, that: "COUNT(*) > 0"}
        """,
        update(seq=30, extra="1"),
        _OUTPUT,
    )
    assert _labels(plan) == [
        ("of the input", None, "input"),
        ("after the update", None, "30"),
        ("of the output", None, "output 80"),
        ("after the output", None, "80"),
        ("at the end", None, "end"),
    ]


def test_an_operation_that_must_match_is_an_expectation(trial: Trial) -> None:
    operation = update(seq=30, extra="1").replace("name:", "must_match: true, name:", 1)
    plan = trial.plan(project(operation))
    (found,) = plan.expectations
    assert found.condition == MatchCondition(30)
    assert (found.name, found.otherwise) == (plan.steps[0].name, "stop")
    assert found.text == "matches at least one row"


def _base(dataset: str, expectations: str) -> str:
    at = f"dataset:\n  name: {dataset}\n"
    return BASE.replace(at, f"{at}  expectations:\n{expectations}")


_KNOWN = '    - {name: has a group, that: "group_code IS NOT NULL"}\n'


def test_the_input_datasets_expectations_are_looked_at_first(trial: Trial) -> None:
    base = _base("gl_entries", '    - {name: some, that: "amount <> 0"}\n')
    plan = trial.plan(project(update(extra="1")), base=base)
    assert _labels(plan) == [("some", "gl_entries", "input")]


def test_a_dataset_is_looked_at_once_where_it_is_first_loaded(trial: Trial) -> None:
    join = '{alias: chart, dataset_id: accounts, on: "gl.account_code = chart.account_code"}'
    plan = trial.plan(
        project(
            update(seq=10, joins=join, extra="chart.group_code"),
            update(seq=20, other="accounts.group_code"),
        ),
        base=_base("accounts", _KNOWN),
    )
    assert _labels(plan) == [("has a group", "accounts", "accounts")]


def test_a_dataset_that_only_an_expectation_looks_up_is_loaded_too(trial: Trial) -> None:
    listed = 'expectations: [{name: known, that: "accounts.group_code IS NOT NULL"}]\n'
    plan = trial.plan(project(update(extra="1"), more=listed), base=_base("accounts", _KNOWN))
    assert _labels(plan) == [("has a group", "accounts", "accounts"), ("known", None, "end")]


def test_a_dataset_that_is_not_loaded_is_not_looked_at(trial: Trial) -> None:
    plan = trial.plan(project(update(extra="1")), base=_base("accounts", _KNOWN))
    assert plan.expectations == ()
