"""Which column a report follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.workspace_check import check_workspace
from rowbook.runs.execute.run_figures import measure_of

WORKSPACE = """\
workspace: {name: test, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "{{table_name}}.parquet"}}]
---
dataset:
  name: gl
  main_table:
    name: gl
    columns: [{name: line, type: integer}, {name: note, type: string}, COLUMNS]
---
project:
  name: p
  input_dataset_id: gl
  operations:
    - seq: 10
      name: op
      type: update
      arguments: {assignments: [{column: usd, expression: "line * 1.5"}]}
"""


def plan_with(folder: Path, columns: str) -> ProjectPlan:
    text = WORKSPACE.replace("COLUMNS", columns)
    (folder / "rowbook.yaml").write_text(text, encoding="utf-8")
    checked = check_workspace(folder)
    plan = checked.projects["p"].plan
    assert plan is not None, checked.errors
    return plan


@pytest.mark.parametrize(
    ("columns", "asked", "found"),
    [
        ('{name: a, type: decimal}, {name: b, type: "decimal(9,2)"}', None, "a"),
        ('{name: a, type: decimal}, {name: b, type: "decimal(9,2)"}', "b", "b"),
        ("{name: a, type: float}", None, "usd"),
        ("{name: a, type: float}", "a", "a"),
        ("{name: a, type: float}", "line", "line"),
        ("{name: a, type: decimal}", "usd", "usd"),
    ],
)
def test_the_column_is_the_first_decimal_or_the_one_asked_for(
    tmp_path: Path, columns: str, asked: str | None, found: str
) -> None:
    assert measure_of(plan_with(tmp_path, columns), asked) == found


def test_without_decimals_there_is_none(tmp_path: Path) -> None:
    text = WORKSPACE.replace("line * 1.5", "line * 2").replace(", COLUMNS", "")
    (tmp_path / "rowbook.yaml").write_text(text, encoding="utf-8")
    plan = check_workspace(tmp_path).projects["p"].plan
    assert plan is not None
    assert measure_of(plan, None) is None


@pytest.mark.parametrize(
    ("asked", "what"),
    [("note", "is not a number"), ("usdd", "is not there"), ("_operation_seq", "is not there")],
)
def test_what_is_no_number_of_the_project_is_refused(tmp_path: Path, asked: str, what: str) -> None:
    with pytest.raises(RowbookError, match=f"'{asked}', which {what}") as caught:
        measure_of(plan_with(tmp_path, "{name: a, type: decimal}"), asked)
    (found,) = caught.value.diagnostics
    assert found.code == "USAGE_001"
    assert "numbers of the project: line, a, usd" in (found.hint or "")
