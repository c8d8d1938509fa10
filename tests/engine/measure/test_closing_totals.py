"""Totals at the end of a plan."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.measure.closing_totals import closing_totals
from rowbook.engine.strategy.stages import Executors
from tests.engine.running import Rows, TableReader
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, update

pytestmark = pytest.mark.spark

GL = """
dataset:
  name: gl
  main_table:
    name: gl
    columns: [{name: account, type: string}, {name: amount, type: "decimal(18,2)"}]
---
project:
  name: p
  input_dataset_id: gl
  operations:
"""
ROWS: Rows = [
    {"account": "a", "amount": Decimal("10.00")},
    {"account": "b", "amount": Decimal("-10.00")},
    {"account": "c", "amount": Decimal("99.00")},
]


def test_a_ledger_that_balances_is_0_and_what_is_made_of_it_is_not(
    spark: SparkSession, tmp_path: Path
) -> None:
    steps = numbered(delete("account = 'c'"), update("usd", "IF(amount > 0, amount, 0)"))
    plan = plan_of(tmp_path, GL + steps)
    reader = TableReader(spark, {"gl": ROWS})
    found = closing_totals(plan, CONTEXT, reader, ("amount", "usd", "none"), Executors())
    assert found == {"amount": Decimal("0.00"), "usd": Decimal("10.00")}
