"""What a scenario says of expectations, as `validate` sees it."""

from __future__ import annotations

import pytest

from tests.support.trial import Trial, marks, places

PROJECT = """\
dataset:
  name: dated
  main_table: {name: d, columns: [{name: account_code, type: string, nullable: false}]}
  expectations: [{name: keys are known, that: "COUNT(*) > 0"}]
---
project:
  name: trial
  input_dataset_id: gl_entries
  operations:
    - seq: 10
      name: Convert
      type: update
      must_match: true
      arguments:
        joins: [{alias: dd, dataset_id: dated, on: "gl.account_code = dd.account_code"}]
        assignments: [{column: net, expression: "IF(dd.account_code IS NULL, 0, amount)"}]
  expectations:
    - {name: keys are known, that: "journal_id <> ''", show: [journal_id, net]}
    - {name: balances, by: [journal_id], that: "SUM(amount) = 0"}
    - {name: once, unique: [journal_id]}
    - {name: some, that: "COUNT(*) > 0"}
    - name: steady
      measures: {lines: "COUNT(*)"}
      against: {alias: last, period: previous}
      that: "lines = last.lines"
"""


def scenario(expect: str, history: str = "{}") -> str:
    return (
        'scenario:\n  name: s\n  period: "2026-01"\n  project: trial\n'
        f"  input: {{gl_entries: {{rows: []}}, dated: {{rows: []}}}}\n"
        f"  history: {history}\n  expect: {expect}\n"
    )


def refusals(trial: Trial, text: str, *codes: str) -> list[tuple[str, str | None]]:
    found = trial.check(text, files={"projects/project.yaml": PROJECT}).diagnostics
    assert places(found) == list(zip(codes, marks(text), strict=True)), list(map(str, found))
    return [(each.message, each.hint) for each in found]


@pytest.mark.parametrize(
    "verdict",
    [
        "{name: balances, status: violated, groups: [{journal_id: J, SUM(amount): 1}]}",
        "{name: once, status: tolerated, groups: [{journal_id: J, rows: 2}]}",
        "{name: keys are known, dataset: dated, status: passed, measures: {COUNT(*): 1}}",
        "{name: some, status: nothing to check, checked: 0, violated: 0, quarantined: 0}",
        "{name: Convert, status: not evaluated, measures: {matched: 0}}",
        "{name: steady, status: skipped, measures: {lines: 1}}",
    ],
)
def test_what_is_told_of_each_form_may_be_expected(trial: Trial, verdict: str) -> None:
    assert refusals(trial, scenario(f"{{expectations: [{verdict}]}}")) == []


def test_history_has_the_measures_that_are_compared_with(trial: Trial) -> None:
    assert refusals(trial, scenario("{expectations: {all: passed}}", "{steady: {lines: 1}}")) == []


@pytest.mark.parametrize(
    ("verdict", "code", "message", "hint"),
    [
        (
            "{name: ⟦balance, status: passed}",
            "SCENARIO_005",
            "the project has no expectation 'balance'",
            "did you mean 'balances'?",
        ),
        (
            "{name: ⟦keys are known, status: passed}",
            "SCENARIO_005",
            "'keys are known' is an expectation of several",
            "say `dataset:` to mean that of a dataset",
        ),
        (
            "{name: balances, dataset: ⟦dated, status: passed}",
            "SCENARIO_005",
            "dataset 'dated' has no expectation 'balances'",
            None,
        ),
        (
            "{name: balances, status: violated, groups: [{journal: ⟦J}]}",
            "SCENARIO_003",
            "it has no column 'journal'",
            "did you mean 'journal_id'?",
        ),
        (
            "{name: balances, status: violated, groups: [{SUM(amount): ⟦much}]}",
            "SCENARIO_004",
            "'much' does not fit for column 'SUM(amount)', decimal(28,2)",
            None,
        ),
        (
            "{name: balances, status: violated, rows: ⟦[]}",
            "SCENARIO_005",
            "'balances' is about groups, and has no rows",
            None,
        ),
        (
            "{name: some, status: violated, groups: ⟦[]}",
            "SCENARIO_005",
            "'some' is about all rows, and has no groups",
            None,
        ),
        (
            "{name: some, status: violated, measures: {rows: ⟦1}}",
            "SCENARIO_003",
            "it has no measure 'rows'",
            "measures: COUNT(*)",
        ),
        (
            "{name: Convert, status: violated, rows: ⟦[]}",
            "SCENARIO_005",
            "'Convert' is about an operation, and has no rows",
            None,
        ),
        (
            "{name: balances, status: ⟦pased}",
            "YAML_004",
            None,
            None,
        ),
    ],
)
def test_faults_stand_at_their_places(
    trial: Trial, verdict: str, code: str, message: str | None, hint: str | None
) -> None:
    ((found, told),) = refusals(trial, scenario(f"{{expectations: [{verdict}]}}"), code)
    assert message in (None, found)
    assert hint is None or hint in (told or "")


@pytest.mark.parametrize(
    ("history", "code", "message"),
    [
        ("{stead: ⟦{lines: 1}}", "SCENARIO_005", "the project has no expectation 'stead'"),
        ("{balances: ⟦{lines: 1}}", "SCENARIO_005", "'balances' compares with no previous period"),
        ("{steady: {line: ⟦1}}", "SCENARIO_003", "it has no measure 'line'"),
        (
            "{steady: {lines: ⟦1.5}}",
            "SCENARIO_004",
            "'1.5' does not fit for measure 'lines', integer",
        ),
    ],
)
def test_faults_of_history(trial: Trial, history: str, code: str, message: str) -> None:
    ((found, _),) = refusals(trial, scenario("{expectations: {all: passed}}", history), code)
    assert found == message


def test_rows_are_quarantined_where_an_expectation_does_so(trial: Trial) -> None:
    ((found, _),) = refusals(trial, scenario("{quarantined: ⟦{rows: []}}"), "SCENARIO_005")
    assert found == "no expectation of the project quarantines rows"
