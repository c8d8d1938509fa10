"""Lineage across projects, by files as they are."""

from __future__ import annotations

from pathlib import Path

from rowbook.lineage.column_lineage import ColumnSource
from rowbook.lineage.project_lineages import ColumnUse
from rowbook.runs.chains.chain_lineage import find_lineage
from rowbook.runs.open_workspace import OpenWorkspace
from tests.support.write_files import write_files

_FILES = {
    "rowbook.yaml": """
workspace: {name: acme, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "data/{{table_name}}.csv"}}]
---
datasource: {name: lake, type: parquet, options: {root: lake}}
---
dataset:
  name: raw
  main_table:
    name: raw
    columns: [{name: k, type: string}, {name: a, type: integer}, {name: c, type: string}]
---
dataset:
  name: clean
  main_table:
    name: clean
    columns: [{name: k, type: string}, {name: twice, type: integer}]
""",
    "projects/first.yaml": """
project:
  name: first
  input_dataset_id: raw
  operations:
    - {seq: 10, name: drop, type: delete, selector: "c = 'x'"}
    - seq: 20
      name: double
      type: update
      arguments: {assignments: [{column: twice, expression: "a * 2"}]}
    - seq: 30
      name: write
      type: output
      arguments:
        destination: {datasource_id: lake, table: clean}
        columns: [k, twice]
        register_as_dataset: clean
""",
    "projects/second.yaml": """
project:
  name: second
  input_dataset_id: clean
  operations:
    - seq: 10
      name: total
      type: aggregate
      arguments: {group_by: [k], aggregations: [{column: total, expression: "SUM(twice)"}]}
    - seq: 20
      name: write
      type: output
      selector: "_operation_seq = 10"
      arguments: {destination: {datasource_id: lake, table: totals}, columns: [total]}
""",
}


def test_upstream_goes_through_what_others_register(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    with OpenWorkspace(tmp_path) as workspace:
        here = find_lineage(workspace, "second", draft=True)
        found = find_lineage(workspace, "second", direction="upstream", draft=True)
    assert here.outputs[0].columns[0].sources == (
        ColumnSource("clean", "twice", "aggregation", (10,)),
    )
    (output,) = found.outputs
    assert output.columns[0].sources == (
        ColumnSource("raw", "a", "aggregation", (10,), ("clean",)),
    )
    assert output.rows == (
        ColumnSource("raw", "c", "filter", (), ("clean",)),
        ColumnSource("raw", "k", "group by", (10,), ("clean",)),
    )


def test_downstream_goes_on_in_projects_that_read_it(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    with OpenWorkspace(tmp_path) as workspace:
        found = find_lineage(workspace, "first", "raw.a", "downstream", draft=True)
    (start,) = {each.source for each in found.uses}
    assert str(start) == "raw.a"
    assert found.uses == (
        ColumnUse(start, "first", 30, "clean", "twice", "transformation", (20,)),
        ColumnUse(start, "second", 20, "lake:totals", "total", "aggregation", (10,), ("clean",)),
    )
