"""Functions and operators on Spark, where the language says otherwise than Spark would."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.functions import AGGREGATES, FUNCTIONS, balanced, first_of
from rowbook.expressions.evaluate import EvaluationError, Value
from rowbook.spark.markers import found_in
from tests.engine.compile.values import plain_value, spark_values

VALUES: Mapping[str, Value] = {
    "n / zero": None,
    "n % zero": None,
    "-7 % 3": -1,
    "n = missing": None,
    "n > 3 OR missing > 3": True,
    "n < 3 AND missing > 3": False,
    "NULLIF(n, 7)": None,
    "NULLIF(n, missing)": 7,
    "NULLIF(missing, 7)": None,
    "COALESCE(missing, zero, n)": 0,
    "MIN(n, 3)": 3,
    "MAX(n, missing)": None,
    "SIGN(amount)": -1,
    "SIGN(zero)": 0,
    "SIGN(missing)": None,
    "ROUND(amount, 1)": Decimal("-10.6"),
    "ROUND(amount)": Decimal(-11),
    "FLOOR(amount)": -11,
    "CEIL(amount)": -10,
    "FLOOR(weight)": -3,
    "SQRT(weight)": None,
    "POWER(weight, 0.5)": None,
    "LEN('é😀')": 2,
    "WEEKDAY(day)": 4,
    "QUARTER(at)": 1,
    "DATEDIFF(day, at)": -702,
    "DATEADD(day, 12, 'month')": date(2025, 2, 28),
    "DATEADD(day, -1, 'year')": date(2023, 2, 28),
    "DATEADD(day, 1, 'day')": date(2024, 3, 1),
    "EOMONTH(at)": date(2026, 1, 31),
}


@pytest.mark.spark
def test_a_call_is_what_the_language_says(spark: SparkSession) -> None:
    assert spark_values(spark, VALUES) == VALUES
    assert {text: plain_value(text) for text in VALUES} == VALUES


@pytest.mark.spark
@pytest.mark.parametrize(
    "text",
    [
        "DATEADD(day, 8000, 'year')",
        "DATEADD(day, 5000000, 'day')",
        "FLOOR(weight * POWER(10, 300))",
    ],
)
def test_what_no_value_holds_fails_the_job_and_the_evaluator(
    spark: SparkSession, text: str
) -> None:
    with pytest.raises(PySparkException) as failed:
        spark_values(spark, [text])
    marked = found_in(str(failed.value))
    assert marked is not None
    assert marked[0] == "RUN_001"
    with pytest.raises(EvaluationError):
        plain_value(text)


@pytest.mark.campaign
@pytest.mark.spark
def test_many_conditions_make_a_shallow_tree(spark: SparkSession) -> None:
    """A chain of 5,000 would be 5,000 deep, and Spark would run out of stack."""
    many = [F.col("id") == n for n in range(5_000)]
    rows = spark.range(4_998, 5_002).filter(balanced(many, Column.__or__)).collect()
    assert [row.id for row in rows] == [4_998, 4_999]
    assert balanced(many[:1], Column.__or__) is many[0]


@pytest.mark.spark
def test_the_first_condition_that_holds_decides(spark: SparkSession) -> None:
    def case(x: Column) -> Column:
        return first_of([(x > 5, F.lit("large")), (x > 2, F.lit("medium"))])

    rows = spark.range(0, 9, 4).select(case(F.col("id")).alias("x")).collect()
    assert [row.x for row in rows] == [None, "medium", "large"]


def test_no_name_stands_for_a_function_and_an_aggregate() -> None:
    assert FUNCTIONS.keys().isdisjoint(AGGREGATES)
