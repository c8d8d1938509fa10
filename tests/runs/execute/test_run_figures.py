"""Which column a report follows."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from unittest.mock import Mock

import pytest

from rowbook.errors import RowbookError
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.workspace_check import check_workspace
from rowbook.runs.execute import run_figures
from rowbook.runs.execute.run_figures import Figures, measures_of

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
        ('{name: a, type: decimal}, {name: b, type: "decimal(9,2)"}', None, ("usd", "a", "b")),
        ('{name: a, type: decimal}, {name: b, type: "decimal(9,2)"}', "b", ("b",)),
        ('{name: usd, type: "decimal(9,2)"}, {name: a, type: decimal}', None, ("usd", "a")),
        ("{name: a, type: float}", None, ("usd",)),
        ("{name: a, type: float}", "a", ("a",)),
        ("{name: a, type: float}", "line", ("line",)),
        ("{name: a, type: decimal}", "usd", ("usd",)),
    ],
)
def test_candidates_are_the_one_asked_for_or_decimals_those_first_that_operations_fill(
    tmp_path: Path, columns: str, asked: str | None, found: tuple[str, ...]
) -> None:
    assert measures_of(plan_with(tmp_path, columns), asked) == found


def test_without_decimals_there_is_none(tmp_path: Path) -> None:
    text = WORKSPACE.replace("line * 1.5", "line * 2").replace(", COLUMNS", "")
    (tmp_path / "rowbook.yaml").write_text(text, encoding="utf-8")
    plan = check_workspace(tmp_path).projects["p"].plan
    assert plan is not None
    assert measures_of(plan, None) == ()


@pytest.mark.parametrize(
    ("asked", "what"),
    [("note", "is not a number"), ("usdd", "is not there"), ("_operation_seq", "is not there")],
)
def test_what_is_no_number_of_the_project_is_refused(tmp_path: Path, asked: str, what: str) -> None:
    with pytest.raises(RowbookError, match=f"'{asked}', which {what}") as caught:
        measures_of(plan_with(tmp_path, "{name: a, type: decimal}"), asked)
    (found,) = caught.value.diagnostics
    assert found.code == "USAGE_001"
    assert "numbers of the project: line, a, usd" in (found.hint or "")


@pytest.mark.parametrize(
    ("totals", "followed"),
    [
        ({"usd": Decimal(0), "a": Decimal("-3.00"), "b": Decimal(5)}, "a"),
        ({"usd": 0.5, "a": Decimal(3), "b": Decimal(5)}, "usd"),
        ({"usd": Decimal("0.00"), "a": Decimal(0)}, "usd"),
        (RowbookError.of("RUN_001", "too large"), "usd"),
    ],
    ids=["the first is 0", "none is 0", "all are 0", "not computed"],
)
def test_the_first_is_followed_whose_total_is_not_0(
    totals: dict[str, Decimal] | RowbookError, followed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closing(*_: object) -> dict[str, Decimal]:
        if isinstance(totals, RowbookError):
            raise totals
        return totals

    monkeypatch.setattr(run_figures, "closing_totals", closing)
    monkeypatch.setattr(run_figures, "Measurer", Mock(return_value=Mock(figures=lambda: iter(()))))
    figures = Figures(("usd", "a", "b"))
    figures.take(Mock(), Mock(), Mock(), lambda: None)
    assert (figures.column, figures.complete) == (followed, True)
