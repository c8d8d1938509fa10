"""REQUIRE on Spark: the first operation that lacks a value is told, whichever fails first."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.strategy.options import Options
from tests.engine.running import Rows, TableReader, run
from tests.support.refusal import refusal
from tests.support.small_plans import plan_of

pytestmark = pytest.mark.spark

PROJECT = """
dataset:
  name: lines
  main_table: {name: l, columns: [{name: k, type: integer}, {name: t, type: string}]}
  natural_key_columns: [k]
---
project:
  name: p
  input_dataset_id: lines
  operations:
    - seq: 1
      name: mark
      type: update
      arguments: {assignments: [{column: m, expression: "k % 2"}]}
    - seq: 2
      name: odd
      type: update
      selector: "m = 1"
      arguments: {assignments: [{column: n, expression: "REQUIRE(TO_INTEGER(t)) + 1"}]}
    - seq: 3
      name: even
      type: update
      selector: "m = 0"
      arguments: {assignments: [{column: n, expression: "REQUIRE(TO_INTEGER(t))"}]}
    - seq: 4
      name: out
      type: output
      arguments: {destination: {location: {path: out}}, columns: [k]}
"""
LINES: Rows = [{"k": k, "t": str(k)} for k in range(6)]
LATE: Rows = [{"k": 8, "t": "eight"}]
ODD: Rows = [{"k": k, "t": "n/a"} for k in (13, 11)]


@pytest.mark.some(1)
@pytest.mark.parametrize("options", [Options(), Options(layers=False), Options(longest_plan=1)])
def test_rows_that_lack_a_value_are_counted_and_shown(
    spark: SparkSession, tmp_path: Path, options: Options
) -> None:
    plan = plan_of(tmp_path, PROJECT)

    def of(rows: Rows) -> str:
        reader = TableReader(spark, {"lines": rows})
        return str(refusal(lambda: run(plan, reader, options=options), "RUN_013"))

    told = "REQUIRE finds no value for column 'n'"
    assert f"{told} on 1 row: k = '8', t = 'eight'" in of([*LINES, *LATE])
    both = of([*LINES, *LATE, *ODD])
    assert f"{told} on 2 rows: k = '11', t = 'n/a'; k = '13', t = 'n/a'" in both
    assert "operation 2 'odd'" in both
