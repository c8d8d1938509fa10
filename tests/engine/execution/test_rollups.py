"""Levels of totals: which are made from the groups of the first, and that nothing else changes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.execution.rollups import aggregates_of, followers
from rowbook.engine.strategy.options import Options
from rowbook.planning.steps import AggregateStep
from tests.engine.model import Model
from tests.engine.random_levels import DATASET, EXACT, OTHER, random_levels, random_rows
from tests.engine.running import (
    CONTEXT,
    ListWriter,
    Rows,
    TableReader,
    numbered,
    plan_of,
    run,
    total,
)
from tests.engine.test_random_projects import bag

SEEDS = 2
WAYS = {"usual": Options(), "all kept": Options(segments=False)}

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


@pytest.mark.spark
@pytest.mark.parametrize("keep_all", [True, False], ids=["all columns", "needed columns"])
@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_levels_mean_the_same_whichever_way_they_are_computed(
    spark: SparkSession, tmp_path: Path, seed: int, options: Options, keep_all: bool
) -> None:
    pick = random.Random(seed)
    text = DATASET + random_levels(pick)
    rows = random_rows(pick)
    plan = plan_of(tmp_path, text)
    model, writer = Model(plan, CONTEXT, {"t": rows}), ListWriter()
    expected = model.run()
    pipeline = Pipeline(plan, CONTEXT, TableReader(spark, {"t": rows}), writer, options=options)
    working = pipeline.run(keep_all=keep_all)
    if keep_all:
        fields = list(working.columns.fields.values())
        assert bag(collect(working.rows(CONTEXT), fields)) == bag(expected), text
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == model.counts, text
    assert set(writer.rows) == set(model.outputs)
    for seq, wanted in model.outputs.items():
        assert bag(writer.rows[seq]) == bag(wanted), (seq, text)


@pytest.mark.spark
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(WAYS["usual"], id="usual"),
        pytest.param(WAYS["all kept"], id="all kept"),
    ],
)
def test_a_total_is_not_computed_for_groups_that_are_not_chosen(
    spark: SparkSession, tmp_path: Path, options: Options
) -> None:
    largest = 2**63 - 1
    guarded = total("s", "n2", f"SUM(i + {largest})", selector="k = 1")
    rows: Rows = [{"s": "a", "k": 1, "i": 0}, {"s": "a", "k": 2, "i": 5}]
    plan = plan_of(tmp_path, written(total("s, k", "n1"), guarded))
    found, pipeline = run(plan, TableReader(spark, {"t": rows}), options=options)
    assert [row["n2"] for row in found if row["n2"] is not None] == [largest]
    assert pipeline.counts[2] == Count(2, 1)


@pytest.mark.spark
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(WAYS["usual"], id="usual"),
        pytest.param(WAYS["all kept"], id="all kept"),
    ],
)
def test_a_summary_has_an_id_of_its_own_among_keys(
    spark: SparkSession, tmp_path: Path, options: Options
) -> None:
    rows: Rows = [{"s": "a", "k": 1}, {"s": "a", "k": 2}]
    plan = plan_of(tmp_path, written(total("_row_id, s", "n1"), total("_row_id", "n2")))
    found, pipeline = run(plan, TableReader(spark, {"t": rows}), options=options)
    assert pipeline.counts[1] == Count(2, 2)
    assert pipeline.counts[2] == Count(4, 4)
    assert [row["n2"] for row in found if row["n2"] is not None] == [1, 1, 1, 1]


@pytest.mark.parametrize(("digits", "follows"), [(18, True), (28, True), (29, False), (38, False)])
def test_a_sum_that_might_not_fit_is_not_made_for_groups_that_are_not_chosen(
    tmp_path: Path, digits: int, follows: bool
) -> None:
    text = written(total("s, k", "n1"), total("s", "n2", "SUM(m)", selector="k = 2"))
    text = text.replace("decimal(18,2)", f"decimal({digits},2)")
    first, second = plan_of(tmp_path, text).steps
    assert isinstance(first, AggregateStep)
    assert followers(first, [second]) == ((second,) if follows else ())
