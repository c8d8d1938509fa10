"""Strategies for operations that are written as small texts; nothing is run."""

from __future__ import annotations

from pathlib import Path

from rowbook.engine.strategy.stages import Situation, Stage
from rowbook.engine.strategy.strategy import decide
from tests.support.small_plans import numbered, plan_of, update

WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    columns:
      - {name: s, type: string}
      - {name: k, type: string}
      - {name: m, type: "decimal(18,2)"}
      - {name: c, type: string}
  lookups:
    - {alias: names, dataset_id: names, on: "t.k = names.code"}
---
dataset:
  name: names
  main_table:
    name: n
    columns: [{name: code, type: string}, {name: label, type: string}]
---
project:
  name: p
  input_dataset_id: t
  operations:
"""
APPEND = "type: append, arguments: {source: {dataset_id: t}}"
ENTRIES = "type: append, arguments: {source: working}"
MATCHED = (
    "type: append, arguments: {source: working,"
    ' joins: [{alias: n, dataset_id: names, on: "t.k = n.code"}]}'
)
JOINED = update("c", "names.label")


def output(columns: str = "s", selector: str = "") -> str:
    where = f'selector: "{selector}", ' if selector else ""
    return (
        f"type: output, {where}arguments: {{destination: {{location: {{path: out}}}},"
        f" columns: [{columns}]}}"
    )


class Deciding:
    """Strategies for operations, each a small text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stages(self, *operations: str, **known: object) -> tuple[Stage, ...]:
        plan = plan_of(self.folder, WORKSPACE + numbered(*operations))
        return decide(plan, Situation(**known)).stages  # type: ignore[arg-type]

    def kinds(self, *operations: str, **known: object) -> list[str]:
        return [each.kind for each in self.stages(*operations, **known)]
