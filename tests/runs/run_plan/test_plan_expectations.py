"""A plan shows what is expected, where it is looked at."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from rowbook.cli.render.plan_text import print_plan
from rowbook.drawing.mermaid import plan_mermaid
from rowbook.drawing.plan_page import plan_html
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.run_plan.plan_model import PlannedExpectation, RunPlan
from rowbook.runs.run_plan.plan_run import plan_run
from tests.runs.run_plan.test_plan_run import FILES
from tests.support.write_files import write_files

_DATASET = '  expectations: [{name: some, that: "COUNT(*) > 0", otherwise: stop}]\n'
_PROJECT = """\
  quarantine: {datasource_id: lake, table: held_back}
  expectations:
    - {name: amounts are there, at: input, that: "amount IS NOT NULL", otherwise: quarantine}
    - {name: all is written, at: {output: 10}, that: "COUNT(*) > 0"}
    - {name: something is left, that: "COUNT(*) > 0"}
  operations:
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    root: Path = tmp_path_factory.mktemp("expected")
    write_files(
        root,
        {
            **FILES,
            "datasets/gl.yaml": FILES["datasets/gl.yaml"] + _DATASET,
            "projects/close.yaml": FILES["projects/close.yaml"].replace(
                "  operations:\n", _PROJECT
            ),
            "data/gl/2026-01.csv": "account,Amount (USD)\nA,1.00\n",
        },
    )
    return plan_run(OpenWorkspace(root), "close", "2026-01", draft=True)


def test_expectations_come_in_the_order_of_their_points(plan: RunPlan) -> None:
    assert [(each.name, each.owner, each.at) for each in plan.expectations] == [
        ("some", "gl", "input"),
        ("amounts are there", None, "input"),
        ("all is written", None, "output 10"),
        ("something is left", None, "end"),
    ]
    assert plan.expectations[1] == PlannedExpectation(
        "amounts are there",
        None,
        "input",
        None,
        "input",
        "amount IS NOT NULL",
        "quarantine",
        "Every row: amount has a value. Otherwise such rows are quarantined.",
    )


def test_where_quarantined_rows_would_go_is_said(plan: RunPlan) -> None:
    columns = ("_expectation", "_run_id", "_dataset", "_row_id", "_period", "account", "amount")
    assert plan.quarantine is not None
    assert plan.quarantine.columns == columns
    assert plan.quarantine.destination.endswith("/held_back")
    assert plan.quarantine.by_period


def test_the_terminal_shows_them_where_they_are_looked_at(plan: RunPlan) -> None:
    out = io.StringIO()
    print_plan(plan, Console(file=out, width=200))
    lines = [line.strip() for line in out.getvalue().splitlines()]
    assert [line for line in lines if line.startswith("expects")] == [
        "expects some: Over all rows: the number of rows is more than 0."
        " Otherwise nothing is published.",
        "expects amounts are there: Every row: amount has a value."
        " Otherwise such rows are quarantined.",
        "expects   all is written of what is written: Over all rows: the number of rows is more"
        " than 0. Otherwise the run says so.",
        "expects   something is left in the end: Over all rows: the number of rows is more than 0."
        " Otherwise the run says so.",
    ]
    at = lines.index("Quarantine")
    assert lines[at + 1].startswith("writes")
    assert lines[at + 1].endswith("/held_back")


def test_pictures_mark_them(plan: RunPlan) -> None:
    drawn = plan_mermaid(plan)
    assert "some, else stop" in drawn
    assert "amounts are there, else quarantine" in drawn
    assert "all is written" in drawn


def test_the_page_lists_them(plan: RunPlan) -> None:
    page = plan_html(plan)
    assert "<h2>What is expected</h2>" in page
    assert "<strong>amounts are there</strong>" in page
    assert "Every row: amount has a value. Otherwise such rows are quarantined." in page
    assert "<h2>Where quarantined rows go</h2>" in page
