from __future__ import annotations

from pathlib import Path

from rowbook.engine.strategy.checks.check_columns import columns_checked, datasets_read
from rowbook.planning.project_plan import ProjectPlan
from tests.engine.strategy.deciding import WORKSPACE, output
from tests.support.small_plans import numbered, plan_of, update


def planned(folder: Path, claim: str, *operations: str) -> ProjectPlan:
    head = f"  quarantine: {{location: {{path: q}}}}\n  expectations: [{{name: e, {claim}}}]\n"
    text = WORKSPACE.replace("  operations:\n", f"{head}  operations:\n")
    return plan_of(folder, text + numbered(*(operations or (update("c", "'x'"), output()))))


def read(plan: ProjectPlan, *, with_samples: bool = False) -> list[str]:
    found = plan.expectations, (), plan.columns, plan.steps
    return sorted(columns_checked(*found, with_samples=with_samples))


def test_what_tells_rows_that_violate_is_read_with_samples_only(tmp_path: Path) -> None:
    plan = planned(tmp_path, "at: input, that: 'm > 0', selector: \"s = 'a'\", show: [k]")
    assert read(plan) == ["m", "s"]
    assert read(plan, with_samples=True) == ["_row_id", "k", "m", "s"]


def test_lookups_are_read_by_what_they_are_found_with(tmp_path: Path) -> None:
    plan = planned(tmp_path, "at: input, that: 'names.label IS NOT NULL'")
    assert read(plan) == ["k"]
    assert [each.name for each in datasets_read(plan)] == ["names"]


def test_rows_that_are_taken_out_are_written_with_all_their_columns(tmp_path: Path) -> None:
    plan = planned(tmp_path, "at: input, unique: [s], otherwise: quarantine")
    assert read(plan) == ["_row_id", "c", "k", "m", "s"]


def test_rows_of_an_output_are_those_that_its_selector_picks(tmp_path: Path) -> None:
    written = output("s", "names.label = c")
    plan = planned(tmp_path, "at: {output: 1}, that: 'm > 0'", written)
    assert read(plan) == ["c", "k", "m"]
    assert [each.name for each in datasets_read(plan)] == ["names"]
