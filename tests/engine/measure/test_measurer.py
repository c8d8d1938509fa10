"""Totals and rows of each operation, measured beside a run."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.measure.figures import Amount, Moved, StepFigures
from rowbook.engine.measure.measurer import Measurer, Wanted
from tests.engine.running import Rows, TableReader
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, update

pytestmark = pytest.mark.spark

GL = """
dataset:
  name: gl
  main_table:
    name: gl
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
      - {name: weight, type: float}
---
dataset:
  name: budget
  main_table:
    name: budget
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
---
project:
  name: p
  input_dataset_id: gl
  operations:
"""
ROWS: Rows = [
    {"account": "a", "amount": Decimal("10.00"), "weight": 0.5},
    {"account": "b", "amount": Decimal("-4.00"), "weight": 1.5},
    {"account": "c", "amount": None, "weight": None},
    {"account": "d", "amount": Decimal("99.00"), "weight": 9.0, "_deleted": True},
]
BUDGET: Rows = [{"account": "x", "amount": Decimal("3.00")}]


def measured(
    spark: SparkSession, folder: Path, *operations: str, wanted: Wanted | None = None
) -> list[StepFigures]:
    """The figures of gl's rows and of each operation on them."""
    plan = plan_of(folder, GL + numbered(*operations))
    reader = TableReader(spark, {"gl": ROWS, "budget": BUDGET})
    return list(Measurer(plan, CONTEXT, reader.read, wanted or Wanted("amount")).figures())


def money(text: str) -> Decimal:
    return Decimal(text)


def test_deleted_rows_and_missing_values_are_not_in_the_opening_total(
    spark: SparkSession, tmp_path: Path
) -> None:
    (opening,) = measured(spark, tmp_path)
    assert opening == StepFigures(0, Amount(3, money("6.00")))


def test_an_update_gains_what_rows_have_and_loses_what_they_had(
    spark: SparkSession, tmp_path: Path
) -> None:
    _, found = measured(
        spark, tmp_path, update("amount", "COALESCE(amount, 1) * 2", "account <> 'b'")
    )
    assert found.amount == Amount(3, money("18.00"))
    assert found.moved == Moved(money("22.00"), money("10.00"))
    assert found.sample is not None
    changed = {
        row["account"]: (was["amount"], row["amount"])
        for row, was in zip(found.sample.rows, found.sample.was, strict=True)
    }
    assert changed == {"a": (money("10.00"), money("20.00")), "c": (None, money("2.00"))}


def test_a_delete_loses_what_its_rows_had(spark: SparkSession, tmp_path: Path) -> None:
    _, found = measured(spark, tmp_path, delete("account = 'b'"))
    assert (found.amount, found.moved) == (
        Amount(2, money("10.00")),
        Moved(money("0.00"), money("-4.00")),
    )
    assert found.sample is not None
    assert [row["account"] for row in found.sample.rows] == ["b"]


def test_added_rows_gain(spark: SparkSession, tmp_path: Path) -> None:
    append = "type: append, arguments: {source: {dataset_id: budget}}"
    subtotal = (
        "type: aggregate, arguments: {group_by: [account],"
        ' aggregations: [{column: amount, expression: "SUM(amount)"}]}'
    )
    _, appended, summed = measured(spark, tmp_path, append, subtotal)
    assert (appended.amount, appended.moved) == (
        Amount(4, money("9.00")),
        Moved(money("3.00"), money("0.00")),
    )
    assert appended.sample is not None
    assert [row["account"] for row in appended.sample.rows] == ["x"]
    assert (summed.amount, summed.moved) == (
        Amount(8, money("18.00")),
        Moved(money("9.00"), money("0.00")),
    )
    assert summed.sample is not None
    assert {row["account"] for row in summed.sample.rows} == {"a", "b", "c", "x"}


