"""A small workspace that is watched, round by round."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rowbook import Workspace
from rowbook.api import RoundEnd, WatchEvent
from tests.support.write_files import write_files

FILES = {
    "rowbook.yaml": """\
workspace: {name: small, default_resolver_id: files}
""",
    "datasets/entries.yaml": """\
dataset:
  name: entries
  main_table:
    name: entries
    columns:
      - {name: id, type: string, nullable: false}
      - {name: amount, type: integer}
  natural_key_columns: [id]
""",
    "datasets/rates.yaml": """\
dataset:
  name: rates
  main_table: {name: rates, columns: [{name: id, type: string}, {name: rate, type: integer}]}
""",
    "resolvers/files.yaml": """\
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "data/{{table_name}}.csv", format: csv}}]
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: entries
  selectors:
    large: "amount > 10"
  operations:
    - seq: 10
      name: double
      type: update
      arguments: {assignments: [{column: twice, expression: "amount * 2"}]}
    - seq: 20
      name: drop
      type: delete
      selector: "{{large}}"
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {location: {path: out}}}
""",
    "projects/other.yaml": """\
project:
  name: other
  input_dataset_id: rates
  operations:
    - seq: 10
      name: one
      type: update
      arguments: {assignments: [{column: rate, expression: "1"}]}
""",
    "scenarios/close.yaml": """\
scenario:
  name: amounts are doubled
  project: close
  period: 2026-01
  input: {entries: {rows: [{id: a, amount: 2}]}}
  expect: {working: {rows: [{id: a, twice: 4}]}}
""",
    "scenarios/other.yaml": """\
scenario:
  name: rates are one
  project: other
  period: 2026-01
  input: {rates: {rows: [{id: a, rate: 7}]}}
  expect: {working: {rows: [{id: a, rate: 1}]}}
""",
    "data/entries.csv": "id,amount\na,1\nb,2\nc,11\n",
    "data/rates.csv": "id,rate\na,1\n",
}


class Watched:
    """A workspace and its watch, which goes on when the next round is asked for."""

    def __init__(
        self, root: Path, project: str | None = None, period: str | None = "2026-01"
    ) -> None:
        self.root = root
        write_files(root, FILES)
        self._events = Workspace.open(root).watch(project, period if project else None)

    def save(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        self.write(file, text.replace(old, new))

    def write(self, file: str, text: str) -> None:
        """As editors do: beside it, and then over it."""
        path = self.root / file
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)

    def round(self) -> list[WatchEvent]:
        """The events of the next round, its start and end among them."""
        return list(self._until_end())

    def _until_end(self) -> Iterator[WatchEvent]:
        for event in self._events:
            yield event
            if isinstance(event, RoundEnd):
                return
