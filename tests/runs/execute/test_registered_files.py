"""A dataset that a file defines and a run registers: who has the say."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook import Workspace
from tests.support.write_files import write_files

CLOSED = """\
dataset:
  name: closed
  description: What project close publishes.
  main_table:
    name: ledger
    temporal_mode: period
    columns:
      - {name: amount, type: "decimal(18,2)"}
      - {name: account, type: string, nullable: false, description: As in the chart.}
  natural_key_columns: [account]
"""
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: files}\n",
    "datasources/files.yaml": "datasource: {name: inbox, type: csv, options: {root: inbox}}\n",
    "datasources/lake.yaml": "datasource: {name: lake, type: parquet, options: {root: lake}}\n",
    "resolvers/files.yaml": """\
resolver:
  name: files
  rules:
    - name: closed
      when: "table.name = 'ledger'"
      strategy: {type: table, datasource_id: lake, table: closed}
    - name: other
      strategy: {type: path, datasource_id: inbox, path: "{{table_name}}/{{identifier}}.csv"}
""",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: account, type: string, nullable: false}, {name: amount, type: "decimal(18,2)"}]
---
dataset: {name: last_month, of: closed, periods: previous, missing: empty}
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: Reverse
      type: append
      arguments:
        source: {dataset_id: last_month}
        assignments:
          - {column: amount, expression: "-amount"}
          - {column: _period, expression: "PERIOD()"}
    - seq: 20
      name: Publish
      type: output
      arguments:
        destination: {datasource_id: lake, table: closed}
        columns: [account, amount, _period]
        register_as_dataset: closed
""",
    "inbox/gl/2026-01.csv": "account,amount\n4000,1.00\n",
    "inbox/gl/2026-02.csv": "account,amount\n4000,5.00\n",
}


def closed(folder: Path, definition: str, spark: SparkSession) -> tuple[list[int], str, list[str]]:
    """The versions of the dataset after two months, the project's status, and what was published
    for the second."""
    write_files(folder, {**FILES, "datasets/closed.yaml": definition})
    with Workspace.open(folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        for period in ("2026-01", "2026-02"):
            assert workspace.run("close", period).status == "completed"
        (change, *_) = workspace.project_history("close")
        versions = [each.recorded.version for each in workspace.dataset("closed").versions]
        rows = workspace.read_rows("closed", "2026-02").rows
    return versions, change.status, sorted(str(row["amount"]) for row in rows)


def test_a_definition_of_what_is_written_stays_as_it_is(
    tmp_path: Path, spark: SparkSession
) -> None:
    assert closed(tmp_path, CLOSED, spark) == ([1], "active", ["-1.00", "5.00"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decimal(18,2)", "decimal(20,2)"),
        ('type: "decimal(18,2)"', 'type: "decimal(18,2)", nullable: false'),
        ("natural_key_columns: [account]", "resolver_id: elsewhere"),
    ],
)
def test_one_that_says_otherwise_becomes_the_next_version(
    old: str, new: str, tmp_path: Path, spark: SparkSession
) -> None:
    elsewhere = (
        "resolver:\n  name: elsewhere\n  rules:\n"
        "    - {name: a, strategy: {type: table, datasource_id: lake, table: other}}\n"
    )
    write_files(tmp_path, {**FILES, "resolvers/elsewhere.yaml": elsewhere})
    write_files(tmp_path, {"datasets/closed.yaml": CLOSED.replace(old, new)})
    with Workspace.open(tmp_path, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        assert workspace.run("close", "2026-01").status == "completed"
        assert [each.recorded.version for each in workspace.dataset("closed").versions] == [2, 1]