def test_what_cannot_move_the_total_leaves_it_and_shows_its_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    opening, found = measured(spark, tmp_path, update("note", "'x'", "amount > 0"))
    assert (found.amount, found.moved) == (opening.amount, None)
    assert found.sample is not None
    assert [(row["account"], row["note"]) for row in found.sample.rows] == [("a", "x")]
    assert found.sample.was == ({},)


def test_an_output_shows_what_it_writes(spark: SparkSession, tmp_path: Path) -> None:
    output = (
        "type: output, selector: \"account = 'b'\", arguments:"
        " {columns: [amount], destination: {location: {path: out}}}"
    )
    _, found = measured(spark, tmp_path, output)
    assert found.sample is not None
    assert found.sample.rows == ({"amount": money("-4.00")},)


def test_a_column_that_an_operation_makes_has_no_total_before(
    spark: SparkSession, tmp_path: Path
) -> None:
    opening, made, dropped = measured(
        spark,
        tmp_path,
        update("usd", "amount / 2"),
        delete("account = 'a'"),
        wanted=Wanted("usd"),
    )
    assert opening.amount.total is None
    assert made.amount.total == money("3")
    assert made.moved == Moved(money("3"), money("0"))
    assert dropped.moved == Moved(money("0"), money("5"))


@pytest.mark.campaign
def test_floats_are_summed_as_floats(spark: SparkSession, tmp_path: Path) -> None:
    opening, found = measured(
        spark, tmp_path, update("weight", "weight * 2"), wanted=Wanted("weight")
    )
    assert (opening.amount.total, found.amount.total) == (2.0, 4.0)
    assert found.moved == Moved(4.0, 2.0)


def test_without_a_column_only_rows_are_shown(spark: SparkSession, tmp_path: Path) -> None:
    _, found = measured(spark, tmp_path, delete("account = 'b'"), wanted=Wanted(None))
    assert (found.amount.total, found.moved) == (None, None)
    assert found.sample is not None


def test_rows_are_shown_of_so_many_operations_and_so_many_of_each(
    spark: SparkSession, tmp_path: Path
) -> None:
    _, first, second = measured(
        spark,
        tmp_path,
        update("note", "'x'"),
        update("note", "'y'"),
        wanted=Wanted("amount", rows=2, operations=1),
    )
    assert first.sample is not None
    assert len(first.sample.rows) == 2
    assert second.sample is None


@pytest.mark.campaign
def test_a_long_project_is_measured_to_its_end(spark: SparkSession, tmp_path: Path) -> None:
    *_, last = measured(spark, tmp_path, *(update("amount", "amount + 1") for _ in range(12)))
    assert last.amount.total == money("30.00")


def test_an_alias_may_be_called_as_the_measurer_calls_what_was(
    spark: SparkSession, tmp_path: Path
) -> None:
    join = '{alias: was, dataset_id: budget, on: "gl.account = was.account"}'
    _, found = measured(spark, tmp_path, update("amount", "COALESCE(was.amount, 1)", "TRUE", join))
    assert found.moved == Moved(money("3.00"), money("6.00"))


def test_rows_that_expectations_take_out_are_not_in_the_totals(
    spark: SparkSession, tmp_path: Path
) -> None:
    claims = """  quarantine: {location: {path: q}}
  expectations:
    - {name: there, at: input, that: "amount IS NOT NULL", otherwise: quarantine}
    - {name: small, at: 1, that: "amount < 15", otherwise: quarantine}
  operations:
"""
    text = GL.replace("  operations:\n", claims) + numbered(
        update("amount", "amount * 2"), delete("account = 'z'")
    )
    reader = TableReader(spark, {"gl": ROWS, "budget": BUDGET})
    plan = plan_of(tmp_path, text)
    found = list(Measurer(plan, CONTEXT, reader.read, Wanted("amount")).figures())
    assert [each.amount for each in found] == [
        Amount(2, money("6.00")),
        Amount(1, money("-8.00")),
        Amount(1, money("-8.00")),
    ]
