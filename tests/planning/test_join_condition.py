"""The condition of a join, taken apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.planning.join_condition import join_condition
from tests.engine.strategy.deciding import WORKSPACE
from tests.support.small_plans import numbered, plan_of, update


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
