"""The language's types in Spark's words."""

from __future__ import annotations

import pytest
from pyspark.sql import types as s

from rowbook.engine.compile.spark_types import spark_type, sql_type
from rowbook.expressions import types as t
from rowbook.expressions.types import Type

TYPES: list[tuple[Type, s.DataType, str]] = [
    (t.STRING, s.StringType(), "string"),
    (t.INTEGER, s.LongType(), "bigint"),
    (t.FLOAT, s.DoubleType(), "double"),
    (t.BOOLEAN, s.BooleanType(), "boolean"),
    (t.DATE, s.DateType(), "date"),
    (t.TIMESTAMP, s.TimestampType(), "timestamp"),
    (t.decimal(18, 2), s.DecimalType(18, 2), "decimal(18,2)"),
    (t.decimal(38, 38), s.DecimalType(38, 38), "decimal(38,38)"),
]


@pytest.mark.parametrize(("kind", "spark", "sql"), TYPES)
def test_a_type_is_one_of_sparks(kind: Type, spark: s.DataType, sql: str) -> None:
    assert (spark_type(kind), sql_type(kind)) == (spark, sql)


def test_a_type_that_is_not_known_yet_is_refused() -> None:
    with pytest.raises(KeyError):
        spark_type(t.UNKNOWN)
