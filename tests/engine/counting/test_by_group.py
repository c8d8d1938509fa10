"""Rows counted and looked at by groups: that it changes no count and no row, and nothing that is
seen of expectations."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.counting.by_group import GroupCounts
from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.strategy.options import Options
from tests.engine.random_counted import APPEND, OUTPUT, WORKSPACE, random_project
from tests.engine.random_levels import random_rows
from tests.engine.running import ListWriter, Rows, TableReader
from tests.support.reference_run import bag, refer, seen_of
from tests.support.small_plans import CONTEXT, numbered, plan_of, total
from tests.support.small_plans import delete as deleted
from tests.support.small_plans import update as updated

SEEDS = 2
WAYS = {
    "usual": Options(),
    "all kept": Options(segments=False),
    "small tables": Options(smallest_table=1),
    "short plans": Options(longest_plan=2),
    "checks at their places": Options(group_checks=False),
}
TOTAL = total("s, k", "n")
ENDS = (OUTPUT, OUTPUT)


@pytest.mark.some(2)
@pytest.mark.spark
@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_counts_and_rows_are_those_of_the_reference(
    spark: SparkSession, tmp_path: Path, seed: int, options: Options
) -> None:
    pick = random.Random(seed * 1_000 + list(WAYS.values()).index(options))
    text = random_project(pick)
    plan = plan_of(tmp_path, text)
    more = [{**row, "_deleted": False} for row in random_rows(pick)]
    tables = {"t": random_rows(pick), "more": more}
    expected, writer = refer(plan, tables), ListWriter()
    pipeline = Pipeline(plan, CONTEXT, TableReader(spark, tables), writer, options=options)
    pipeline.run()
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == expected.counts, text
    visible = sum(not row["_deleted"] for row in tables["t"])
    assert pipeline.counts[0] == Count(visible)
    assert seen_of(pipeline.observations) == seen_of(expected.observations), text
    for seq, wanted in expected.outputs.items():
        assert bag(writer.rows[seq]) == bag(wanted), (seq, text)


ROWS: Rows = [
    {"s": "ab"[i % 2], "k": i % 3, "i": i, "b": i == 5, "_deleted": i == 0} for i in range(9)
]
MORE: Rows = [{"s": "a", "k": 1, "i": 50}, {"s": "new", "k": 7, "i": 60}]


def counted(
    spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch, *operations: str
) -> tuple[dict[int, Count], int, ListWriter]:
    """The counts, how often rows were counted by groups, and what was written."""
    reads: list[Any] = []
    read = GroupCounts.read

    def noted(self: GroupCounts, groups: Any) -> Any:
        reads.append(groups)
        return read(self, groups)

    monkeypatch.setattr(GroupCounts, "read", noted)
    writer = ListWriter()
    reader = TableReader(spark, {"t": ROWS, "more": MORE})
    pipeline = Pipeline(plan_of(folder, WORKSPACE + numbered(*operations)), CONTEXT, reader, writer)
    pipeline.run()
    return pipeline.counts, len(reads), writer


@pytest.mark.spark
def test_rows_that_came_later_and_rows_that_are_gone_are_told_apart(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (
        deleted("b"),
        *(updated("c", "'x'", "s = 'a'"), updated("c", "'y'", "k = 1"), updated("c", "'z'")),
        *(APPEND, updated("level", "'l'", "s = 'a'"), updated("level", "'m'", "i > 40")),
        *(TOTAL, total("s", "n2", selector="n IS NULL"), *ENDS),
    )
    counts, read, writer = counted(spark, tmp_path, monkeypatch, *steps)
    assert read == 1
    expected = [(8, 0), (1, 0), (4, 0), (3, 0), (7, 0), (2, 2), (5, 0), (2, 0), (9, 6), (9, 3)]
    assert counts == {seq: Count(*of_step) for seq, of_step in enumerate(expected)}
    assert sum(row["n"] or 0 for row in writer.rows[10]) == 9
    assert sum(row["n2"] or 0 for row in writer.rows[10]) == 9


@pytest.mark.campaign
@pytest.mark.spark
def test_values_of_deleted_rows_are_not_added_up(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 5 is deleted and would overflow."""
    value = f"SUM(CASE WHEN i = 5 THEN i + {2**63 - 1} ELSE i END)"
    steps = (deleted("i = 5"), APPEND, total("s", "n", value), *ENDS)
    counts, read, writer = counted(spark, tmp_path, monkeypatch, *steps)
    assert read == 1
    assert counts[1] == Count(1)
    found = {row["s"]: row["n"] for row in writer.rows[4] if row["n"] is not None}
    assert found == {"a": 2 + 4 + 6 + 8 + 50, "b": 1 + 3 + 7, "new": 60}


@pytest.mark.spark
def test_a_constant_and_a_count_of_pieces_are_put_together(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = (
        "type: aggregate, arguments: {group_by: [s], aggregations: ["
        '{column: n, expression: "SUM(2)"}, {column: level, expression: "MAX_AGG(\'t\')"},'
        ' {column: k, expression: "MIN_AGG(k)"}, {column: r, expression: "COUNT(*)"}]}'
    )
    _, read, writer = counted(spark, tmp_path, monkeypatch, APPEND, several, *ENDS)
    assert read == 1
    found = {
        row["s"]: (row["n"], row["level"], row["k"], row["r"])
        for row in writer.rows[3]
        if row["n"] is not None
    }
    assert found == {"a": (10, "t", 0, 5), "b": (8, "t", 0, 4), "new": (2, "t", 7, 1)}
