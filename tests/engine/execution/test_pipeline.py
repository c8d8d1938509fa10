"""Projects that are long, or read their rows many times."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.strategy.options import LONGEST_PLAN, Options
from tests.engine.running import Rows, TableReader, run
from tests.support.small_plans import plan_of

pytestmark = [pytest.mark.spark, pytest.mark.slow]

DATASET = """
dataset:
  name: lines
  main_table:
    name: l
    columns:
      - {name: k, type: integer}
      - {name: total, type: "decimal(30,0)"}
---
project:
  name: p
  input_dataset_id: lines
  operations:
"""
LINES: Rows = [{"k": k, "total": None} for k in range(6)]


@pytest.mark.campaign
def test_twelve_aggregates_over_overlapping_rows(spark: SparkSession, tmp_path: Path) -> None:
    operations = "".join(
        f"    - {{seq: {i}, name: sum {i}, type: aggregate, arguments: {{group_by: [k],"
        f" aggregations: [{{column: total, expression: COUNT(*)}}]}}}}\n"
        for i in range(1, 13)
    )
    rows, pipeline = run(
        plan_of(tmp_path, DATASET + operations), TableReader(spark, {"lines": LINES})
    )
    assert len(rows) == 6 * 13
    assert [pipeline.counts[i].matched for i in range(1, 13)] == [6 * i for i in range(1, 13)]
    assert [pipeline.counts[i].added for i in range(1, 13)] == [6] * 12


@pytest.mark.parametrize("longest", [10, pytest.param(LONGEST_PLAN, marks=pytest.mark.campaign)])
def test_more_updates_than_two_plans_hold_each_reading_the_one_before(
    spark: SparkSession, tmp_path: Path, longest: int
) -> None:
    many = 2 * longest + 10
    operations = "".join(
        f"    - {{seq: {i}, name: add {i}, type: update, selector: k > 0,"
        f" arguments: {{assignments: [{{column: k, expression: k + 1}}]}}}}\n"
        for i in range(1, many + 1)
    )
    rows, pipeline = run(
        plan_of(tmp_path, DATASET + operations),
        TableReader(spark, {"lines": LINES}),
        options=Options(longest_plan=longest),
    )
    assert sorted(r["k"] for r in rows) == [0, *(k + many for k in range(1, 6))]
    assert [pipeline.counts[i].matched for i in range(1, many + 1)] == [5] * many
