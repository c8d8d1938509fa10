"""MIN_BY and MAX_BY: a value of the row with the least or the greatest order, the same whichever
rows Spark sees first.

Spark's own take any of several rows. Here a row is its order and its value, and the least such pair
is sought: where the greatest order is wanted, of orders that are turned round.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.float_sums import Over
from rowbook.expressions.types import Kind

_DIGITS, _TURNED = "0123456789ABCDEF", "FEDCBA9876543210"
_AFTER_DIGITS = "G"
"""So that a text comes before its beginnings."""


def extreme_row(value: Column, order: Column, kind: Kind, over: Over, *, greatest: bool) -> Column:
    """Of rows that have an order; of several with the same, the least value that is not NULL."""
    places = _turned_round(order, kind) if greatest else [order]
    fields = [place.alias(f"order_{i}") for i, place in enumerate(places)]
    row = F.struct(*fields, value.isNull().alias("is_null"), value.alias("value"))
    return over(F.min(F.when(order.isNotNull(), row))).getField("value")


def _turned_round(order: Column, kind: Kind) -> list[Column]:
    """Columns that are the lesser, the greater an order is."""
    match kind:
        case Kind.BOOLEAN:
            return [~order]
        case Kind.INTEGER:
            return [F.bitwise_not(order)]
        case Kind.FLOAT:
            return [~F.isnan(order), -order]
        case Kind.DATE:
            return [-F.unix_date(order)]
        case Kind.TIMESTAMP:
            return [-F.unix_micros(order)]
        case Kind.STRING:
            digits = F.translate(F.hex(order.cast("binary")), _DIGITS, _TURNED)
            return [F.concat(digits, F.lit(_AFTER_DIGITS))]
        case _:
            return [-order]
