"""Levels of totals: which are made from the groups of the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.rollups import followers
from rowbook.engine.strategy.stages import AggregateStage
from rowbook.engine.strategy.step_analysis import aggregates_of
from rowbook.planning.steps import AggregateStep
from tests.engine.random_levels import DATASET, EXACT, OTHER
from tests.engine.strategy.deciding import Deciding, output
from tests.support.small_plans import numbered, plan_of, total

OUTPUT = "type: output, arguments: {destination: {location: {path: out}}}"
UPDATE = 'type: update, arguments: {assignments: [{column: i, expression: "i + 1"}]}'
DELETE = 'type: delete, selector: "k = 1"'
APPEND = "type: append, arguments: {source: {dataset_id: t}}"


def written(*operations: str) -> str:
    return DATASET + numbered(*operations)


def following(folder: Path, *operations: str) -> list[int]:
    """The seqs of the aggregates that are made from the groups of the first operation."""
    first, *ahead = plan_of(folder, written(*operations)).steps
    assert isinstance(first, AggregateStep)
    return [step.seq for step in followers(first, ahead)]


FIRST = total("s, k, c", "n1", "SUM(m)")


@pytest.mark.parametrize("value", EXACT)
def test_what_is_put_together_from_parts_follows(tmp_path: Path, value: str) -> None:
    assert following(tmp_path, FIRST, total("s", "n2", value)) == [2]


@pytest.mark.parametrize("value", [*OTHER, "SUM(SQRT(m))", "SUM(m) + AVG(m)"])
def test_what_is_not_exact_so_does_not_follow(tmp_path: Path, value: str) -> None:
    assert following(tmp_path, FIRST, total("s", "n2", value)) == []


@pytest.mark.parametrize(
    ("value", "first", "follows"),
    [
        ("SUM(m * m * m * m)", "SUM(m)", False),
        ("SUM(m * m * m * m)", "SUM(m * m * m * m)", True),
        ("SUM(SQRT(m))", "SUM(SQRT(m))", False),
        ("MAX_AGG(m / k)", "SUM(m)", False),
        ("MAX_AGG(m / k)", "MAX_AGG(m / k) + 1", True),
    ],
)
def test_what_could_fail_follows_only_where_the_first_level_would_fail_too(
    tmp_path: Path, value: str, first: str, *, follows: bool
) -> None:
    steps = (total("s, k, c", "n1", first), total("s", "n2", value))
    assert following(tmp_path, *steps) == ([2] if follows else [])


@pytest.mark.parametrize(
    "selector",
    [
        *("s = 'a'", "s = 'a' AND k > 1 OR c IS NULL", "n1 IS NULL", "n1 > 5 AND s = 'a'"),
        *("TRUE", "FALSE", "TODAY() > DATE('2020-01-01')"),
    ],
)
def test_rows_may_be_chosen_by_keys_and_by_what_only_summaries_have(
    tmp_path: Path, selector: str
) -> None:
    assert following(tmp_path, FIRST, total("s", "n2", selector=selector)) == [2]


@pytest.mark.parametrize("selector", ["m > 0", "b", "level IS NULL", "s = 'a' AND i = 1"])
def test_rows_chosen_by_anything_else_are_read_themselves(tmp_path: Path, selector: str) -> None:
    assert following(tmp_path, FIRST, total("s", "n2", selector=selector)) == []


def test_a_first_level_that_chooses_rows_has_no_followers(tmp_path: Path) -> None:
    chosen = total("s, k, c", "n1", selector="s = 'a'")
    assert following(tmp_path, chosen, total("s", "n2", selector="s = 'a'")) == []


def test_keys_must_be_among_the_first_ones(tmp_path: Path) -> None:
    assert following(tmp_path, FIRST, total("c, s", "n2"), total("s, b", "n3")) == [2]
    assert following(tmp_path, FIRST, total("b", "n2"), total("s", "n3")) == []


def test_totals_of_what_only_summaries_have_are_read_from_them(tmp_path: Path) -> None:
    assert following(tmp_path, FIRST, total("s", "n2", "SUM(n1)")) == []
    levels = (total("s, k", "n2"), total("s", "n3", selector="n2 IS NOT NULL"))
    assert following(tmp_path, FIRST, *levels, total("s", "n4", "SUM(n2)")) == [2, 3]


@pytest.mark.parametrize("between", [UPDATE, DELETE, APPEND])
def test_levels_end_where_rows_change(tmp_path: Path, between: str) -> None:
    steps = (FIRST, total("s, k", "n2"), between, total("s", "n3"))
    assert following(tmp_path, *steps) == [2]


def test_outputs_change_nothing(tmp_path: Path) -> None:
    steps = (FIRST, OUTPUT, total("s, k", "n2"), OUTPUT, total("s", "n3"), OUTPUT)
    assert following(tmp_path, *steps) == [3, 5]


def test_parts_that_several_results_share_are_made_once(tmp_path: Path) -> None:
    steps = plan_of(
        tmp_path, written(total("s", "n1", "SUM(m) / COUNT(*)"), total("s", "n2", "SUM(m)"))
    ).steps
    parts = aggregates_of([step for step in steps if isinstance(step, AggregateStep)])
    assert [part.function for part in parts] == ["SUM", "COUNT"]


@pytest.mark.parametrize(("digits", "follows"), [(18, True), (28, True), (29, False), (38, False)])
def test_a_sum_that_might_not_fit_is_not_made_for_groups_that_are_not_chosen(
    tmp_path: Path, digits: int, follows: bool
) -> None:
    text = written(total("s, k", "n1"), total("s", "n2", "SUM(m)", selector="k = 2"))
    text = text.replace("decimal(18,2)", f"decimal({digits},2)")
    first, second = plan_of(tmp_path, text).steps
    assert isinstance(first, AggregateStep)
    assert followers(first, [second]) == ((second,) if follows else ())


def test_levels_are_made_from_the_groups_of_the_first(deciding: Deciding) -> None:
    _, first, second, *_ = deciding.stages(total("s, k", "n"), total("s", "n2"), output())
    assert isinstance(first, AggregateStage)
    assert isinstance(second, AggregateStage)
    assert [step.seq for step in second.levels] == [1, 2]
    assert (first.reads_rows, second.reads_rows) == (True, False)
    assert first.reasons[0] == "its groups keep parts for operation 2"
    assert second.reasons[0].startswith("made from the groups of operation 1, not from rows")
