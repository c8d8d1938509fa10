"""The language's types as Spark's."""

from __future__ import annotations

from functools import cache

from pyspark.sql import types as s

from rowbook.expressions.types import Kind, Type

_SIMPLE: dict[Kind, s.DataType] = {
    Kind.STRING: s.StringType(),
    Kind.INTEGER: s.LongType(),
    Kind.FLOAT: s.DoubleType(),
    Kind.BOOLEAN: s.BooleanType(),
    Kind.DATE: s.DateType(),
    Kind.TIMESTAMP: s.TimestampType(),
    Kind.NULL: s.NullType(),
}


def spark_type(kind: Type) -> s.DataType:
    if kind.kind is Kind.DECIMAL:
        return s.DecimalType(kind.precision, kind.scale)
    return _SIMPLE[kind.kind]


@cache
def sql_type(kind: Type) -> str:
    """The same in Spark's words, for casts: a type as an object costs a cast three calls into the
    JVM more, and projects of a thousand operations have thousands of casts."""
    return spark_type(kind).simpleString()
