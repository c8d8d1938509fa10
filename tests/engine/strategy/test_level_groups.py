"""Levels in one aggregate: made from groups by all keys where these tell them, else from rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.counting.group_counts import can_count
from rowbook.engine.strategy.level_groups import group_before_levels
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.rollups import followers
from rowbook.engine.strategy.stages import AggregateStage, Situation
from rowbook.planning.steps import AggregateStep
from tests.engine.random_levels import DATASET
from tests.support.small_plans import numbered, plan_of, total

NESTED = "{name: a, group_by: [s, k]}, {name: b, group_by: [s]}, {name: c, group_by: []}"
APART = "{name: a, group_by: [s]}, {name: b, group_by: [k]}"


def levels(named: str, value: str = "SUM(m)", more: str = "") -> str:
    """An aggregate with levels, for `numbered`."""
    return (
        f"type: aggregate, arguments: {{levels: [{named}], aggregations:"
        f' [{{column: n1, expression: "{value}"}}]{more and ", "}{more}}}'
    )


def steps(folder: Path, *operations: str) -> list[AggregateStep]:
    plan = plan_of(folder, DATASET + numbered(*operations))
    return [step for step in plan.steps if isinstance(step, AggregateStep)]


def decided(folder: Path, operation: str, options: Options | None = None) -> AggregateStage:
    (step,) = steps(folder, operation)
    situation = Situation(options or Options())
    (stage,) = group_before_levels((AggregateStage(step),), situation)
    assert isinstance(stage, AggregateStage)
    return stage


@pytest.mark.parametrize("named", [NESTED, APART])
def test_rows_are_grouped_once_by_all_keys(tmp_path: Path, named: str) -> None:
    stage = decided(tmp_path, levels(named, "SUM(m) / COUNT(*)"))
    assert stage.groups_first
    assert stage.reasons == (
        "rows are grouped once, by all keys; its levels are made from these groups",
    )


@pytest.mark.parametrize(
    ("named", "value", "why"),
    [
        (NESTED, "COUNT_DISTINCT(c)", "COUNT_DISTINCT cannot be put together from groups"),
        (NESTED, "SUM(m) + AVG(i)", "AVG cannot be put together from groups"),
        (APART, "SUM(m * m * m * m)", "a sum of a group that no level has might not fit"),
    ],
)
def test_what_groups_do_not_tell_is_made_from_rows(
    tmp_path: Path, named: str, value: str, why: str
) -> None:
    stage = decided(tmp_path, levels(named, value))
    assert not stage.groups_first
    assert stage.reasons == (f"its levels are made from the rows, in one pass: {why}",)


def test_a_sum_that_one_level_makes_anyway_is_made_for_groups(tmp_path: Path) -> None:
    assert decided(tmp_path, levels(NESTED, "SUM(m * m * m * m)")).groups_first


@pytest.mark.parametrize(
    ("operation", "options"),
    [
        (levels("{name: a, group_by: []}"), Options()),
        (total("s", "n1"), Options()),
        (levels(NESTED), Options(segments=False)),
        (levels(NESTED), Options(few_rows=True, local_rows=True)),
    ],
)
def test_one_grouping_and_few_rows_stay_as_they_are(
    tmp_path: Path, operation: str, options: Options
) -> None:
    stage = decided(tmp_path, operation, options)
    assert (stage.groups_first, stage.reasons) == (False, ())


def test_levels_and_computed_keys_take_no_part_in_totals_of_several_aggregates(
    tmp_path: Path,
) -> None:
    computed = total("{column: x, expression: 'k + 1'}", "n2")
    by_levels, plain, by_key = steps(tmp_path, levels(NESTED), total("s", "n2"), computed)
    assert followers(by_levels, [plain]) == followers(plain, [by_levels]) == ()
    assert followers(by_key, [plain]) == followers(plain, [by_key]) == ()
    assert [can_count(step) for step in (by_levels, plain, by_key)] == [False, True, False]
