"""What a scenario depends on."""

from __future__ import annotations

from pathlib import Path

from rowbook.definitions.workspace_files import read_workspace
from rowbook.watch.footprint import footprints
from tests.support.write_files import write_files

FILES = {
    "rowbook.yaml": "workspace: {name: acme}\n",
    "datasets/all.yaml": """\
dataset:
  name: gl
  main_table: {name: gl, temporal_mode: period, columns: [{name: a, type: string}]}
---
dataset: {name: last_month, of: gl, periods: previous, missing: empty}
---
dataset: {name: other, main_table: {name: other, columns: [{name: a, type: string}]}}
""",
    "scenarios/one.yaml": """\
scenario:
  name: one
  period: "2026-01"
  project:
    input_dataset_id: last_month
    operations: [{seq: 1, name: a, type: delete, selector: "FALSE"}]
  input: {gl: {rows: []}}
  expect: {working: {rows: []}}
""",
}


def test_a_scenario_depends_on_a_view_and_on_what_that_reads(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    files = read_workspace(tmp_path)
    (found,) = footprints(files, files.scenarios).values()
    assert [part for part in found if part.startswith("dataset ")] == [
        "dataset gl",
        "dataset last_month",
    ]
