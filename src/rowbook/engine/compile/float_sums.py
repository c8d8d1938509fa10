"""Sums of floats that are exact, so that no order or distribution of rows can change them.

Spark adds floats as they come, and each addition rounds: another number of cores, other figures.
Here a float is cut at fixed places into whole numbers of 31 bits. Spark adds these as integers, in
any order, and only the end result is rounded, once, to the nearest float: what `math.fsum` gives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

_BITS, _DIGITS, _LOWEST = 31, 10, -178
_BASE = 1 << _BITS
"""Four billion rows of the largest digits fit a sum of 64 bits; what does not raises."""
EXACT_FROM, EXACT_BELOW = 2.0 ** (_LOWEST + 52), 2.0 ** (_LOWEST + _BITS * _DIGITS)
"""Magnitudes that have all their bits in the digits: those of 32-bit floats, and some more. What is
beyond is added as Spark adds floats; so are infinity and NaN."""


Over: TypeAlias = Callable[[Column], Column]
"""Says of which rows an aggregate is."""


def of_group(aggregate: Column) -> Column:
    return aggregate


def float_sum(value: Column, over: Over = of_group) -> Column:
    """The aggregate; NULL where there is nothing to add."""
    size = F.abs(value)
    sums = [over(F.sum(_digit(value, size, place))) for place in range(_DIGITS)]
    beyond = F.when(size >= F.lit(EXACT_BELOW), value)
    beyond = beyond.when(size < F.lit(EXACT_FROM), value % F.lit(2.0**_LOWEST))
    beyond = beyond.when(value.isNotNull(), F.lit(0.0))
    return _with(F.array(*sums), _rounded) + over(F.sum(beyond))


def float_mean(value: Column, over: Over = of_group) -> Column:
    return float_sum(value, over) / F.nullif(over(F.count(value)), F.lit(0))


def _digit(value: Column, size: Column, place: int) -> Column:
    """With the value's sign. A remainder of floats is exact, and so is a factor of two. Of its ten
    digits, a float of 53 bits has three at most: no others are computed."""
    unit = 2.0 ** (_LOWEST + place * _BITS)
    above = min(unit * 2.0 ** (_BITS + 53), EXACT_BELOW)
    digit = (value % F.lit(unit * _BASE) * F.lit(1 / unit)).cast("bigint")
    return F.when((size >= F.lit(unit)) & (size < F.lit(above)), digit)


def _rounded(sums: Column) -> Column:
    """The float that is nearest to the number with these digits, lowest first; of two, the even. A
    decimal has room for four of them, which is enough unless values differ by thirty digits."""
    used = [F.when(F.get(sums, place).isNotNull(), F.lit(place)) for place in range(_DIGITS)]
    ends = F.array(F.coalesce(*used, F.lit(0)), F.coalesce(*reversed(used), F.lit(0)))
    return _with(ends, lambda ends: _of_four(sums, F.get(ends, 0), F.get(ends, 1)))


def _of_four(sums: Column, lowest: Column, highest: Column) -> Column:
    units = F.array(*(F.lit(2.0 ** (_LOWEST + place * _BITS)) for place in range(_DIGITS)))
    fits = (highest - lowest < 3) | (
        (highest - lowest == 3) & (F.abs(F.get(sums, highest)) < F.lit(1 << 32))
    )
    number = reduce(
        Column.__add__,
        (
            F.coalesce(F.get(sums, lowest + place), F.lit(0)).cast("decimal(38,0)")
            * F.lit(str(_BASE**place)).cast("decimal(38,0)")
            for place in range(4)
        ),
    )
    of_four = number.cast("double") * F.get(units, lowest)
    return F.when(fits, of_four).otherwise(_rounded_by_digits(sums))


def _with(value: Column, made: Callable[[Column], Column]) -> Column:
    """Of a value that stands in many places: Spark would have it as often in its plan."""
    return F.get(F.transform(F.array(value), made), F.lit(0))


def _rounded_by_digits(sums: Column) -> Column:
    nothing = F.lit(0).cast("bigint")
    start = F.struct(nothing.alias("carry"), F.array().cast("array<bigint>").alias("digits"))
    return F.aggregate(sums, start, _carried, _from_highest)


def _carried(number: Column, each: Column) -> Column:
    """Digits, the highest first, and what is left for the next."""
    total = F.coalesce(each, F.lit(0)) + number["carry"]
    digit = F.array(total.bitwiseAND(F.lit(_BASE - 1)))
    return F.struct(
        F.shiftright(total, _BITS).alias("carry"),
        F.concat(digit, number["digits"]).alias("digits"),
    )


def _from_highest(number: Column) -> Column:
    highest = F.struct(
        number["carry"].alias("head"),
        F.lit(EXACT_BELOW).alias("unit"),
        F.lit(0.0).alias("tail"),
        F.lit(False).alias("full"),
    )
    return F.aggregate(number["digits"], highest, _with_digit, _nearest)


def _with_digit(number: Column, digit: Column) -> Column:
    """A number is its head, in units, and a tail below one unit. The head takes digits until it has
    31 bits, the tail then one more; of the others it only matters whether they are all 0."""
    head, unit, tail, full = (number[name] for name in ("head", "unit", "tail", "full"))
    short = F.abs(head) < F.lit(_BASE)
    of_tail = F.when(full, F.signum(digit) * F.lit(2.0**-40)).otherwise(digit / F.lit(float(_BASE)))
    return F.struct(
        F.when(short, head * F.lit(_BASE) + digit).otherwise(head).alias("head"),
        F.when(short, unit / F.lit(float(_BASE))).otherwise(unit).alias("unit"),
        F.when(short, F.lit(0.0)).otherwise(tail + of_tail).alias("tail"),
        (~short).alias("full"),
    )


def _nearest(number: Column) -> Column:
    """Rounded once: either the head is a float, or the tail only tells a half from more."""
    head, tail = number["head"], number["tail"]
    with_half = (head * 2 + F.when(tail > 0, 1).otherwise(0)).cast("double") / 2
    is_float = F.abs(head) <= F.lit(1 << 53)
    return F.when(is_float, head.cast("double") + tail).otherwise(with_half) * number["unit"]
