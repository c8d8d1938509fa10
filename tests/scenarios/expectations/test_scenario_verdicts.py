"""Which expectations a scenario looks at, and what stops it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.planning.findings import Findings
from rowbook.planning.scenarios import ScenarioSetting, set_up
from rowbook.scenarios import reference_execution
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import run_scenarios
from rowbook.scenarios.scenario_run import ScenarioRun
from rowbook.scenarios.selection import select
from tests.scenarios.samples import WORKSPACE, scenario, workspace

_EXPECTATIONS = """
  quarantine: {datasource_id: lake, table: refused}
  expectations:
    - {name: known, at: input, that: "id IS NOT NULL", otherwise: quarantine}
    - {name: small, at: input, that: "amount < 100", otherwise: quarantine, tolerate: {rows: 1}}
    - {name: positive, that: "amount > 0", otherwise: stop}
    - {name: round, that: "amount = ROUND(amount, 0)"}
    - name: steady
      measures: {total: "SUM(amount)"}
      against: {alias: last, period: previous}
      that: "total = last.total"
"""
ROWS = "{entries: {rows: [{id: J1, amount: -1.5}, {id: J2, amount: 200}]}}"
MANY = "{entries: {rows: [{id: J1, amount: 200}, {id: J2, amount: 200}]}}"


def computed(folder: Path, expect: str, rows: str = ROWS, **parts: str) -> Outcome:
    text = scenario("s", expect=expect, input=rows, **parts)
    files = workspace(folder, text, base=WORKSPACE + _EXPECTATIONS)
    (entry,) = select(files)
    assert isinstance(entry, Entry)
    setting = set_up(entry, files, Findings())
    assert setting is not None
    return execute(entry, setting)


def statuses(outcome: Outcome) -> dict[str, str]:
    return {each.verdict.name: each.verdict.status for each in outcome.verdicts}


def test_what_is_named_is_looked_at_and_quarantine_always(tmp_path: Path) -> None:
    found = computed(tmp_path, "{expectations: [{name: round, status: violated}]}")
    assert statuses(found) == {"known": "passed", "small": "tolerated", "round": "violated"}
    assert (found.errors, found.working and len(found.working.rows)) == ((), 1)
    assert found.quarantined is not None
    assert [row["id"] for row in found.quarantined.rows] == ["J2"]


@pytest.mark.parametrize("expect", ["{expectations: {all: passed}}", "{error: {code: EXPECT_101}}"])
def test_all_are_looked_at_where_all_must_pass_or_one_must_stop(
    tmp_path: Path, expect: str
) -> None:
    found = computed(tmp_path, expect)
    assert list(statuses(found)) == ["known", "small", "positive", "round", "steady"]
    assert bool(found.errors) == ("error" in expect)


def test_an_error_that_is_expected_tells_what_stops(tmp_path: Path) -> None:
    (error,) = computed(tmp_path, "{error: {code: EXPECT_101}}").errors
    assert (error.code, error.message) == (
        "EXPECT_101",
        "'positive' (end): 1 of 1 row violates it: id 'J1', amount -1.50  nothing was published",
    )


def test_a_quarantine_above_its_bound_stops_a_scenario_that_does_not_name_it(
    tmp_path: Path,
) -> None:
    found = computed(tmp_path, "{working: {rows: []}}", MANY)
    assert [error.code for error in found.errors] == ["EXPECT_101"]
    assert found.quarantined is not None
    assert found.quarantined.rows == ()
    named = "{expectations: [{name: small, status: violated}]}"
    assert computed(tmp_path, named, MANY).errors == ()


@pytest.mark.parametrize(
    ("history", "status"),
    [
        ("{}", "skipped"),
        ("{steady: {total: -1.5}}", "passed"),
        ("{steady: {total: 0}}", "violated"),
    ],
)
def test_history_is_what_was_measured_before(tmp_path: Path, history: str, status: str) -> None:
    expect = "{expectations: [{name: steady, status: passed}]}"
    found = computed(tmp_path, expect, history=history)
    assert statuses(found)["steady"] == status


def test_rows_are_given_for_what_is_looked_at_alone(tmp_path: Path) -> None:
    other = """
    - name: agrees
      against: {alias: rates, dataset_id: rates}
      that: "COUNT(*) = COUNT(rates.rate)"
---
dataset: {name: rates, main_table: {name: r, columns: [{name: rate, type: integer}]}}
"""
    base = WORKSPACE + _EXPECTATIONS + other.lstrip("\n")
    unnamed = workspace(tmp_path, scenario("s"), base=base)
    (result,) = run_scenarios(select(unnamed), unnamed, execute)
    assert (result.status, result.diagnostics) == ("passed", ())
    expect = "{expectations: [{name: agrees, status: passed}]}"
    named = workspace(tmp_path, scenario("s", expect=expect), base=base)
    (result,) = run_scenarios(select(named), named, execute)
    assert [(each.code, each.message) for each in result.diagnostics] == [
        ("SCENARIO_001", "the project uses dataset 'rates', but input gives no rows for it")
    ]


def execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
    return reference_execution.compute(ScenarioRun.of(entry, setting))
