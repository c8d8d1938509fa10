"""Levels of totals on frames: that nothing changes where they are made from the first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from tests.engine.random_levels import DATASET, random_levels, random_rows
from tests.engine.running import ListWriter, Rows, TableReader, run
from tests.support.reference_run import bag, refer
from tests.support.small_plans import CONTEXT, numbered, plan_of, total

SEEDS = 2
WAYS = {"usual": Options(), "all kept": Options(segments=False)}


def written(*operations: str) -> str:
    return DATASET + numbered(*operations)


@pytest.mark.some(2)
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
    expected, writer = refer(plan, {"t": rows}), ListWriter()
    pipeline = Pipeline(plan, CONTEXT, TableReader(spark, {"t": rows}), writer, options=options)
    working = pipeline.run(keep_all=keep_all)
    if keep_all:
        fields = list(working.columns.fields.values())
        assert bag(collect(working.rows(CONTEXT), fields)) == bag(expected.rows), text
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == expected.counts, text
    assert set(writer.rows) == set(expected.outputs)
    for seq, wanted in expected.outputs.items():
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


@pytest.mark.some(1)
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


def levels(named: str, result: str, more: str = "") -> str:
    return (
        f"type: aggregate, arguments: {{levels: [{named}], aggregations:"
        f' [{{column: n1, expression: "{result}"}}]{more and ", "}{more}}}'
    )


@pytest.mark.some(1)
@pytest.mark.spark
@pytest.mark.parametrize("result", ["SUM(m)", "COUNT_DISTINCT(i)"], ids=["groups", "rows"])
def test_levels_of_one_aggregate_are_those_of_the_reference(
    spark: SparkSession, tmp_path: Path, result: str
) -> None:
    """With a key that is computed, one that is NULL, one that only some levels have; and none at
    all."""
    named = (
        '{name: a, group_by: [s, {column: c, expression: "LEFT(c, 1)"}]},'
        " {name: b, group_by: [c]}, {name: d, group_by: [k]}, {name: e, group_by: []}"
    )
    more = (
        'assignments: [{column: level, expression: "LEVEL()"},'
        ' {column: twice, expression: "n1 * 2"}]'
    )
    rows = random_rows(random.Random(5))
    assert rows
    plan = plan_of(
        tmp_path,
        written(levels(named, result, more), total("level", "n2", selector="level IS NOT NULL")),
    )
    expected = refer(plan, {"t": rows})
    found, pipeline = run(plan, TableReader(spark, {"t": rows}))
    assert bag(found) == bag(expected.rows)
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == expected.counts
    assert {row["level"] for row in found} == {None, "a", "b", "d", "e"}


@pytest.mark.spark
def test_without_rows_no_level_has_a_row(spark: SparkSession, tmp_path: Path) -> None:
    both = "{name: a, group_by: [s]}, {name: b, group_by: []}"
    operations = (levels(both, "SUM(m)"), levels("{name: b, group_by: []}", "SUM(m)"))
    found, pipeline = run(plan_of(tmp_path, written(*operations)), TableReader(spark, {"t": []}))
    assert found == []
    assert (pipeline.counts[1], pipeline.counts[2]) == (Count(0, 0), Count(0, 0))


@pytest.mark.spark
@pytest.mark.parametrize(
    ("operation", "column"),
    [
        (levels('{name: a, group_by: [{column: i, expression: "i + 1"}]}', "COUNT(*)"), "i"),
        (
            levels(
                "{name: a, group_by: [s]}, {name: b, group_by: []}",
                "MAX_AGG(i)",
                'assignments: [{column: i, expression: "n1 + 1"}]',
            ),
            "i",
        ),
    ],
    ids=["key", "assignment"],
)
def test_a_value_of_a_summary_that_does_not_fit_is_named(
    spark: SparkSession, tmp_path: Path, operation: str, column: str
) -> None:
    rows: Rows = [{"s": "a", "k": 1, "i": 2**63 - 1}]
    with pytest.raises(RowbookError) as error:
        run(plan_of(tmp_path, written(operation)), TableReader(spark, {"t": rows}))
    assert str(error.value) == (
        f"RUN_001  operation 1 'op 1': a value of column '{column}' does not fit integer"
    )
