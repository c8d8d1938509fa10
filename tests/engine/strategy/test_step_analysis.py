"""What steps read and write, told from their expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.step_analysis import join_condition, new_columns, writes
from rowbook.planning.steps import AggregateStep, DeleteStep, UpdateStep
from tests.engine.running import delete, numbered, plan_of, total, update
from tests.engine.strategy.deciding import WORKSPACE


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


@pytest.mark.parametrize(
    ("on", "keys", "right", "rest", "by_row"),
    [
        ("t.k = j.code", 1, 0, 0, False),
        ("j.code = t.k AND j.label = 'a'", 1, 1, 0, False),
        ("t.k = j.code AND t.s = 'a'", 1, 0, 1, False),
        ("t.k = j.code AND t.s < j.label", 1, 0, 1, True),
        ("t.k < j.code", 0, 0, 1, True),
    ],
)
def test_a_join_goes_by_keys_unless_another_condition_reads_both_sides(
    tmp_path: Path, on: str, keys: int, right: int, rest: int, by_row: bool
) -> None:
    joined = update("c", "j.label", joins=f'{{alias: j, dataset_id: names, on: "{on}"}}')
    (step,) = plan_of(tmp_path, WORKSPACE + numbered(joined)).steps
    found = join_condition(step.joins[0])
    assert [len(found.keys), len(found.right), len(found.rest)] == [keys, right, rest]
    assert found.by_row is by_row
