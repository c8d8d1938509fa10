"""Where a draft writes: each destination has a folder of its own."""

from __future__ import annotations

from pathlib import Path

from rowbook import Workspace

WORKSPACE = """\
workspace: {name: acme, default_resolver_id: here}
---
dataset: {name: gl, main_table: {name: gl, columns: [{name: a, type: string}]}}
---
datasource: {name: one, type: csv, options: {root: one}}
---
datasource: {name: two, type: parquet, options: {root: two}}
---
resolver:
  name: here
  rules: [{name: all, strategy: {type: path, path: gl.csv}}]
---
project:
  name: copy
  input_dataset_id: gl
  operations:
    - {seq: 1, name: a, type: output, arguments: {destination: {datasource_id: one, table: gl}}}
    - {seq: 2, name: b, type: output, arguments: {destination: {datasource_id: two, table: gl}}}
    - {seq: 3, name: c, type: output, arguments: {destination: {datasource_id: one, table: gl}}}
    - seq: 4
      name: d
      type: output
      arguments: {destination: {location: {path: out/../gl, format: csv}}}
"""


def test_tables_of_one_name_do_not_meet_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "rowbook.yaml").write_text(WORKSPACE)
    plan = Workspace.open(tmp_path / "acme").plan("copy", "2026-01", draft=True)
    written = [step.writes.destination for step in plan.steps if step.writes]
    names = [Path(each).name for each in written]
    assert names == ["gl", "gl.two", "gl", "gl.location"]
    assert len({Path(each).parent for each in written}) == 1
