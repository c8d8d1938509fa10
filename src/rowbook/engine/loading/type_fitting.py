"""Physical columns into declared types: which conversions there are, and which values survive.

Exact ones only, floats into decimals aside (rounded half up). What is not in the table does not fit
as a whole, whatever its values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions.types import Kind, Type

_DIGITS: dict[type[s.DataType], int] = {
    s.ByteType: 3,
    s.ShortType: 5,
    s.IntegerType: 10,
    s.LongType: 19,
}


class Fitted(NamedTuple):
    """A column in its declared type. Where it is `checked`, a value that does not fit is NULL here,
    and only such a one; otherwise every value fits."""

    value: Column
    checked: bool = True


def fit(source: Column, physical: s.DataType, to: Type) -> Fitted | None:
    """A physical column that is no text in its declared type, or None where the types do not go
    together."""
    if isinstance(physical, s.NullType):
        return _cast(source, physical, to)
    convert = _CONVERSIONS.get((type(physical), to.kind))
    return convert(source, physical, to) if convert else None


def _same(source: Column, _: s.DataType, __: Type) -> Fitted:
    return Fitted(source, checked=False)


def _cast(source: Column, physical: s.DataType, to: Type) -> Fitted:
    wanted = sql_type(to)
    value = source if physical.simpleString() == wanted else source.cast(wanted)
    return Fitted(value, checked=False)


def _if_it_fits(source: Column, _: s.DataType, to: Type) -> Fitted:
    return Fitted(source.try_cast(sql_type(to)))


def _integer_to_decimal(source: Column, physical: s.DataType, to: Type) -> Fitted:
    roomy = to.integer_digits >= _DIGITS[type(physical)]
    return (_cast if roomy else _if_it_fits)(source, physical, to)


def _decimal_to_decimal(source: Column, physical: s.DataType, to: Type) -> Fitted:
    assert isinstance(physical, s.DecimalType)
    roomy = to.integer_digits >= physical.precision - physical.scale
    if to.scale >= physical.scale:
        return (_cast if roomy else _if_it_fits)(source, physical, to)
    value = source.try_cast(sql_type(to))
    # Back in the physical type: comparing unlike decimals would widen both, and may overflow.
    return Fitted(F.when(value.try_cast(physical) == source, value))


def _decimal_to_integer(source: Column, physical: s.DataType, to: Type) -> Fitted | None:
    assert isinstance(physical, s.DecimalType)
    return None if physical.scale else _if_it_fits(source, physical, to)


Conversion: TypeAlias = Callable[[Column, s.DataType, Type], Fitted | None]

_CONVERSIONS: dict[tuple[type[s.DataType], Kind], Conversion] = {
    **{(integer, Kind.INTEGER): _cast for integer in _DIGITS},
    **{(integer, Kind.DECIMAL): _integer_to_decimal for integer in _DIGITS},
    **{(integer, Kind.FLOAT): _cast for integer in _DIGITS},
    (s.DecimalType, Kind.INTEGER): _decimal_to_integer,
    (s.DecimalType, Kind.DECIMAL): _decimal_to_decimal,
    (s.DecimalType, Kind.FLOAT): _cast,
    (s.FloatType, Kind.DECIMAL): _if_it_fits,
    (s.FloatType, Kind.FLOAT): _cast,
    (s.DoubleType, Kind.DECIMAL): _if_it_fits,
    (s.DoubleType, Kind.FLOAT): _same,
    (s.BooleanType, Kind.BOOLEAN): _same,
    (s.DateType, Kind.DATE): _same,
    (s.DateType, Kind.TIMESTAMP): _cast,
    (s.TimestampType, Kind.TIMESTAMP): _same,
    (s.TimestampNTZType, Kind.TIMESTAMP): _cast,
}
