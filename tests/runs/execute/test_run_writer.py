"""Files for people, written by runs: one by period, and a workbook of several outputs."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest

from rowbook.definitions.models.entity import derived_id
from rowbook.engine.session.session import Engine, adopt_session
from rowbook.runs.compare.past_runs import past_run, why_changed
from rowbook.runs.execute.execute_run import RunOptions, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version
from tests.runs.conversion import FILES
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PEOPLE = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 20
      name: profit and loss
      type: output
      arguments:
        destination:
          location: {path: "exports/{{YYYY}}/close.xlsx", format: excel, options: {sheet: GuV}}
        columns: [account, amount]
        order_by: ["-amount"]
    - seq: 30
      name: list
      type: output
      arguments:
        destination:
          location:
            path: lists
            format: csv
            options: {single_file: true, file_name: "guv_{{identifier}}.csv"}
        columns: [account, amount, _period]
        order_by: [account]
        register_as_dataset: listed
    - seq: 35
      name: note
      type: update
      arguments: {assignments: [{column: note, expression: "LPAD(account, LENGTH, 'x')"}]}
    - seq: 40
      name: accounts
      type: output
      arguments:
        destination:
          location: {path: "exports/{{YYYY}}/close.xlsx", format: excel, options: {sheet: Notes}}
        columns: [note]
"""
RULE = derived_id("resolver", "listed.output")
JANUARY = "account,amount\n4000,10.50\n1000,2.00\n5000,11.00\n"


@pytest.fixture
def close(shell: Shell, request: pytest.FixtureRequest) -> Shell:
    """Active; `length` is that of the notes."""
    length = getattr(request, "param", "5")
    project = PEOPLE.replace("LENGTH", length)
    shell.write({**FILES, "projects/close.yaml": project, "data/gl/2026-01.csv": JANUARY})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell


def run(folder: Path, period: str, spark: SparkSession) -> RunResult:
    def lend(*_: object) -> nullcontext[Engine]:
        return nullcontext(adopt_session(spark))

    with OpenWorkspace(folder) as workspace:
        request = choose_version(workspace, "close", period)
        return start_run(workspace, request, RunOptions(session=lend))


def sheets(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    book = openpyxl.load_workbook(folder / "exports/2026/close.xlsx")
    return {each.title: list(each.iter_rows(min_row=2, values_only=True)) for each in book}


def test_each_period_has_its_file_and_the_workbook_all_its_sheets(
    close: Shell, spark: SparkSession
) -> None:
    january, february = (run(close.folder, month, spark) for month in ("2026-01", "2026-02"))
    assert [(each.seq, each.destination, each.rows, each.files) for each in january.outputs] == [
        (20, "exports/2026/close.xlsx!GuV", 3, 1),
        (30, "lists/guv_2026-01.csv", 3, 1),
        (40, "exports/2026/close.xlsx!Notes", 3, 1),
    ]
    assert [(each.seq, each.matched) for each in january.ledger] == [
        *((20, 3), (30, 3), (35, 3), (40, 3))
    ]
    assert (close.folder / "lists/guv_2026-01.csv").read_text() == (
        "account,amount,_period\n1000,2.00,2026-01\n4000,10.50,2026-01\n5000,11.00,2026-01\n"
    )
    assert sheets(close.folder) == {"GuV": [("4000", 2)], "Notes": [("x4000",)]}
    with OpenWorkspace(close.folder) as workspace:
        before, after = (past_run(workspace, each.run_id) for each in (january, february))
        changed = {t.destination: why_changed(t, before, workspace.store) for t in before.tables}
        assert [why_changed(t, after, workspace.store) for t in after.tables] == [None] * 3
        resolver = workspace.store.definitions.get("resolver", RULE)
    assert changed["lists/guv_{{identifier}}.csv"] is None
    assert changed["exports/{{YYYY}}/close.xlsx!GuV"] is None, "it is kept beside the new one"
    assert resolver is not None
    strategy = resolver.content["resolver"]["rules"][0]["strategy"]
    assert strategy == {"type": "path", "path": "lists/guv_{{identifier}}.csv", "format": "csv"}


@pytest.mark.parametrize("close", ["40000"], indirect=True)
def test_a_run_that_fails_between_its_sheets_publishes_none_of_them(
    close: Shell, spark: SparkSession
) -> None:
    result = run(close.folder, "2026-01", spark)
    assert result.error is not None
    assert (result.status, result.error.code) == ("failed", "OUTPUT_006")
    assert result.outputs == ()
    assert not (close.folder / "exports/2026").exists()
    assert [each.name for each in (close.folder / "exports").iterdir()] == [
        f".2026.staging-{result.run_id}-sheet-20"
    ]
    with OpenWorkspace(close.folder) as workspace:
        record = workspace.store.runs.record(result.run_id)
    assert [each.seq for each in record.unpublished] == [20, 30]
    assert record.outputs == ()
