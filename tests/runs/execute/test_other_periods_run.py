"""Runs that read other periods: reversals of last month, one file of all months, a year to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from pyspark.sql import SparkSession

from rowbook.api import RunResult, Workspace
from rowbook.engine.session.sizing import LOCAL
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare import resolve
from tests.support.write_files import write_files

pytestmark = pytest.mark.spark

_COLUMNS = """\
    columns:
      - {name: account, type: string}
      - {name: amount, type: "decimal(18,2)"}
      - {name: kind, type: string}
"""
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: files}\n",
    "datasets/all.yaml": f"""\
dataset:
  name: journal
  main_table:
    name: journal
    temporal_mode: period
{_COLUMNS}---
dataset:
  name: closed_ledger
  main_table:
    name: closed_ledger
    temporal_mode: period
{_COLUMNS}---
dataset: {{name: last_month, of: closed_ledger, periods: previous, missing: warn}}
---
dataset: {{name: year, of: closed_ledger, periods: year_to_date, require: closed}}
---
dataset: {{name: lately, of: journal, periods: {{trailing: 3}}}}
""",
    "resolvers/files.yaml": """\
resolver:
  name: files
  rules:
    - name: journals are one file
      when: "table.name = 'journal'"
      strategy: {type: path, path: "data/journal.csv"}
    - name: the rest
      strategy: {type: path, path: "data/{{table_name}}", format: parquet}
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: journal
  operations:
    - seq: 1
      name: Reverse the accruals of last month
      type: append
      arguments:
        source: {dataset_id: last_month}
        source_selector: "kind = 'accrual'"
        aggregation:
          group_by: [account]
          aggregations:
            - {column: amount, expression: "-SUM(amount)"}
            - {column: kind, expression: "MAX_AGG('reversal')"}
    - seq: 2
      name: Close
      type: output
      arguments:
        destination: {location: {path: data/closed_ledger, format: parquet}}
        columns: [account, amount, kind, _period]
        register_as_dataset: closed_ledger
""",
    "projects/report.yaml": """\
project:
  name: report
  input_dataset_id: year
  operations:
    - seq: 1
      name: Write the year so far
      type: output
      arguments:
        destination: {location: {path: data/report, format: parquet}}
        columns: [account, amount]
""",
    "projects/recent.yaml": """\
project:
  name: recent
  input_dataset_id: lately
  operations:
    - {seq: 1, name: Look, type: delete, selector: "FALSE"}
""",
    "data/journal.csv": "account,amount,kind,_period\n"
    "6000,100.00,accrual,2026-01\n4000,-50.00,invoice,2026-01\n"
    "6000,90.00,invoice,2026-02\n6100,7.00,accrual,2026-02\n",
}


def rows(folder: Path, table: str) -> list[tuple[Any, ...]]:
    files = [str(file) for file in (folder / "data" / table).rglob("*.parquet")]
    found = ds.dataset(files).to_table().to_pylist()
    return sorted(tuple(str(row[name]) for name in row if name != "period") for row in found)


def snapshot(folder: Path, result: RunResult) -> dict[str, Any]:
    with OpenWorkspace(folder) as workspace:
        found = workspace.store.runs.snapshot(result.run_id)
        assert found is not None
        return found


def test_accruals_are_reversed_month_by_month(tmp_path: Path, spark: SparkSession) -> None:
    write_files(tmp_path, FILES)
    with Workspace.open(tmp_path, spark=spark) as workspace:
        workspace.apply()
        for project in ("close", "report"):
            workspace.activate(project)
        first = workspace.run("close", "2026-01")
        said = "dataset 'last_month' has no data of 'closed_ledger' for 2025-12"
        assert (first.status, list(first.warnings)) == ("completed", [said])
        second = workspace.run("close", "2026-02")
        assert (second.status, list(second.warnings)) == ("completed", [])
        closed = [
            ("4000", "-50.00", "invoice", "2026-01"),
            ("6000", "-100.00", "reversal", "2026-02"),
            ("6000", "100.00", "accrual", "2026-01"),
            ("6000", "90.00", "invoice", "2026-02"),
            ("6100", "7.00", "accrual", "2026-02"),
        ]
        assert rows(tmp_path, "closed_ledger") == closed
        read = {each["name"]: each for each in snapshot(tmp_path, second)["datasets"]}
        (place,) = read["last_month"]["locations"]
        assert [content["name"].split("/")[2] for content in place["contents"]] == [
            "period=2026-01"
        ]
        assert all("digest" in content for content in place["contents"])
        assert workspace.run("close", "2026-02").status == "completed"
        assert rows(tmp_path, "closed_ledger") == closed
        refused = workspace.run("report", "2026-02")
        assert [each.code for each in refused.errors] == ["DATASET_020"]
        workspace.close_period("2026-01")
        assert workspace.run("report", "2026-02").status == "completed"
        assert len(rows(tmp_path, "report")) == 5


@pytest.mark.parametrize("most", [LOCAL, -1], ids=["at the driver", "by Spark"])
def test_rows_of_one_file_tell_which_period_has_none(
    most: int, tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolve, "LOCAL", most)
    write_files(tmp_path, FILES)
    with Workspace.open(tmp_path, spark=spark) as workspace:
        result = workspace.run("recent", "2026-02", draft=True)
    assert [(each.code, each.message) for each in result.errors] == [
        ("DATASET_019", "dataset 'lately' has no data of 'journal' for 2025-12")
    ]
