"""An amount spread over the matches of a row: `reference/entries/spreads.py` says what parts are.

All is reckoned in whole numbers of 38 digits: decimals of Spark with digits after the point lose
some of them when they are multiplied. What needs more digits is an overflow (RUN_001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler, literal
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.execution.joining.many_matches import matched_ids, tells_first, there
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.types import Kind
from rowbook.planning.datasets import Join
from rowbook.planning.steps import Spread
from rowbook.reference.entries.spreads import ALL_ZERO, BOTH_SIGNS, tie_columns
from rowbook.spark.column_names import column, joined_name
from rowbook.spark.markers import failing, sound_rows

_NAMES = ("weight", "place", "low", "high", "total", "most", "units", "share", "shared")
_HIDDEN = tuple(f"__spread_{name}" for name in _NAMES)
_WEIGHT, _PLACE, _LOW, _HIGH, _TOTAL, _MOST, _UNITS, _SHARE, _SHARED = _HIDDEN
_WHOLE = sql_type(t.decimal(38, 0))
_DIGITS_OF_LONG = 18
_ROOM = 1 << 62
"""Products below it are reckoned with numbers of 64 bits, which takes a fraction of the time."""


@dataclass(frozen=True, slots=True)
class SpreadFrame:
    """`origin` are the columns that tell origins apart."""

    spread: Spread
    join: Join
    compiler: Compiler
    origin: Sequence[str]

    @property
    def weighs_matches(self) -> bool:
        """Whether all origins with the same keys have the same weights: these are then ordered and
        added up once, in the dataset that is joined, and not for every origin."""
        read = {source for source, _ in bound.columns(self.spread.weight)}
        return read <= {self.spread.alias} and tells_first(self.join)

    def weighed(self, frame: DataFrame) -> DataFrame:
        """With the weights of matches, if they do not have them already."""
        return frame if self.weighs_matches else self.weigh(frame, [*map(column, self.origin)])

    def weigh(self, frame: DataFrame, together: Sequence[Column]) -> DataFrame:
        """With the weight of each match, its place among those that belong together, and what they
        are in all. The order comes first, so that rows are sorted once."""
        same = Window.partitionBy(*together)
        kind = self.spread.weight.type
        weight = F.coalesce(self.compiler.compile(self.spread.weight), literal(0, kind))
        made = frame.withColumn(_WEIGHT, _whole(weight, kind))
        size = F.abs(column(_WEIGHT))
        place = F.row_number().over(same.orderBy(size.desc(), *self._ties()))
        made = made.withColumn(_PLACE, place).withColumns(
            {
                _LOW: F.min(column(_WEIGHT)).over(same),
                _HIGH: F.max(column(_WEIGHT)).over(same),
                _TOTAL: F.sum(size).over(same),
            }
        )
        most = F.call_function("div", F.lit(_ROOM), F.greatest(size, F.lit(1)).cast("bigint"))
        return made.withColumns({_WEIGHT: size, _MOST: F.when(column(_TOTAL) < _ROOM, most)})

    def fault(self) -> Column:
        """What is wrong with the weights of an origin; NULL where nothing is."""
        low, high = column(_LOW), column(_HIGH)
        signs = F.when((low < 0) & (high > 0), F.lit(BOTH_SIGNS))
        fault = signs.when((low == 0) & (high == 0), F.lit(ALL_ZERO))
        return F.when(self._is_spread, fault)

    def checked(self, weighed: DataFrame, where: str) -> DataFrame:
        what = f"'{self.spread.column}' cannot be spread over '{self.spread.alias}'"
        text = F.concat(F.lit(f"{where}: {what}: "), self.fault())
        return sound_rows(weighed, (self.fault().isNotNull(), failing("RUN_012", text)))

    def with_parts(self, weighed: DataFrame) -> DataFrame:
        """The part of each match in place of the amount."""
        same = Window.partitionBy(*map(column, self.origin))
        shared = weighed.withColumn(_UNITS, self._units()).withColumn(_SHARE, self._share())
        shared = shared.withColumn(_SHARED, F.sum(column(_SHARE)).over(same))
        amount = column(self.spread.column)
        part = F.when(self._is_spread, self._part()).otherwise(amount)
        made = shared.withColumn(self.spread.column, part.cast(sql_type(self.spread.type)))
        return made.drop(*_HIDDEN)

    @property
    def _is_spread(self) -> Column:
        found = F.coalesce(there(self.spread.alias), F.lit(False))
        return found & column(self.spread.column).isNotNull()

    def _ties(self) -> list[Column]:
        names = [joined_name(self.join.alias, name) for name in tie_columns(self.join)]
        ties = [column(name).asc_nulls_last() for name in names]
        return [*ties, *(each.asc() for each in matched_ids(self.join.alias))]

    @property
    def _size(self) -> Column:
        """The amount without its sign."""
        kind = t.as_decimal(self.spread.type)
        size = F.abs(column(self.spread.column).cast(sql_type(kind)))
        if kind.precision == t.MAX_PRECISION and self.spread.scale < kind.scale:
            return size.cast(sql_type(t.decimal(t.MAX_PRECISION - 1, kind.scale)))
        return size

    @property
    def _is_narrow(self) -> bool:
        kind = t.as_decimal(self.spread.type)
        return kind.integer_digits + self.spread.scale <= _DIGITS_OF_LONG

    def _units(self) -> Column:
        """How many units of the parts' scale the amount has."""
        scale, size = self.spread.scale, self._size
        if scale < self.spread.type.scale:
            size = F.floor(size, F.lit(scale))
        kind = t.decimal(36 - scale, scale)
        units = _whole(size.cast(sql_type(kind)), kind)
        return units.cast("bigint") if self._is_narrow else units

    def _share(self) -> Column:
        """Rounded half up. Of an origin that is not spread, the total may be 0."""
        units, weight = column(_UNITS), column(_WEIGHT)
        total = F.when(column(_TOTAL) != 0, column(_TOTAL))
        product = units.cast(_WHOLE) * weight
        rest = product % total
        share = ((product - rest) / total).cast(_WHOLE) + _rounded_up(rest, total)
        if not self._is_narrow:
            return share.cast(_WHOLE)
        whole = total.cast("bigint")
        small = units * weight.cast("bigint")
        quick = F.call_function("div", small, whole) + _rounded_up(small % whole, whole)
        fits = F.coalesce(units <= column(_MOST), F.lit(False))
        return F.when(fits, quick).otherwise(share.cast("bigint"))

    def _part(self) -> Column:
        scale, kind = self.spread.scale, self.spread.type
        left, place = column(_UNITS) - column(_SHARED), column(_PLACE)
        one = F.when(left > 0, 1).otherwise(-1)
        units = column(_SHARE) + F.when(place <= F.abs(left), one).otherwise(0)
        part = units.cast(sql_type(t.decimal(37 - scale, 0)))
        if scale:
            part = part * _power(-scale)
        if scale < kind.scale:
            part = part.cast(sql_type(t.decimal(t.MAX_PRECISION - 1, kind.scale)))
            rest = self._size % (_power(-scale) if scale else literal(Decimal(1), t.decimal(1, 0)))
            part = part + F.when(place == 1, rest).otherwise(rest - rest)
        return F.when(column(self.spread.column) < 0, -part).otherwise(part)


def _rounded_up(rest: Column, total: Column) -> Column:
    return F.when(rest >= total - rest, 1).otherwise(0)


def _whole(value: Column, kind: t.Type) -> Column:
    """A number in units of its last digit."""
    if kind.kind is Kind.DECIMAL and kind.scale:
        value = value * _power(kind.scale)
    return value.cast(_WHOLE)


def _power(exponent: int) -> Column:
    """Ten to an exponent that is not 0, as narrow as it is."""
    if exponent > 0:
        return literal(Decimal(10) ** exponent, t.decimal(exponent + 1, 0))
    return literal(Decimal(1).scaleb(exponent), t.decimal(-exponent, -exponent))
