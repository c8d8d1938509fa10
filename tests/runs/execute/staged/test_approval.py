"""What is computed waits until somebody else approves it; then exactly these rows are published."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from rowbook.runs.execute.execute_run import RunOptions, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.staged.approval import approve_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version
from tests.runs.conversion import FILES
from tests.runs.whole_runs import (
    PROJECT,
    activate,
    booked,
    lent,
    listed,
    no_spark,
    run,
    staged,
)
from tests.sources.tables import names_in
from tests.support.refusal import refusal
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

APPROVED = PROJECT.replace("MODE", "replace").replace(
    "name: close\n", "name: close\n  approval: before_publish\n", 1
)
INPUT = "data/gl/2026-01.csv"


@pytest.fixture
def waiting(
    shell: Shell, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> tuple[Shell, RunResult]:
    """A run of ann's that waits; ben sits at the terminal now."""
    monkeypatch.setenv("LOGNAME", "ann")
    activate(shell, APPROVED)
    result = run(shell, lent(spark))
    monkeypatch.setenv("LOGNAME", "ben")
    return shell, result


def approve(shell: Shell, result: RunResult, comment: str | None = None) -> RunResult:
    with OpenWorkspace(shell.folder) as workspace:
        return approve_run(workspace, result.run_id, RunOptions(session=no_spark), comment)


def test_a_run_waits_with_its_rows_staged_and_is_published_as_approved(
    waiting: tuple[Shell, RunResult],
) -> None:
    shell, result = waiting
    assert (result.status, [each.rows for each in result.outputs]) == ("waiting", [1, 1])
    assert len(staged(shell)) == len(names_in(shell.folder / "out")) == 2
    shown = shell.run("runs", "show", result.run_id).out
    assert f"run {result.run_id}  waiting" in shown
    assert "waits for approval since" in shown
    assert "staged for out/closed: 1 row" in shown
    done = approve(shell, result, "agrees")
    assert (done.status, [each.seq for each in done.outputs]) == ("completed", [20, 30])
    assert [entry.matched for entry in done.ledger] == [1, 1, 1]
    assert (booked(shell), listed(shell)) == ([("4000", "21.00")], ["4000,21.00"])
    assert names_in(shell.folder / "out") == ["closed", "list"]
    shown = shell.run("runs", "show", result.run_id).out
    assert "by ann on" in shown
    assert "UTC by ben: agrees" in shown
    again = refusal(lambda: approve(shell, result), "APPROVAL_001")
    assert again.message == f"run {result.run_id} is completed and waits for no approval"


def test_rows_for_an_iceberg_table_wait_in_a_copy_of_it(
    shell: Shell, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no table until they are approved, which takes no Spark."""
    monkeypatch.setenv("LOGNAME", "ann")
    to_lake = APPROVED.replace(
        "{location: {path: out/closed, format: parquet}}", "{datasource_id: lake, table: closed}"
    )
    lake = "datasource: {name: lake, type: iceberg, options: {catalog: hadoop, warehouse: lake}}\n"
    activate(shell, to_lake, **{"datasources/lake.yaml": lake})
    result = run(shell, lent(spark))
    assert (result.status, result.error) == ("waiting", None)
    monkeypatch.setenv("LOGNAME", "ben")
    table = shell.folder / "lake" / "closed"
    (file,) = table.rglob("*.parquet")
    assert not (table / "metadata").exists()
    done = approve(shell, result)
    assert (done.status, done.error) == ("completed", None)
    (metadata,) = (table / "metadata").glob("*.metadata.json")
    (snapshot,) = json.loads(metadata.read_text())["snapshots"]
    assert snapshot["summary"]["rowbook.run"] == result.run_id
    assert snapshot["summary"]["added-records"] == "1"
    assert list(table.rglob("*.parquet")) == [file]


def test_who_started_a_run_does_not_approve_it_unless_the_workspace_says_so(
    waiting: tuple[Shell, RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell, result = waiting
    monkeypatch.setenv("LOGNAME", "ann")
    refused = shell.run("runs", "approve", result.run_id)
    assert refused.code == 4
    assert f"APPROVAL_002  ann started run {result.run_id}" in refused.err
    settings = "workspace: {name: acme, default_resolver_id: inbox, self_approval: true}\n"
    shell.write({"rowbook.yaml": settings})
    assert approve(shell, result).status == "completed"


def test_what_changed_since_is_not_approved_and_the_run_goes_on_waiting(
    waiting: tuple[Shell, RunResult],
) -> None:
    shell, result = waiting
    before = (shell.folder / INPUT).read_text()
    shell.write({INPUT: "account,amount\n4000,99.00\n"})
    found = refusal(lambda: approve(shell, result), "APPROVAL_003").message
    assert found == f"run {result.run_id}: gl/2026-01.csv of dataset 'gl': {INPUT} changed"
    shell.write({INPUT: before, "out/list/a.csv": "account,twice\nx,1\n"})
    found = refusal(lambda: approve(shell, result), "APPROVAL_003").message
    assert found.endswith("out/list, where it goes, was changed: out/list/a.csv")
    shutil.rmtree(shell.folder / "out/list")
    shutil.rmtree(shell.folder / "out" / f".closed.staging-{result.run_id}-20")
    found = refusal(lambda: approve(shell, result), "APPROVAL_003").message
    assert found == f"run {result.run_id}: out/closed: its staged files are gone"
    assert [name[0] for name in names_in(shell.folder / "out")] == ["."]


def test_a_rejected_run_leaves_nothing_but_the_names(waiting: tuple[Shell, RunResult]) -> None:
    shell, result = waiting
    assert shell.run("runs", "reject", result.run_id, "--comment", "old rates").code == 0
    assert names_in(shell.folder / "out") == []
    shown = shell.run("runs", "show", result.run_id).out
    assert f"run {result.run_id}  cancelled" in shown
    assert "UTC by ben: old rates" in shown


def test_a_draft_waits_for_nobody(waiting: tuple[Shell, RunResult], spark: SparkSession) -> None:
    shell, _ = waiting
    with OpenWorkspace(shell.folder) as workspace:
        request = choose_version(workspace, "close", "2026-01", draft=True)
        assert start_run(workspace, request, lent(spark)).status == "completed"


def test_nothing_can_be_approved_that_is_published_as_it_is_written(shell: Shell) -> None:
    text = APPROVED.replace("name: close\n", "name: close\n  publish: as_written\n", 1)
    shell.write({**FILES, "projects/close.yaml": text})
    assert "APPROVAL_004  outputs of project 'close'" in shell.run("validate").out
