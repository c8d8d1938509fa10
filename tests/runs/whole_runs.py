"""A project with two outputs, run and resumed in this process, and what is there afterwards."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from rowbook.engine.session.session import Engine, adopt_session
from rowbook.runs.execute.execute_run import RunOptions, resume_run, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version
from tests.runs.conversion import FILES
from tests.sources.tables import names_in
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROJECT = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: double
      type: update
      arguments: {assignments: [{column: twice, expression: "amount * 2"}]}
    - seq: 20
      name: book
      type: output
      arguments:
        destination: {location: {path: out/closed, format: parquet}}
        columns: [account, twice, _period]
        register_as_dataset: closed
    - seq: 30
      name: list
      type: output
      arguments:
        destination: {location: {path: out/list, format: csv}}
        columns: [account, twice]
        mode: MODE
"""


def activate(shell: Shell, project: str, **files: str) -> Shell:
    shell.write({**FILES, "projects/close.yaml": project, **files})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell


def lent(spark: SparkSession) -> RunOptions:
    def lend(*_: object) -> nullcontext[Engine]:
        return nullcontext(adopt_session(spark))

    return RunOptions(session=lend)


def no_spark(*_: object) -> nullcontext[Engine]:
    raise AssertionError("Spark is not needed")


def run(shell: Shell, options: RunOptions) -> RunResult:
    with OpenWorkspace(shell.folder) as workspace:
        return start_run(workspace, choose_version(workspace, "close", "2026-01"), options)


def resume(shell: Shell, run_id: str, options: RunOptions) -> RunResult:
    with OpenWorkspace(shell.folder) as workspace:
        return resume_run(workspace, run_id, options, accept_changed_input=False)


def booked(shell: Shell) -> list[tuple[str, str]]:
    rows = pq.read_table(shell.folder / "out/closed").to_pylist()
    return sorted((row["account"], str(row["twice"])) for row in rows)


def listed(shell: Shell) -> list[str]:
    lines = [p.read_text().splitlines()[1:] for p in (shell.folder / "out/list").glob("*.csv")]
    return sorted(line for each in lines for line in each)


def staged(shell: Shell) -> list[str]:
    return [name for name in names_in(shell.folder / "out") if ".staging-" in name]
