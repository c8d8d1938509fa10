"""Sums of floats: what `math.fsum` gives, however rows are ordered and distributed."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.float_sums import EXACT_BELOW, EXACT_FROM, float_mean, float_sum

pytestmark = pytest.mark.spark

INF, NAN = math.inf, math.nan


def sums(spark: SparkSession, groups: Sequence[Sequence[float | None]], tasks: int) -> list[float]:
    rows = [(i, value) for i, group in enumerate(groups) for value in group]
    random.Random(tasks).shuffle(rows)
    frame = spark.createDataFrame(rows, "g int, v double").repartition(tasks)
    found = frame.groupBy("g").agg(float_sum(F.col("v")).alias("s")).orderBy("g").collect()
    return [row["s"] for row in found]


WRITTEN_OUT: Sequence[tuple[Sequence[float | None], float | None]] = [
    ([0.1] * 10, 1.0),
    ([1e16, 1.0, -1e16], 1.0),
    ([1e30, 1e-20, -1e30], 1e-20),
    ([0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17),
    ([2.0**53, 1.0], 2.0**53),
    ([2.0**53, 1.0, 2.0**-120], 2.0**53 + 2),
    ([-(2.0**53), -1.0, 2.0**-120], -(2.0**53)),
    ([2.0**53 + 2, 1.0], 2.0**53 + 4),
    ([-0.0], 0.0),
    ([1.5, None], 1.5),
    ([None], None),
    ([EXACT_FROM, EXACT_BELOW / 2, -EXACT_BELOW / 2], EXACT_FROM),
    ([1e300, 1.0], 1e300),
    ([1e-300], 1e-300),
    ([1e308, 1e308], INF),
    ([INF, 1.0], INF),
    ([-INF, 1.0], -INF),
    ([INF, -INF], NAN),
    ([NAN, 1.0], NAN),
]


def test_a_sum_is_rounded_once_and_to_the_nearest(spark: SparkSession) -> None:
    found = sums(spark, [values for values, _ in WRITTEN_OUT], 3)
    assert list(map(str, found)) == [str(expected) for _, expected in WRITTEN_OUT]


def a_group(chance: random.Random) -> list[float]:
    """Values of magnitudes that differ by up to 70 digits, of which many cancel out."""
    digits = chance.choice([0, 3, 16, 35])
    values = []
    for _ in range(chance.choice([1, 2, 3, 50])):
        size = 10 ** chance.uniform(-digits, digits)
        value = chance.choice([-1, 1]) * size * chance.choice([chance.random() + 0.5, 1.0])
        values += [value, -value] if chance.random() < 0.3 else [value]
    return values


@pytest.mark.campaign
def test_order_and_distribution_of_rows_change_nothing(spark: SparkSession) -> None:
    chance = random.Random(20260131)
    groups = [a_group(chance) for _ in range(400)]
    expected = [math.fsum(values) for values in groups]
    assert sums(spark, groups, 1) == expected
    assert sums(spark, groups, 7) == expected


def test_a_mean_is_the_sum_divided(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(0.1,), (0.2,), (0.3,), (None,)], "v double")
    mean = float_mean(F.col("v")).alias("m")
    assert frame.agg(mean).collect()[0]["m"] == 0.6 / 3
    assert frame.filter("v IS NULL").agg(mean).collect()[0]["m"] is None
