"""Runs that read a table of the session's catalog: asked when they begin, and before they
publish."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from rowbook import Workspace
from rowbook.errors import RowbookError
from rowbook.runs.execute.staged.approval import approve_run
from rowbook.runs.open_workspace import OpenWorkspace
from tests.runs.conversion import FILES
from tests.runs.whole_runs import PROJECT, activate, booked, lent, resume, run
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

ROWS = "('4000', CAST(10.50 AS DECIMAL(18,2)), '2026-01'), ('5000', 1.50, '2026-02')"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Ledger:
    """A table of the catalog, which the dataset `gl` of a workspace is."""

    shell: Shell
    spark: SparkSession
    name: str

    def add(self, account: str) -> None:
        self.spark.sql(f"INSERT INTO {self.name} VALUES ('{account}', 7.00, '2026-01')")


@pytest.fixture
def ledger(shell: Shell, spark: SparkSession) -> Iterator[Ledger]:
    schema = f"ledgers_{next(_numbers)}"
    spark.sql(f"CREATE SCHEMA {schema}")
    spark.sql(
        f"CREATE TABLE {schema}.gl USING parquet AS"
        f" SELECT * FROM VALUES {ROWS} t(account, amount, _period)"
    )
    resolver = f"""\
resolver:
  name: inbox
  rules:
    - name: all
      strategy: {{type: catalog, table: "{schema}.{{{{table_name}}}}"}}
"""
    tables = FILES["resolvers/inbox.yaml"].partition("---\n")[2]
    files = {"resolvers/inbox.yaml": f"{resolver}---\n{tables}"}
    activate(shell, PROJECT.replace("MODE", "replace"), **files)
    yield Ledger(shell, spark, f"{schema}.gl")
    spark.sql(f"DROP SCHEMA {schema} CASCADE")


def recorded(ledger: Ledger, run_id: str) -> Any:
    with OpenWorkspace(ledger.shell.folder) as workspace:
        snapshot = workspace.store.runs.snapshot(run_id)
    assert snapshot is not None
    ((place,),) = (each["locations"] for each in snapshot["datasets"])
    return place


def test_a_run_reads_the_rows_of_its_period_and_records_their_state(ledger: Ledger) -> None:
    result = run(ledger.shell, lent(ledger.spark))
    assert result.status == "completed", result.error
    assert booked(ledger.shell) == [("4000", "21.00")]
    place = recorded(ledger, result.run_id)
    assert place["location"] == ledger.name
    (content,) = place["contents"]
    assert sorted(content) == ["digest", "name", "size"]


def test_a_table_that_changes_during_a_run_fails_it(ledger: Ledger) -> None:
    options = replace(lent(ledger.spark), on_step=lambda _: ledger.add("6000"))
    result = run(ledger.shell, options)
    assert result.error is not None
    assert (result.error.code, ledger.name in result.error.message) == ("RUN_011", True)
    assert not (ledger.shell.folder / "out/closed").exists()


def test_a_run_is_resumed_only_on_the_table_that_it_read(ledger: Ledger) -> None:
    blocked = ledger.shell.folder / "out"
    blocked.write_text("a file where a folder is to be")
    result = run(ledger.shell, lent(ledger.spark))
    assert result.status == "failed"
    blocked.unlink()
    resumed = resume(ledger.shell, result.run_id, lent(ledger.spark))
    assert resumed.status == "completed", resumed.error
    assert booked(ledger.shell) == [("4000", "21.00")]


def test_what_was_added_meanwhile_keeps_a_run_from_being_resumed(ledger: Ledger) -> None:
    blocked = ledger.shell.folder / "out"
    blocked.write_text("a file where a folder is to be")
    result = run(ledger.shell, lent(ledger.spark))
    ledger.add("6000")
    with pytest.raises(RowbookError, match="RUN_008") as refused:
        resume(ledger.shell, result.run_id, lent(ledger.spark))
    assert f"{ledger.name} changed" in str(refused.value)


@pytest.mark.parametrize("is_changed", [False, True])
def test_a_run_is_approved_only_on_the_table_that_it_read(is_changed: bool, ledger: Ledger) -> None:
    project = PROJECT.replace("MODE", "replace").replace(
        "  operations:", "  approval: before_publish\n  operations:"
    )
    workspace = "workspace: {name: acme, default_resolver_id: inbox, self_approval: true}\n"
    ledger.shell.write({"projects/close.yaml": project, "rowbook.yaml": workspace})
    assert ledger.shell.run("activate", "close").code == 0
    waiting = run(ledger.shell, lent(ledger.spark))
    assert waiting.status == "waiting", waiting.error
    if is_changed:
        ledger.add("6000")
    with OpenWorkspace(ledger.shell.folder) as workspace_there:
        options = lent(ledger.spark)
        if is_changed:
            with pytest.raises(RowbookError, match="APPROVAL_003") as refused:
                approve_run(workspace_there, waiting.run_id, options)
            assert f"{ledger.name} changed" in str(refused.value)
        else:
            assert approve_run(workspace_there, waiting.run_id, options).status == "completed"
    assert (ledger.shell.folder / "out/closed").exists() == (not is_changed)


def test_a_column_that_the_table_lacks_is_found_before_anything_is_computed(
    ledger: Ledger,
) -> None:
    ledger.spark.sql(f"ALTER TABLE {ledger.name} RENAME TO {ledger.name}_before")
    ledger.spark.sql(
        f"CREATE TABLE {ledger.name} USING parquet AS"
        f" SELECT account, _period FROM {ledger.name}_before"
    )
    steps: list[Any] = []
    result = run(ledger.shell, replace(lent(ledger.spark), on_step=steps.append))
    assert result.error is not None
    assert (result.error.code, steps) == ("DATASET_010", [])


def test_a_table_that_is_not_there_is_named(ledger: Ledger) -> None:
    ledger.spark.sql(f"DROP TABLE {ledger.name}")
    result = run(ledger.shell, lent(ledger.spark))
    assert result.error is not None
    assert result.error.code == "DATASOURCE_006"
    assert result.error.message == f"there is no table {ledger.name} in the catalog of the session"


def test_a_plan_asks_no_session(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    for more in ((), ("--connect",)):
        plan = ledger.shell.run("plan", "close", "--period", "2026-01", *more, "--format", "json")
        assert plan.code == 0, plan.out
        ((place,),) = (each["locations"] for each in json.loads(plan.out)["reads"])
        assert (place["location"], place["found"]["presence"]) == (ledger.name, "unasked")
    plan = ledger.shell.run("plan", "close", "--period", "2026-01")
    assert f"not asked: {ledger.name} is known to Spark's catalog alone" in plan.out


def test_previews_and_tables_are_read_by_the_session(ledger: Ledger) -> None:
    with Workspace.open(str(ledger.shell.folder), spark=ledger.spark) as workspace:
        shown = workspace.preview("close", "2026-01", after=10)
        assert [(row["account"], str(row["twice"])) for row in shown.collect()] == [
            ("4000", "21.00")
        ]
        preview = workspace.preview_rows("close", "2026-01", after=10)
        assert ([row["account"] for row in preview.rows], preview.engine) == (["4000"], "spark")
        table = workspace.read_rows("gl", "2026-01")
        assert ([row["account"] for row in table.rows], table.engine) == (["4000"], "spark")
