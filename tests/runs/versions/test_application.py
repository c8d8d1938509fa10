"""A plan of changes is void once somebody else has changed what it was compared with."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.versions.application import (
    ChangePlan,
    ProjectConflict,
    apply_changes,
    plan_changes,
)
from tests.support.refusal import refusal

AT = datetime(2026, 2, 3, tzinfo=UTC)


def write(folder: Path, *columns: str) -> None:
    listed = ", ".join(f"{{name: {column}, type: string}}" for column in columns)
    (folder / "rowbook.yaml").write_text(
        "workspace: {name: acme}\n---\n"
        f"dataset: {{name: gl, main_table: {{name: gl, columns: [{listed}]}}}}\n",
        encoding="utf-8",
    )


def plan(folder: Path) -> ChangePlan:
    with OpenWorkspace(folder) as workspace:
        return plan_changes(workspace)


def apply(folder: Path, changes: ChangePlan, by: str) -> tuple[ProjectConflict, ...]:
    with OpenWorkspace(folder, changes.files) as workspace:
        return apply_changes(workspace, changes, by=by, at=AT)


def test_a_plan_that_others_overtook_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a")
    apply(tmp_path, plan(tmp_path), "ann")
    write(tmp_path, "a", "b")
    mine = plan(tmp_path)
    write(tmp_path, "a", "c")
    apply(tmp_path, plan(tmp_path), "ben")
    found = refusal(lambda: apply(tmp_path, mine, "ann"))
    assert found.code == "STORE_005"
    assert "was compared with version 1, but its latest is version 2 by ben" in found.message


def test_a_plan_that_others_applied_already_is_done(tmp_path: Path) -> None:
    write(tmp_path, "a")
    mine, theirs = plan(tmp_path), plan(tmp_path)
    apply(tmp_path, theirs, "ben")
    assert apply(tmp_path, mine, "ann") == ()
    assert plan(tmp_path).changes == ()
