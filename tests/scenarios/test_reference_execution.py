"""Scenarios computed without Spark: rows, outputs, ledger, errors."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from rowbook.planning.findings import Findings
from rowbook.planning.scenarios import set_up
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.reference_execution import compute
from rowbook.scenarios.scenario_run import ScenarioRun
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


def outcome(folder: Path, base: str = WORKSPACE, **parts: str) -> Outcome:
    files = workspace(folder, scenario("x", **parts), base=base)
    (entry,) = files.scenarios
    setting = set_up(entry, files, Findings())
    assert setting is not None
    return compute(ScenarioRun.of(entry, setting))


def rows(found: Outcome) -> list[tuple[object, object]]:
    return [(row["id"], row["amount"]) for row in found.outputs["result"].rows]


def test_outputs_working_rows_and_ledger_come_back(tmp_path: Path) -> None:
    found = outcome(tmp_path, input="{entries: {rows: [{id: J1, amount: 1.5}, {id: J2}]}}")
    assert found.errors == ()
    assert rows(found) == [("J1", Decimal("1.50")), ("J2", None)]
    assert found.working is not None
    assert [row["id"] for row in found.working.rows] == ["J1", "J2"]
    assert [(each.seq, each.type, each.matched, each.rows_out) for each in found.ledger] == [
        (1, "output", 2, 2)
    ]
    assert found.ledger[0].outputs[0].rows == 2


@pytest.mark.parametrize(("mode", "amounts"), [("replace", ["2.00"]), ("append", ["1.00", "2.00"])])
def test_a_second_output_replaces_or_appends(tmp_path: Path, mode: str, amounts: list[str]) -> None:
    found = outcome(tmp_path, TWICE.replace("MODE", mode))
    assert [amount for _, amount in rows(found)] == [Decimal(each) for each in amounts]


def test_a_destination_that_exists_already_is_an_error_that_keeps_what_was_written(
    tmp_path: Path,
) -> None:
    found = outcome(tmp_path, TWICE.replace("MODE", "error_if_exists"))
    assert [str(each) for each in found.errors] == [
        "OUTPUT_006  destination 'result' exists already"
    ]
    assert rows(found) == [("J1", Decimal("1.00"))]
    assert found.working is None


def test_a_null_where_there_may_be_none_names_the_row(tmp_path: Path) -> None:
    found = outcome(tmp_path, input="{entries: {rows: [{amount: 1}, {id: J2}]}}")
    assert [str(each) for each in found.errors] == [
        "DATASET_012  dataset 'entries': column 'id' is not nullable, but NULL in 1 row:"
        " the input of dataset 'entries'"
    ]


def test_physical_names_are_those_of_the_source(tmp_path: Path) -> None:
    base = WORKSPACE.replace(
        '{name: amount, type: "decimal(18,2)"}',
        '{name: amount, source: Amount (USD), type: "decimal(18,2)"}',
    )
    assert rows(outcome(tmp_path, base)) == [("J1", Decimal("1.00"))]
