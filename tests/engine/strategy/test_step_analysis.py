"""What steps read and write, told from their expressions."""

from __future__ import annotations

from pathlib import Path

from rowbook.engine.strategy.step_analysis import new_columns, writes
from rowbook.planning.steps import AggregateStep, DeleteStep, UpdateStep
from tests.engine.strategy.deciding import WORKSPACE
from tests.support.small_plans import delete, numbered, plan_of, total, update


def test_row_wise_steps_write_their_columns_and_when_it_was(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(update("c", "'x'"), delete("k = 'a'")))
    one, two = plan.steps
    assert isinstance(one, UpdateStep)
    assert isinstance(two, DeleteStep)
    assert writes(one) == {"c", "_updated_at"}
    assert writes(two) == {"_updated_at"}


def test_only_columns_that_no_row_had_are_new(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(total("s", "n"), total("s", "m", "SUM(m)")))
    found = [new_columns(step) for step in plan.steps if isinstance(step, AggregateStep)]
    assert found == [{"n"}, set()]
