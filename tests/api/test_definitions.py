"""The verbs of a workspace that need no Spark: opening, checking, applying, activating, periods."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from rowbook import RowbookError, Workspace
from rowbook.api import Found, PlannedColumn, PlannedLocation, PlannedRead
from tests.support.refusal import refusal


def edit(folder: Path, file: str, before: str, after: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def codes(error: pytest.ExceptionInfo[RowbookError]) -> list[str]:
    return [diagnostic.code for diagnostic in error.value.diagnostics]


def locations(read: PlannedRead) -> list[str]:
    return [each.location for each in read.locations]


# --- opening


def test_a_workspace_is_found_from_a_folder_inside_it(folder: Path) -> None:
    assert Workspace.open(folder / "projects").root == folder
    assert repr(Workspace.open(str(folder))) == f"Workspace('{folder}')"


def test_a_folder_outside_of_any_workspace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RowbookError) as error:
        Workspace.open(tmp_path)
    assert codes(error) == ["WORKSPACE_001"]


def test_a_misspelt_folder_is_refused_though_a_workspace_is_above_it(folder: Path) -> None:
    with pytest.raises(RowbookError, match="projcets does not exist"):
        Workspace.open(folder / "projcets")


def test_an_engine_and_a_session_are_not_both_taken(folder: Path) -> None:
    with pytest.raises(RowbookError, match="not both"):
        Workspace.open(folder, engine="local[1]", spark=cast(Any, object()))


# --- validate


def test_a_sound_workspace_is_ok(unstarted: Workspace) -> None:
    found = unstarted.validate()
    assert (found.ok, found.errors, found.warnings) == (True, (), ())


def test_findings_come_with_their_place_and_files_are_read_anew(unstarted: Workspace) -> None:
    assert unstarted.validate().ok
    edit(unstarted.root, "projects/monthly_close.yaml", "gl.amount /", "gl.amout /")
    found = unstarted.validate()
    assert not found.ok
    (error,) = found.errors
    assert (error.code, str(error.position)) == (
        "EXPR_002",
        "projects/monthly_close.yaml:24:32",
    )


def test_what_cannot_be_planned_raises_all_its_findings(unstarted: Workspace) -> None:
    edit(unstarted.root, "projects/monthly_close.yaml", "gl.amount /", "gl.amout /")
    edit(unstarted.root, "projects/monthly_close.yaml", "amount = 0", "amuont = 0")
    with pytest.raises(RowbookError) as error:
        unstarted.plan("monthly_close", "2026-01")
    assert codes(error) == ["EXPR_002", "EXPR_002"]


# --- plan


def test_a_plan_has_the_columns_after_each_step(unstarted: Workspace) -> None:
    plan = unstarted.plan("monthly_close", "2026-01")
    assert (plan.project, plan.version, plan.period, str(plan.as_of)) == (
        "monthly_close",
        None,
        "2026-01",
        "2026-01-31",
    )
    before = set(plan.columns)
    new: dict[int, list[PlannedColumn]] = {}
    for step in plan.steps:
        made = {c.name for c in before}
        new[step.seq] = [c for c in step.columns if c.name not in made]
        before |= set(step.columns)
    assert {seq: [(c.name, c.type) for c in columns] for seq, columns in new.items()} == {
        10: [("line_type", "string"), ("amount_usd", "decimal(25,2)")],
        20: [("account_group", "string")],
        30: [],
        40: [],
        50: [],
        60: [("subtotal_usd", "decimal(35,2)"), ("line_count", "integer")],
        70: [],
        80: [],
    }


def test_a_plan_says_what_is_read_and_by_which_rule(unstarted: Workspace) -> None:
    plan = unstarted.plan("monthly_close", "2026-01")
    assert plan.reads[0] == PlannedRead(
        "gl_entries",
        1,
        "gl",
        "period",
        "files",
        "journals and budgets come one file a month",
        "lake",
        (PlannedLocation("data/gl/2026-01.csv", ("2026-01",), Found("there", 1, 4124)),),
    )
    assert [(read.dataset, locations(read)) for read in plan.reads[1:]] == [
        ("fx_rates", ["data/fx_monthly.csv"]),
        ("accounts", ["data/accounts.csv"]),
        ("budget", ["data/budget/2026-01.csv"]),
    ]
    reads = [(step.seq, step.type, tuple(use.dataset for use in step.reads)) for step in plan.steps]
    assert reads == [
        (10, "update", ("fx_rates",)),
        (20, "update", ("accounts",)),
        (30, "delete", ()),
        (40, "append", ("budget",)),
        (50, "update", ("accounts",)),
        (60, "aggregate", ()),
        (70, "output", ()),
        (80, "output", ()),
    ]


def test_a_quarter_is_planned_to_read_its_months(unstarted: Workspace) -> None:
    plan = unstarted.plan("monthly_close", "2026-Q1")
    assert locations(plan.reads[0]) == [f"data/gl/2026-0{month}.csv" for month in (1, 2, 3)]


def test_planning_leaves_no_trace(unstarted: Workspace) -> None:
    unstarted.validate()
    unstarted.plan("monthly_close", "2026-01")
    unstarted.plan_changes()
    assert not (unstarted.root / ".rowbook").exists()


def test_the_active_version_is_planned_to_write_to_its_destinations(unstarted: Workspace) -> None:
    def destinations(*, draft: bool = False) -> list[str]:
        steps = unstarted.plan("monthly_close", "2026-01", draft=draft).steps
        return [step.writes.destination for step in steps if step.writes]

    drafted = [
        ".rowbook/sandbox/<run id>/close_subtotals",
        ".rowbook/sandbox/<run id>/closed_ledger",
    ]
    assert destinations() == drafted
    unstarted.apply()
    unstarted.activate("monthly_close")
    assert destinations() == ["data/reports/close_subtotals", "data/reports/closed_ledger"]
    assert destinations(draft=True) == drafted


# --- apply, activate


def test_changes_are_looked_at_and_then_applied(unstarted: Workspace) -> None:
    plan = unstarted.plan_changes()
    assert unstarted.datasets() == ()
    applied = unstarted.apply(plan)
    assert applied.changes == plan.changes
    assert [(c.kind, c.name, c.version) for c in applied.changes] == [
        ("datasource", "lake", 1),
        ("datasource", "reports", 1),
        ("resolver", "files", 1),
        ("calendar", "fiscal", 1),
        ("dataset", "gl_entries", 1),
        ("dataset", "accounts", 1),
        ("dataset", "fx_rates", 1),
        ("dataset", "budget", 1),
    ]
    assert unstarted.apply().changes == ()


def test_a_breaking_change_says_which_project_is_in_conflict(unstarted: Workspace) -> None:
    unstarted.apply()
    unstarted.activate("monthly_close")
    edit(unstarted.root, "datasets/ledger.yaml", "{name: description, type: string}", "")
    edit(unstarted.root, "datasets/ledger.yaml", "      - \n", "")
    applied = unstarted.apply()
    (change,) = applied.changes
    assert [d.text for d in change.breaking] == ["column 'description' removed"]
    assert [conflict.project for conflict in applied.conflicts] == ["monthly_close"]
    with pytest.raises(RowbookError) as error:
        unstarted.run("monthly_close", "2026-01")
    assert codes(error) == ["PROJECT_010"]
    again = unstarted.activate("monthly_close")
    assert (again.version.version, again.before, again.datasets["gl_entries"]) == (2, "conflict", 2)


def test_an_activation_pins_versions(unstarted: Workspace) -> None:
    unstarted.apply()
    activation = unstarted.activate("monthly_close")
    assert (activation.version.version, activation.is_new) == (1, True)
    assert activation.datasets == {"gl_entries": 1, "fx_rates": 1, "accounts": 1, "budget": 1}


def test_a_kept_pin_stays(unstarted: Workspace) -> None:
    unstarted.apply()
    unstarted.activate("monthly_close")
    edit(unstarted.root, "datasets/ledger.yaml", "Journal lines of", "All lines of")
    unstarted.apply()
    assert unstarted.activate("monthly_close", keep_pin=True).datasets["gl_entries"] == 1
    assert unstarted.activate("monthly_close").datasets["gl_entries"] == 2


def test_a_deactivated_project_does_not_run(unstarted: Workspace) -> None:
    unstarted.apply()
    unstarted.activate("monthly_close")
    project = unstarted.deactivate("monthly_close", reason="replaced").project
    assert (project.status, project.reason) == ("inactive", "replaced")
    with pytest.raises(RowbookError, match="replaced") as error:
        unstarted.run("monthly_close", "2026-01")
    assert codes(error) == ["PROJECT_009"]


# --- datasets, periods, runs


def test_datasets_have_versions(unstarted: Workspace) -> None:
    unstarted.apply()
    edit(unstarted.root, "datasets/ledger.yaml", "Journal lines of", "All lines of")
    unstarted.apply()
    names = [(d.definition.name, d.recorded.version) for d in unstarted.datasets()]
    assert names == [("accounts", 1), ("budget", 1), ("fx_rates", 1), ("gl_entries", 2)]
    details = unstarted.dataset("gl_entries", version=1)
    assert (
        details.selected.definition.description
        == "Journal lines of all entities, one file a month."
    )
    assert [version.recorded.version for version in details.versions] == [2, 1]


def test_an_unknown_dataset_is_refused_with_a_suggestion(unstarted: Workspace) -> None:
    unstarted.apply()
    diagnostic = refusal(lambda: unstarted.dataset("gl_entrys"))
    assert diagnostic.code == "DATASET_007"
    assert (diagnostic.hint or "").startswith("did you mean 'gl_entries'?")


def test_periods_are_closed_then_locked(unstarted: Workspace) -> None:
    with pytest.raises(RowbookError) as error:
        unstarted.lock_period("2026-01")
    assert codes(error) == ["PERIOD_006"]
    assert unstarted.close_period("2026-01", reason="books are closed").state.status == "closed"
    assert unstarted.lock_period("2026-01").state.status == "locked"
    unstarted.close_period("2026-02")
    lines = unstarted.periods(year=2026)
    assert [(line.period.identifier, line.state.status) for line in lines[:3]] == [
        ("2026-01", "locked"),
        ("2026-02", "closed"),
        ("2026-03", "open"),
    ]
    assert len(lines) == 12


def test_another_calendar_has_its_own_periods(unstarted: Workspace) -> None:
    (first, *_) = unstarted.periods(calendar="fiscal", year=2026)
    unstarted.close_period(first.period.identifier, calendar="fiscal")
    assert unstarted.periods(calendar="fiscal", year=2026)[0].state.status == "closed"
    assert {line.state.status for line in unstarted.periods(year=2026)} == {"open"}


def test_a_run_that_does_not_exist_is_not_shown(unstarted: Workspace) -> None:
    assert unstarted.runs() == ()
    for look in (unstarted.show, unstarted.snapshot, unstarted.cancel, unstarted.repeat):
        with pytest.raises(RowbookError) as error:
            look("no-such-run")
        assert codes(error) == ["RUN_006"]


def test_after_closing_nothing_runs_and_no_run_is_recorded(unstarted: Workspace) -> None:
    unstarted.close()
    unstarted.close()
    with pytest.raises(RowbookError, match="the workspace was closed"):
        unstarted.run("monthly_close", "2026-01", draft=True)
    with pytest.raises(RowbookError, match="the workspace was closed"):
        unstarted.preview("monthly_close", "2026-01")
    with pytest.raises(RowbookError, match="the workspace was closed"):
        _ = unstarted.spark
    assert unstarted.runs() == ()
    assert unstarted.validate().ok
