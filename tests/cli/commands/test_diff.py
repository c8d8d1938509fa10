"""`rowbook diff`: drafts and runs compared, on data that was really written."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowbook import Workspace
from rowbook.sources.publishing.marks import marked_outputs
from tests.starter.shared_session import shared_session
from tests.support.shell import Ended, Shell
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: files}\n",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: account, type: string, nullable: false}
      - {name: line, type: integer, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
      - {name: note, type: string}
  natural_key_columns: [account, line]
""",
    "datasources/lake.yaml": """\
datasource: {name: lake, type: csv, options: {root: data}}
---
datasource: {name: reports, type: parquet, options: {root: reports}}
---
datasource: {name: sheets, type: csv, options: {root: sheets}}
""",
    "resolvers/files.yaml": """\
resolver:
  name: files
  rules:
    - name: a file a month
      strategy: {type: path, datasource_id: lake, path: "{{table_name}}/{{identifier}}.csv"}
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: convert
      type: update
      arguments: {assignments: [{column: usd, expression: "amount * 2"}]}
    - {seq: 20, name: drop zeros, type: delete, selector: "amount = 0"}
    - seq: 30
      name: publish the lines
      type: output
      arguments:
        destination: {datasource_id: reports, table: lines}
        columns: [account, line, amount, usd, note, _period]
    - seq: 40
      name: sum up
      type: aggregate
      arguments:
        group_by: [account]
        aggregations: [{column: total, expression: "SUM(usd)"}]
    - seq: 50
      name: publish the totals
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {datasource_id: sheets, table: totals}
        columns: [account, total]
""",
    "data/gl/2026-01.csv": """\
account,line,amount,note
1000,1,10.50,rent
1000,2,0.00,nothing
2000,1,-3.25,
2000,2,7.00,sale
3000,1,100.00,
""",
    "data/gl/2026-02.csv": "account,line,amount,note\n1000,1,1.00,\n",
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Path:
    """Applied, activated, run for January."""
    folder = tmp_path_factory.mktemp("diff")
    write_files(folder, FILES)
    with Workspace.open(folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        assert workspace.run("close", "2026-01").status == "completed"
    return folder


@pytest.fixture
def close(shell: Shell, prepared: Path, spark: SparkSession) -> Iterator[Shell]:
    """A copy, in which commands work on the session that all tests share."""
    shutil.copytree(prepared, shell.folder, dirs_exist_ok=True)
    with shared_session(spark):
        yield shell


@pytest.fixture
def workspace(close: Shell, spark: SparkSession) -> Iterator[Workspace]:
    """The same from Python, for runs."""
    with Workspace.open(close.folder, spark=spark) as opened:
        yield opened


def edit(shell: Shell, old: str, new: str, file: str = "projects/close.yaml") -> None:
    path = shell.folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def draft(shell: Shell, *options: str) -> Ended:
    return shell.run("diff", "close", "--period", "2026-01", *options)


def in_json(shell: Shell, *arguments: str, code: int = 0) -> Any:
    ended = shell.run("diff", *arguments, "--format", "json")
    assert ended.code == code, ended.err + ended.out
    return json.loads(ended.out)


def counts(output: dict[str, Any]) -> tuple[int, ...]:
    found = output["counts"]
    return tuple(found[name] for name in ("equal", "changed", "only_before", "only_after"))


def last_run(workspace: Workspace) -> str:
    return workspace.runs(project="close", period="2026-01")[0].id


# --- a draft with what was published


def test_what_a_changed_rule_does_is_shown_row_by_row_and_in_totals(close: Shell) -> None:
    edit(close, '"amount * 2"', "\"IF(account = '2000', amount * 3, amount * 2)\"")
    edit(close, '"amount = 0"', '"amount = 100"')
    ended = draft(close, "--group-by", "account")
    assert ended.code == 0, ended.err
    first, *lines = ended.out.splitlines()
    assert first.startswith("before  run ")
    assert lines[0] == "        close (version 1) for 2026-01"
    assert lines[2] == "        close (draft) for 2026-01"
    assert (
        [line.rstrip() for line in lines[3:]]
        == """
output 30 'publish the lines' to reports:lines
  rows are matched by account, line
  different: 1 equal, 2 changed, 1 only before, 1 only after

        before  after  difference
─────────────────────────────────
rows         4      4           0
amount  114.25  14.25     -100.00
usd     228.50  32.25     -196.25

  by account: 3 of 3 groups differ
account          before  after  difference
──────────────────────────────────────────
'1000'   rows         1      2          +1
'2000'   usd       7.50  11.25       +3.75
'3000'   rows         1      0          -1
         amount  100.00   NULL     -100.00
         usd     200.00   NULL     -200.00

  changed rows, by column: usd in 2
    account '2000', line 1
      usd: -6.50 → -9.75
    account '2000', line 2
      usd: 14.00 → 21.00

  only before
    account  line  amount     usd  note  _period
    '3000'      1  100.00  200.00  NULL  '2026-01'

  only after
    account  line  amount   usd  note       _period
    '1000'      2    0.00  0.00  'nothing'  '2026-01'

output 50 'publish the totals' to sheets:totals
  rows are matched by account
  different: 1 equal, 1 changed, 1 only before, 0 only after

       before  after  difference
────────────────────────────────
rows        3      2          -1
total  228.50  32.25     -196.25

  by account: 2 of 3 groups differ
account         before  after  difference
─────────────────────────────────────────
'2000'   total    7.50  11.25       +3.75
'3000'   rows        1      0          -1
         total  200.00   NULL     -200.00

  changed rows, by column: total in 1
    account '2000'
      total: 7.50 → 11.25

  only before
    account   total
    '3000'   200.00
""".rstrip().splitlines()
    )
    assert all(len(line) <= 80 for line in lines)
    assert len(marked_outputs(close.folder / "sheets" / "totals")) == 1


@pytest.mark.campaign
def test_nothing_changed_is_said_and_is_no_failure(close: Shell) -> None:
    ended = draft(close, "--fail-on-change", "--output", "50")
    assert ended.code == 0, ended.err
    assert "  the same: 3 equal, 0 changed, 0 only before, 0 only after\n" in ended.out


@pytest.mark.campaign
def test_a_change_fails_where_that_is_asked_for(close: Shell) -> None:
    edit(close, '"amount * 2"', '"amount * 2.001"')
    arguments = ("close", "--period", "2026-01", "--output", "publish the totals")
    found = in_json(close, *arguments, "--fail-on-change", code=1)
    assert found["same"] is False
    (output,) = found["outputs"]
    assert (output["seq"], output["destination"], output["key"]) == (
        50,
        "sheets:totals",
        ["account"],
    )
    assert counts(output) == (0, 3, 0, 0)
    assert output["changed"][0] == {
        "key": {"account": "1000"},
        "known_by": {},
        "cells": [{"column": "total", "before": "21.00000", "after": "21.01050"}],
    }
    assert output["retyped"][0]["column"] == "total"
    draft_id = found["after"]["run_id"]
    near = ("--run", draft_id, "--tolerance", "total=0.0105", "--fail-on-change")
    again = in_json(close, *arguments, *near, code=1)
    assert counts(again["outputs"][0]) == (2, 1, 0, 0)
    nearer = ("--run", draft_id, "--tolerance", "total=0.2", "--fail-on-change")
    assert counts(in_json(close, *arguments, *nearer)["outputs"][0]) == (3, 0, 0, 0)


@pytest.mark.campaign
def test_a_new_column_and_a_new_output_are_differences(close: Shell) -> None:
    edit(close, "columns: [account, line, amount,", "columns: [account, line,")
    edit(close, "columns: [account, total]", "columns: [account, total, _labels]")
    edit(
        close,
        "    - seq: 40\n",
        "    - seq: 35\n      name: copy\n      type: output\n"
        "      arguments: {destination: {datasource_id: reports, table: copy}}\n    - seq: 40\n",
    )
    ended = draft(close, "--limit", "0")
    assert ended.code == 0, ended.err
    assert "only after: output 35 'copy' to reports:copy" in ended.out
    assert "  columns only before: amount\n" in ended.out
    assert "  columns only after: _labels\n" in ended.out
    assert draft(close, "--output", "totals", "--columns", "total", "--fail-on-change").code == 0


def test_a_draft_that_fails_ends_as_a_run_does(close: Shell) -> None:
    edit(close, "7.00", "seven", "data/gl/2026-01.csv")
    ended = draft(close)
    assert ended.code == 3
    assert "DATASET_011" in ended.err


def test_faulty_definitions_are_findings(close: Shell) -> None:
    edit(close, '"amount * 2"', '"amout * 2"')
    ended = draft(close)
    assert ended.code == 1
    assert "EXPR_002" in ended.err
    assert in_json(close, "close", "--period", "2026-01", code=1)["errors"][0]["code"] == "EXPR_002"


# --- what runs wrote, and what became of it


@pytest.mark.campaign
def test_a_run_of_another_period_does_not_matter_to_a_table_by_period(
    close: Shell, workspace: Workspace
) -> None:
    before = last_run(workspace)
    assert workspace.run("close", "2026-02").status == "completed"
    repeated = workspace.repeat(before).run_id
    found = in_json(close, "--runs", before, repeated, "--output", "30")
    assert counts(found["outputs"][0]) == (4, 0, 0, 0)
    workspace.gc(older_than=0)
    ended = close.run("diff", "--runs", before[:-1], repeated)
    assert ended.code == 4
    assert f"output 50 'publish the totals' of run {before} is not what it wrote" in ended.err
    assert "--recompute" in ended.err


@pytest.mark.campaign
def test_what_was_replaced_since_is_recomputed_where_that_is_allowed(
    close: Shell, workspace: Workspace
) -> None:
    first = last_run(workspace)
    edit(close, '"amount * 2"', '"amount * 4"')
    workspace.activate("close")
    second = workspace.run("close", "2026-01").run_id
    kept = in_json(close, "--runs", first, second, "--output", "lines")
    assert (kept["before"]["recomputed_as"], counts(kept["outputs"][0])) == (None, (0, 4, 0, 0))
    workspace.gc(older_than=0)
    refused = in_json_error(close, "--runs", first, second)
    assert refused.startswith(f"RUN_010  output 30 'publish the lines' of run {first}")
    assert f"output 30 of run {second} has written to reports/lines since" in refused
    edit(close, "100.00", "200.00", "data/gl/2026-01.csv")
    found = in_json(close, "--runs", first, second, "--recompute", "--output", "lines")
    assert found["before"]["recomputed_as"] not in (None, first, second)
    assert found["after"]["recomputed_as"] is None
    assert found["before"]["changed_input"] == [
        "gl/2026-01.csv of dataset 'gl': data/gl/2026-01.csv changed"
    ]
    assert counts(found["outputs"][0]) == (0, 4, 0, 0)


def in_json_error(shell: Shell, *arguments: str) -> str:
    ended = shell.run("diff", *arguments, "--quiet")
    assert ended.code == 4, ended.out
    return ended.err


def test_a_file_that_somebody_edited_is_not_what_the_run_wrote(
    close: Shell, workspace: Workspace
) -> None:
    repeated = workspace.repeat(last_run(workspace)).run_id
    (sheet,) = (close.folder / "sheets" / "totals").glob("*.csv")
    sheet.write_text(sheet.read_text().replace("200.00", "999.00"))
    os.utime(sheet, (time.time() + 5, time.time() + 5))
    refused = in_json_error(close, "--runs", last_completed(workspace), repeated)
    assert f"sheets/totals/{sheet.name} was changed after the run had written it" in refused


def last_completed(workspace: Workspace) -> str:
    return next(run.id for run in workspace.runs(project="close") if not run.draft)


@pytest.mark.campaign
def test_rows_that_somebody_removed_are_missed(close: Shell, workspace: Workspace) -> None:
    published = last_run(workspace)
    repeated = workspace.repeat(published).run_id
    (sheet,) = (close.folder / "sheets" / "totals").glob("*.csv")
    state = sheet.stat()
    sheet.write_text("".join(sheet.read_text().splitlines(keepends=True)[:-1]))
    os.utime(sheet, ns=(state.st_atime_ns, state.st_mtime_ns))
    refused = in_json_error(close, "--runs", published, repeated, "--output", "50")
    assert "sheets/totals holds 2 rows of it, not 3" in refused


@pytest.mark.campaign
def test_a_sandbox_that_was_removed_is_said_and_can_be_recomputed(
    close: Shell, workspace: Workspace
) -> None:
    published = last_run(workspace)
    repeated = workspace.repeat(published).run_id
    shutil.rmtree(close.folder / ".rowbook" / "sandbox")
    refused = in_json_error(close, "--runs", published, repeated)
    assert f"totals of run {repeated}" not in refused
    assert "is gone, or was replaced" in refused
    ended = close.run("diff", "--runs", published, repeated, "--recompute", "--output", "30")
    assert ended.code == 0, ended.err
    assert "recomputed as run" in ended.out


def test_what_is_wrong_with_both_runs_is_said_at_once_and_before_spark(
    close: Shell, workspace: Workspace
) -> None:
    shutil.rmtree(close.folder / "sheets" / "totals")
    (close.folder / "data/gl/2026-01.csv").unlink()
    ended = draft(close)
    assert (ended.code, ended.out) == (3, "")
    assert [code for code in ("RUN_010", "DATASOURCE_006") if code in ended.err] == [
        *("RUN_010", "DATASOURCE_006")
    ]
    assert "starting Spark" not in ended.err
    published = last_run(workspace)
    again = close.run("diff", "--runs", published, published, "--recompute")
    assert (again.code, again.err.count("DATASOURCE_006")) == (3, 1)
    assert len(workspace.runs()) == 1, "nothing was run"


@pytest.mark.campaign
def test_appended_rows_cannot_be_told_from_others(close: Shell, workspace: Workspace) -> None:
    edit(close, "table: totals}", "table: totals}\n        mode: append")
    workspace.activate("close")
    published = workspace.run("close", "2026-01").run_id
    assert "cannot be told from them" in in_json_error(
        close, "close", "--period", "2026-01", "--output", "50"
    )
    found = in_json(close, "close", "--period", "2026-01", "--output", "50", "--recompute")
    assert found["before"]["run_id"] == published
    assert counts(found["outputs"][0]) == (3, 0, 0, 0)


@pytest.mark.campaign
def test_a_key_that_stands_more_than_once_is_said(close: Shell, workspace: Workspace) -> None:
    edit(close, '"amount * 2"', '"amount * 3"')
    ended = draft(close, "--output", "30", "--key", "account")
    assert ended.code == 0, ended.err
    said = " ".join(ended.out.split())
    assert (
        "rows are matched by account; 2 rows before share 1 key; 2 rows after share 1 key; these"
        " are compared whole, among those of their key" in said
    )
    assert "different: 0 equal, 2 changed, 2 only before, 2 only after" in ended.out


# --- usage


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a project and --period, or two runs with --runs"),
        (("close",), "name a project and --period, or two runs with --runs"),
        (("close", "--period", "2026-01", "--runs", "a", "b"), "--runs stands alone"),
        (("close", "--period", "2026-01", "--key", "a,,b"), "--key 'a,,b' is not a list"),
        (("close", "--period", "2026-01", "--key", "a,a"), "--key 'a,a' is not a list"),
        (("close", "--period", "2026-01", "--tolerance", "usd"), "is not COLUMN=NUMBER"),
        (("close", "--period", "2026-01", "--tolerance", "usd=-1"), "is not COLUMN=NUMBER"),
        (("close", "--period", "2026-01", "--key", "acount"), "key 'acount' is not a column"),
        (
            ("close", "--period", "2026-01", "--output", "30", "--key", "acount"),
            "did you mean 'account'?",
        ),
        (("close", "--period", "2026-01", "--ignore", "nosuch"), "both sides of any output have"),
        (
            ("close", "--period", "2026-01", "--tolerance", "note=1"),
            "column 'note' of output 30 'publish the lines' is string, and takes no tolerance",
        ),
        (("close", "--period", "2026-01", "--output", "31"), "no output '31' that both runs have"),
        (("close", "--period", "2026-02"), "has no completed run for 2026-02 to compare with"),
        (("clsoe", "--period", "2026-01"), "project 'clsoe' is not defined"),
        (("--runs", "0000", "1111"), "RUN_006"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_runs(
    close: Shell, arguments: tuple[str, ...], message: str
) -> None:
    ended = close.run("diff", *arguments)
    assert ended.code == 2
    assert message in ended.err
    assert ended.out == ""
    assert not (close.folder / ".rowbook" / "sandbox").exists()


def test_a_run_of_another_period_is_not_compared_with_the_last(
    close: Shell, workspace: Workspace
) -> None:
    other = workspace.run("close", "2026-02", draft=True).run_id
    ended = draft(close, "--run", other)
    assert ended.code == 2
    assert f"run {other} is of close for 2026-02, not of close for 2026-01" in ended.err


@pytest.mark.campaign
def test_a_draft_and_its_comparison_share_one_session(close: Shell, spark: SparkSession) -> None:
    with shared_session(spark) as sessions:
        found = in_json(close, "close", "--period", "2026-01")
    assert found["same"] is True
    assert len(sessions) == 1
