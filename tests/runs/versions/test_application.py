"""A plan of changes is void once somebody else has changed what it was compared with."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rowbook.runs.versions.application import apply_changes, plan_changes
from tests.support.refusal import refusal

AT = datetime(2026, 2, 3, tzinfo=UTC)


def write(folder: Path, *columns: str) -> None:
    listed = ", ".join(f"{{name: {column}, type: string}}" for column in columns)
    (folder / "rowbook.yaml").write_text(
        "workspace: {name: acme}\n---\n"
        f"dataset: {{name: gl, main_table: {{name: gl, columns: [{listed}]}}}}\n",
        encoding="utf-8",
    )


def test_a_plan_that_others_overtook_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a")
    apply_changes(plan_changes(tmp_path), by="ann", at=AT)
    write(tmp_path, "a", "b")
    mine = plan_changes(tmp_path)
    write(tmp_path, "a", "c")
    apply_changes(plan_changes(tmp_path), by="ben", at=AT)
    found = refusal(lambda: apply_changes(mine, by="ann", at=AT))
    assert found.code == "STORE_005"
    assert "was compared with version 1, but its latest is version 2 by ben" in found.message


def test_a_plan_that_others_applied_already_is_done(tmp_path: Path) -> None:
    write(tmp_path, "a")
    mine, theirs = plan_changes(tmp_path), plan_changes(tmp_path)
    apply_changes(theirs, by="ben", at=AT)
    assert apply_changes(mine, by="ann", at=AT) == ()
    assert plan_changes(tmp_path).changes == ()
