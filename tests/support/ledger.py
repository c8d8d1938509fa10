"""A small workspace whose definitions are applied and whose project is activated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.store import Project, Store
from tests.support.shell import Shell

GL = """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
      - {name: note, type: string}
"""
RATES = """\
dataset:
  name: rates
  main_table:
    name: rates
    columns:
      - {name: account, type: string, nullable: false}
      - {name: rate, type: "decimal(9,4)"}
"""
CLOSE = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: convert
      type: update
      arguments:
        joins: [{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}]
        assignments: [{column: usd, expression: "amount * fx.rate"}]
    - {seq: 20, name: drop zeros, type: delete, selector: "amount = 0"}
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: closed}}
"""
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: lake}\n",
    "datasets/gl.yaml": GL,
    "datasets/rates.yaml": RATES,
    "datasources/lake.yaml": "datasource: {name: lake, type: parquet, options: {root: data}}\n",
    "resolvers/lake.yaml": """\
resolver:
  name: lake
  rules: [{name: all, strategy: {type: table, datasource_id: lake, table: "{{table_name}}"}}]
""",
    "projects/close.yaml": CLOSE,
}
WITHOUT_AMOUNT = {"datasets/gl.yaml": GL.replace('- {name: amount, type: "decimal(18,2)"}', "")}
WITHOUT_NOTE = {"datasets/gl.yaml": GL.replace("- {name: note, type: string}", "")}
WITH_ENTITY = {"datasets/gl.yaml": GL + "      - {name: entity, type: string}\n"}


def applied(shell: Shell, files: Mapping[str, str] = FILES) -> None:
    """Files written and applied."""
    shell.write(files)
    ended = shell.run("apply", "--yes")
    assert (ended.code, ended.err) == (0, "")


def active(shell: Shell) -> None:
    """A workspace whose project is active, version 1."""
    applied(shell)
    assert shell.run("activate", "close").code == 0


def in_json(shell: Shell, *arguments: str, code: int = 0) -> Any:
    """What a command prints for programs."""
    ended = shell.run(*arguments, "--format", "json")
    assert ended.code == code, ended.err
    return json.loads(ended.out)


@contextmanager
def opened(shell: Shell) -> Iterator[Store]:
    with OpenWorkspace(shell.folder) as workspace:
        yield workspace.store


def project(shell: Shell) -> Project:
    """How the project stands."""
    with opened(shell) as store:
        found = store.projects.get("close")
    assert found is not None
    return found


def pins(shell: Shell) -> dict[str, int]:
    """The versions that the latest version of the project pins, by name."""
    with opened(shell) as store:
        version = store.projects.version("close")
        names = {each.id: each.name for each in store.definitions.latest("dataset")}
    assert version is not None
    return {names[dataset]: pinned for dataset, pinned in version.pins.items()}
