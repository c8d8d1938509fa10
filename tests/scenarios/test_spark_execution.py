"""Scenarios run on Spark: their rows as any other data, their outputs kept in memory."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.planning.findings import Findings
from rowbook.planning.scenarios import set_up
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import NoSessionError
from rowbook.scenarios.scenario_run import ScenarioRun
from rowbook.scenarios.spark_execution import compute, open_computation
from tests.scenarios.samples import WORKSPACE, scenario, workspace

TWICE = (
    WORKSPACE
    + """\
    - seq: 2
      name: raise
      type: update
      arguments: {assignments: [{column: amount, expression: "amount + 1"}]}
    - seq: 3
      name: write again
      type: output
      arguments: {destination: {datasource_id: lake, table: result}, mode: MODE}
"""
)


def outcome(spark: SparkSession, folder: Path, base: str = WORKSPACE, **parts: str) -> Outcome:
    """What becomes of one scenario."""
    files = workspace(folder, scenario("x", **parts), base=base)
    (entry,) = files.scenarios
    setting = set_up(entry, files, Findings())
    assert setting is not None
    return compute(spark, ScenarioRun.of(entry, setting))


def rows(found: Outcome, name: str = "result") -> list[dict[str, object]]:
    return [{k: row[k] for k in ("id", "amount")} for row in found.outputs[name].rows]


@pytest.mark.spark
def test_outputs_working_rows_and_ledger_come_back(spark: SparkSession, tmp_path: Path) -> None:
    found = outcome(spark, tmp_path, input="{entries: {rows: [{id: J1, amount: 1.5}, {id: J2}]}}")
    assert found.errors == ()
    expected = [{"id": "J1", "amount": Decimal("1.50")}, {"id": "J2", "amount": None}]
    assert rows(found) == expected
    assert found.working is not None
    assert [row["id"] for row in found.working.rows] == ["J1", "J2"]
    assert [(each.seq, each.matched, each.rows_out) for each in found.ledger] == [(1, 2, 2)]


@pytest.mark.spark
@pytest.mark.parametrize(("mode", "amounts"), [("replace", ["2.00"]), ("append", ["1.00", "2.00"])])
def test_a_second_output_replaces_or_appends(
    spark: SparkSession, tmp_path: Path, mode: str, amounts: list[str]
) -> None:
    found = outcome(spark, tmp_path, TWICE.replace("MODE", mode))
    assert found.errors == ()
    assert [row["amount"] for row in rows(found)] == [Decimal(each) for each in amounts]


@pytest.mark.spark
def test_a_destination_that_exists_already_is_an_error_that_keeps_what_was_written(
    spark: SparkSession, tmp_path: Path
) -> None:
    found = outcome(spark, tmp_path, TWICE.replace("MODE", "error_if_exists"))
    assert [each.code for each in found.errors] == ["OUTPUT_006"]
    assert rows(found) == [{"id": "J1", "amount": Decimal("1.00")}]
    assert found.working is None


@pytest.mark.spark
def test_a_text_that_does_not_fit_its_column_fails_as_in_any_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    found = outcome(spark, tmp_path, input="{entries: {rows: [{id: J1, amount: '1.555'}]}}")
    assert [each.code for each in found.errors] == ["DATASET_011"]


def test_a_session_starts_when_a_scenario_needs_it_and_its_fault_is_no_scenarios(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[bool] = []

    def refuse(*_: object, debug: bool) -> None:
        started.append(debug)
        raise RowbookError.of("ENGINE_001", "no suitable Java")

    monkeypatch.setattr("rowbook.scenarios.spark_execution.open_session", refuse)
    files = workspace(tmp_path, scenario("x"))
    (entry,) = files.scenarios
    setting = set_up(entry, files, Findings())
    assert setting is not None
    with open_computation(tmp_path, None, debug=True) as compute_in_session:
        assert started == []
        with pytest.raises(NoSessionError, match="no suitable Java"):
            compute_in_session(ScenarioRun.of(entry, setting))
    assert started == [True]
