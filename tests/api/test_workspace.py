"""Verbs that the command line is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook import RowbookError, Workspace
from rowbook.api import TestEngine, draw_plan, json_schema
from tests.support.refusal import refusal


def test_findings_of_some_files_are_those_in_them(unstarted: Workspace) -> None:
    projects = unstarted.root / "projects"
    project = projects / "monthly_close.yaml"
    project.write_text(project.read_text().replace("gl.amount", "gl.amout"))
    assert not unstarted.validate(projects).ok
    assert unstarted.validate(unstarted.root / "datasets").ok
    assert unstarted.validate().definitions["project"] == 1


def test_a_period_is_found_by_how_it_is_written(unstarted: Workspace) -> None:
    assert unstarted.period("2026-01").end.isoformat() == "2026-01-31"
    with pytest.raises(RowbookError, match="PERIOD_001"):
        unstarted.period("2026-13")


def test_where_nothing_ran_nothing_is_removed(unstarted: Workspace) -> None:
    assert unstarted.gc(older_than=0) == ()


def test_a_plan_is_drawn(unstarted: Workspace) -> None:
    plan = unstarted.plan("monthly_close", "2026-01")
    assert draw_plan(plan, "mermaid").startswith("flowchart")
    assert draw_plan(plan, "svg").startswith("<svg")


def test_only_kinds_of_definitions_have_a_schema() -> None:
    assert "$schema" in json_schema("project")
    with pytest.raises(RowbookError, match="'projcet' is not a kind of definition"):
        json_schema("projcet")


def test_scenarios_are_tested_without_a_session(unstarted: Workspace) -> None:
    heard: list[str] = []
    results = unstarted.test(text="ZERO", on_begin=heard.append)
    assert [result.name for result in results] == heard == ["zero lines are not published"]
    assert {result.status for result in results} == {"passed"}


@pytest.mark.spark
@pytest.mark.parametrize("engine", ["spark", "both"])
def test_scenarios_are_tested_on_the_session_of_the_workspace(
    close: Workspace, engine: TestEngine
) -> None:
    (result,) = close.test(text="ZERO", engine=engine)
    assert (result.name, result.status) == ("zero lines are not published", "passed")


@pytest.mark.spark
def test_rows_of_a_preview_are_computed_with_all_columns(close: Workspace) -> None:
    preview = close.preview_rows("monthly_close", "2026-01", 20, limit=3)
    assert len(preview.rows) == 3
    assert {"amount", "_row_id"} <= set(preview.columns)


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_is_found_by_how_its_id_begins(closed: Workspace) -> None:
    (run,) = closed.runs()
    assert closed.show(run.id[:13]).run == run
    assert '"project": {' in closed.definitions(run.id[:13])


def test_settings_that_reach_out_are_used_only_if_they_are_trusted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ROWBOOK_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = folder / "rowbook.yaml"
    file.write_text(file.read_text().rstrip() + "\n  allowed_locations: [/mnt/lake]\n")
    untrusted = Workspace.open(folder)
    assert untrusted.validate().ok
    refusal(lambda: untrusted.plan("monthly_close", "2026-01"), "WORKSPACE_006")
    refusal(lambda: untrusted.spark, "WORKSPACE_006")
    refusal(untrusted.test, "WORKSPACE_006")
    assert Workspace.open(folder, trust=True).plan("monthly_close", "2026-01").reads
    refusal(untrusted.datasets, "WORKSPACE_006")
    assert Workspace.open(folder, trust=lambda _: True).datasets() == ()
    assert untrusted.datasets() == ()
