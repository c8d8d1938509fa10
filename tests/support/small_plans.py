"""Small projects from text: plans of operations that are written as one line each."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rowbook.periods import GREGORIAN
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.workspace_check import check_workspace

NOW = datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)
PERIOD = GREGORIAN.parse("2026-01")
CONTEXT = RunContext("run", "project", NOW, PERIOD, GREGORIAN, PERIOD.end)

_SETTINGS = """
workspace: {name: test, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "{{table_name}}.parquet"}}]
---
"""


def plan_of(folder: Path, text: str) -> ProjectPlan:
    """The plan of the project `p` among the documents of a text."""
    (folder / "rowbook.yaml").write_text(_SETTINGS + text, encoding="utf-8")
    checked = check_workspace(folder)
    plan = checked.projects["p"].plan
    assert plan is not None, "\n".join(map(str, checked.errors))
    return plan


def update(column: str, value: str, selector: str = "TRUE", joins: str = "") -> str:
    """An update of one column, for `numbered`."""
    return (
        f'type: update, selector: "{selector}", arguments: {{joins: [{joins}],'
        f' assignments: [{{column: {column}, expression: "{value}"}}]}}'
    )


def delete(selector: str) -> str:
    """A delete, for `numbered`."""
    return f'type: delete, selector: "{selector}"'


def total(keys: str, column: str, value: str = "COUNT(*)", selector: str = "") -> str:
    """An aggregate with one result, for `numbered`."""
    where = f'selector: "{selector}", ' if selector else ""
    return (
        f"type: aggregate, {where}arguments: {{group_by: [{keys}],"
        f' aggregations: [{{column: {column}, expression: "{value}"}}]}}'
    )


def numbered(*operations: str) -> str:
    """Operations in their order, below the key `operations`."""
    return "".join(
        f"    - {{seq: {seq}, name: op {seq}, {operation}}}\n"
        for seq, operation in enumerate(operations, start=1)
    )
