"""Where rows are counted by groups, and which updates then leave no mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.counting.group_counts import MOST_BESIDE, MOST_BY_GROUP
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import AggregateStage, LayerStage, Situation
from rowbook.engine.strategy.strategy import decide
from tests.engine.random_counted import APPEND, OUTPUT, WORKSPACE
from tests.support.small_plans import delete as deleted
from tests.support.small_plans import numbered, plan_of, total
from tests.support.small_plans import update as updated

TOTAL = total("s, k", "n")
ENDS = (OUTPUT, OUTPUT)


def counted(folder: Path, *operations: str) -> tuple[int, list[int]] | None:
    """The seq of the aggregate that counts, and those of updates that leave no mark."""
    stages = decide(plan_of(folder, WORKSPACE + numbered(*operations)), Situation()).stages
    unmarked = [seq for each in stages if isinstance(each, LayerStage) for seq in each.unmarked]
    counting = [s.step.seq for s in stages if isinstance(s, AggregateStage) and s.count == "groups"]
    return (counting[0], sorted(unmarked)) if counting else None


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        ((updated("c", "'x'", "s = 'a'"), TOTAL), [1]),
        ((updated("c", "'x'", "s = 'a' AND k > 1 OR k IS NULL"), TOTAL), [1]),
        ((updated("c", "'x'", "UPPER(s) LIKE 'A%'"), TOTAL), [1]),
        ((updated("c", "'x'"), TOTAL), [1]),
        ((updated("c", "'x'", "b"), TOTAL), []),
        ((updated("c", "'x'", "s = c"), TOTAL), []),
        ((updated("s", "'x'", "s = 'a'"), TOTAL), []),
        ((updated("s", "'x'", "k = 1"), TOTAL), [1]),
        ((updated("c", "'x'", "s = 'a'"), updated("s", "'b'", "b"), TOTAL), []),
        ((updated("s", "'b'", "b"), updated("c", "'x'", "s = 'a'"), TOTAL), [2]),
        ((updated("c", "'x'", "s = 'a'"), deleted("b"), TOTAL), []),
        ((deleted("s = 'a'"), updated("c", "'x'", "s = 'a'"), TOTAL), [2]),
        ((updated("c", "'x'", "s = 'a'"), APPEND, updated("c", "'y'", "k = 1"), TOTAL), [1, 3]),
    ],
)
def test_an_update_needs_no_mark_where_groups_tell_its_rows(
    tmp_path: Path, operations: tuple[str, ...], found: list[int]
) -> None:
    assert counted(tmp_path, *operations, *ENDS) == (len(operations), found)


@pytest.mark.parametrize(
    "operations",
    [
        (TOTAL, OUTPUT),
        (total("s, k", "n", selector="b"), *ENDS),
        (total("_row_id", "n"), *ENDS),
        (total("s", "n", "COUNT_DISTINCT(k)"), *ENDS),
        (TOTAL, updated("c", "'x'", "k = 1"), *ENDS),
        (TOTAL, deleted("b"), *ENDS),
        (*(updated("c", f"'{i}'", f"i = {i}") for i in range(MOST_BESIDE)), TOTAL, *ENDS),
    ],
    ids=[
        *("one reader", "some rows", "each row", "distinct values", "rows updated later"),
        *("rows deleted later", "many marks"),
    ],
)
def test_elsewhere_rows_are_counted_in_other_ways(
    tmp_path: Path, operations: tuple[str, ...]
) -> None:
    assert counted(tmp_path, *operations) is None


def test_of_many_updates_so_many_are_asked_of_groups_as_may_be(tmp_path: Path) -> None:
    many = [updated("c", f"'{i}'", f"k = {i}") for i in range(MOST_BY_GROUP + 2)]
    assert counted(tmp_path, *many, TOTAL, *ENDS) == (65, list(range(1, MOST_BY_GROUP + 1)))


def test_an_aggregate_for_summaries_does_not_stand_in_the_way(tmp_path: Path) -> None:
    later = (total("s", "n2", selector="n IS NULL"), deleted("n > 2"), *ENDS)
    assert counted(tmp_path, updated("c", "'x'", "b"), TOTAL, *later) == (2, [])


@pytest.mark.parametrize(
    "situation",
    [
        Situation(ending="rows"),
        Situation(Options(ledger=False)),
        Situation(Options(segments=False)),
    ],
    ids=["rows are read at the end", "nothing is counted", "no summary is kept"],
)
def test_groups_count_only_where_a_summary_is_kept_and_counts_are_wanted(
    tmp_path: Path, situation: Situation
) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(updated("c", "'x'"), TOTAL, *ENDS))
    stages = decide(plan, situation).stages
    assert not any(isinstance(s, AggregateStage) and s.count == "groups" for s in stages)
    assert not any(isinstance(s, LayerStage) and s.unmarked for s in stages)


def test_rows_that_a_checkpoint_counted_are_not_counted_by_groups(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(updated("c", "'x'"), OUTPUT, TOTAL, *ENDS))
    stages = decide(plan, Situation(rewrites=frozenset({2}))).stages
    assert [each.kind for each in stages][1:4] == ["layer", "checkpoint", "output"]
    assert not any(isinstance(s, AggregateStage) and s.count for s in stages)
