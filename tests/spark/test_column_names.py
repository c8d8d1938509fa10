"""Columns by their names: nothing in a name means anything to Spark, and no name is given twice."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.spark.column_names import column, named

pytestmark = pytest.mark.spark


def test_a_column_that_has_its_name_is_taken_as_it_is(spark: SparkSession) -> None:
    frame = spark.range(1).select(F.lit(7).alias("a.`b"), F.lit(8).alias("c"))
    made = {"a.`b": column("a.`b"), "c": column("a.`b"), "d": F.lit(9)}
    kept, *others = named(made)
    assert kept is column("a.`b")
    assert frame.select(kept, *others).first() == (7, 7, 9)
