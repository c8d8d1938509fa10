"""What a chain would do, told without a run."""

from __future__ import annotations

from pathlib import Path

from rowbook import Workspace
from rowbook.runs.chains.plan_chain import ChainPlan, PlannedSupply
from tests.runs.chains.ledgers import make_active_ledgers, make_ledgers, project
from tests.support.write_files import write_files


def decisions(plan: ChainPlan) -> list[tuple[str, int | None, bool, str, bool]]:
    return [(e.project, e.version, e.runs, e.because, e.checked) for e in plan.links]


def test_each_project_with_what_would_become_of_it(tmp_path: Path) -> None:
    plan = Workspace.open(make_active_ledgers(tmp_path)).plan_upstream("report", "2026-01")
    assert decisions(plan) == [
        ("convert", 1, True, "it never ran for 2026-01", True),
        ("close", 1, True, "after convert, if that changes what it reads", False),
        ("report", 1, True, "it is asked for", False),
    ]
    assert [each.reads for each in plan.links] == [
        (PlannedSupply("gl", 1, None),),
        (PlannedSupply("converted", 1, "convert"),),
        (PlannedSupply("closed", 1, "close"),),
    ]
    assert [each.registers for each in plan.links] == [("converted",), ("closed",), ("reported",)]
    assert plan.problems == ()


def test_drafts_all_run(tmp_path: Path) -> None:
    workspace = Workspace.open(make_ledgers(tmp_path))
    assert decisions(workspace.plan_upstream("close", "2026-01", draft=True)) == [
        ("convert", None, True, "as a draft", True),
        ("close", None, True, "it is asked for", False),
    ]
    assert not (tmp_path / ".rowbook").exists()


def test_what_the_first_would_fail_of_is_a_problem_of_the_chain(tmp_path: Path) -> None:
    plan = Workspace.open(make_active_ledgers(tmp_path)).plan_upstream("report", "2026-03")
    (problem,) = plan.problems
    assert problem.code == "DATASOURCE_006"
    assert problem.message.startswith("no data at data/inbox/gl/2026-03.csv, where rule")
    assert [len(each.problems) for each in plan.links] == [1, 0, 0]


def test_files_that_are_not_what_runs_are_noted(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    changed = project("convert", "gl", "amount * 3", "converted", "texts")
    write_files(tmp_path, {"projects/convert.yaml": changed})
    plan = Workspace.open(tmp_path).plan_upstream("close", "2026-01")
    notes = [each.drift.message if each.drift else None for each in plan.links]
    assert notes == [
        "projects/convert.yaml differs from the active version 1: operation 10 changed",
        None,
    ]
