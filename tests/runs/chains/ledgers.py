"""A small workspace of projects that feed each other: convert -> close -> report, and audit, which
depends on nobody. Its files are complete; the datasets between them are registered by runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rowbook import Workspace
from tests.support.write_files import write_files


def project(name: str, reads: str, column: str, registers: str, datasource: str = "lake") -> str:
    """A project with one assignment and one output, from `reads` to the dataset `registers`."""
    return f"""\
project:
  name: {name}
  input_dataset_id: {reads}
  operations:
    - seq: 10
      name: compute
      type: update
      arguments: {{assignments: [{{column: amount, expression: "{column}"}}]}}
    - seq: 20
      name: publish
      type: output
      arguments:
        destination: {{datasource_id: {datasource}, table: {registers}}}
        columns: [account, amount]
        register_as_dataset: {registers}
"""


FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
""",
    "datasources/files.yaml": """\
datasource: {name: inbox, type: csv, options: {root: data/inbox}}
---
datasource: {name: lake, type: parquet, options: {root: data/lake}}
---
datasource: {name: texts, type: csv, options: {root: data/texts, delimiter: ";"}}
""",
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - name: one file a month
      data_level: month
      strategy: {type: path, datasource_id: inbox, path: "{{table_name}}/{{YYYY}}-{{MM}}.csv"}
""",
    "projects/convert.yaml": project("convert", "gl", "amount * 2", "converted", "texts"),
    "projects/close.yaml": project("close", "converted", "amount + 1", "closed"),
    "projects/report.yaml": project("report", "closed", "amount * 10", "reported"),
    "projects/audit.yaml": project("audit", "gl", "amount", "audited"),
    "data/inbox/gl/2026-01.csv": "account,amount\n4000,10.50\n5000,-3.00\n",
    "data/inbox/gl/2026-02.csv": "account,amount\n4000,7.00\n",
}


def make_ledgers(folder: Path) -> Path:
    write_files(folder, FILES)
    return folder


def make_active_ledgers(folder: Path, *projects: str) -> Path:
    """With these projects active, or the three that feed each other, though none has run: what they
    register was applied, and the files are gone again. Made once, and copied."""
    made = _active_ledgers(projects or ("convert", "close", "report"))
    shutil.copytree(made.name, folder, dirs_exist_ok=True)
    return folder


@cache
def _active_ledgers(projects: tuple[str, ...]) -> TemporaryDirectory[str]:
    made = TemporaryDirectory()
    folder = make_ledgers(Path(made.name))
    files = {path: text for name in ("converted", "closed") for path, text in _registered(name)}
    write_files(folder, files)
    workspace = Workspace.open(folder)
    workspace.apply()
    for each in projects:
        workspace.activate(each)
    for path in files:
        (folder / path).unlink()
    return made


def _registered(name: str) -> Iterator[tuple[str, str]]:
    """A dataset as a run registers it."""
    yield (
        f"datasets/{name}.yaml",
        f"""\
dataset:
  name: {name}
  main_table:
    name: {name}
    temporal_mode: period
    columns:
      - {{name: account, type: string, nullable: false}}
      - {{name: amount, type: "decimal(18,2)"}}
  resolver_id: {name}.output
""",
    )
    rule = f"{{name: there, strategy: {{type: table, datasource_id: lake, table: {name}}}}}"
    yield (
        f"resolvers/{name}.yaml",
        f"resolver: {{name: {name}.output, rules: [{rule}]}}\n",
    )
