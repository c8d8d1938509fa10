"""An amount spread over the matches of a row: `reference/entries/spreads.py` says what parts are.

All is reckoned in whole numbers of 38 digits: decimals of Spark with digits after the point lose
some of them when they are multiplied. What needs more digits is an overflow (RUN_001). Where a
product fits, numbers of 64 bits do, which takes a fraction of the time; wide ones are then carried
as text, since Spark would make a number of each for every row.
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

_NAMES = ("weight", "wide_weight", "total", "wide_total", "most", "fault", "place")
_OF_WEIGHTS = tuple(f"__spread_{name}" for name in _NAMES)
_WEIGHT, _WIDE_WEIGHT, _TOTAL, _WIDE_TOTAL, _MOST, _FAULT, _PLACE = _OF_WEIGHTS
_OF_AMOUNT = ("__spread_units", "__spread_share", "__spread_shared")
_UNITS, _SHARE, _SHARED = _OF_AMOUNT
_SUMS = ("__spread_low", "__spread_high", "__spread_sum")
_WHOLE = sql_type(t.decimal(38, 0))
_DIGITS_OF_LONG = 18
_ROOM = 1 << 61
"""Products and sums of weights up to it are reckoned with numbers of 64 bits, twice and once."""


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
        sums = (F.min(column(_WEIGHT)), F.max(column(_WEIGHT)), F.sum(size))
        over = {name: value.over(same) for name, value in zip(_SUMS, sums, strict=True)}
        made = made.withColumn(_PLACE, place).withColumns(over)
        low, high, total = map(column, _SUMS)
        largest = F.greatest(F.abs(low), F.abs(high), F.lit(1)).cast("bigint")
        is_small, signs = total < _ROOM, F.when((low < 0) & (high > 0), F.lit(BOTH_SIGNS))
        return made.withColumns(
            {
                _MOST: F.when(is_small, F.call_function("div", F.lit(_ROOM), largest)),
                _WEIGHT: F.when(is_small, size.cast("bigint")),
                _TOTAL: F.when(is_small & (total != 0), total.cast("bigint")),
                _WIDE_WEIGHT: F.when(~is_small, size.cast("string")),
                _WIDE_TOTAL: F.when(~is_small, total.cast("string")),
                _FAULT: signs.when((low == 0) & (high == 0), F.lit(ALL_ZERO)),
            }
        ).drop(*_SUMS)

    @property
    def of_matches(self) -> dict[str, Column]:
        """Of all matches with the same keys: their weights, as lists, and what is known of them."""
        lists = {name: F.collect_list(column(name)) for name in (_WEIGHT, _WIDE_WEIGHT)}
        alike = (_TOTAL, _WIDE_TOTAL, _MOST, _FAULT)
        return lists | {name: F.first(column(name)) for name in alike}

    def fault(self) -> Column:
        """What is wrong with the weights of an origin; NULL where nothing is."""
        return F.when(self._is_spread, column(_FAULT))

    def checked(self, weighed: DataFrame, where: str) -> DataFrame:
        what = f"'{self.spread.column}' cannot be spread over '{self.spread.alias}'"
        text = F.concat(F.lit(f"{where}: {what}: "), self.fault())
        return sound_rows(weighed, (self.fault().isNotNull(), failing("RUN_012", text)))

    def shared(self, origins: DataFrame) -> DataFrame:
        """Of origins with `of_matches`: how many units each has, and its shares have in all."""
        made = origins.withColumn(_UNITS, self._units())
        return made.withColumn(_SHARED, self._shared()).drop(*_OF_WEIGHTS)

    def shared_by_rows(self, weighed: DataFrame) -> DataFrame:
        """The same on each match."""
        same = Window.partitionBy(*map(column, self.origin))
        made = weighed.withColumn(_UNITS, self._units()).withColumn(_SHARE, self._share())
        return made.withColumn(_SHARED, F.sum(column(_SHARE)).over(same))

    def with_parts(self, shared: DataFrame) -> DataFrame:
        """The part of each match in place of the amount."""
        amount = column(self.spread.column)
        part = F.when(self._is_spread, self._part()).otherwise(amount)
        known = _SHARE in shared.columns
        made = shared if known else shared.withColumn(_SHARE, self._share())
        made = made.withColumn(self.spread.column, part.cast(sql_type(self.spread.type)))
        return made.drop(*_OF_WEIGHTS, *_OF_AMOUNT)

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
        weight, wide = column(_WEIGHT), column(_WIDE_WEIGHT)
        whole = self._whole_share(F.coalesce(weight.cast(_WHOLE), wide.cast(_WHOLE)))
        if not self._is_narrow:
            return whole
        return F.when(self._fits, _quick_share(weight)).otherwise(whole)

    def _shared(self) -> Column:
        """The sum of shares, by lists of weights of which one is empty."""
        kind = "bigint" if self._is_narrow else _WHOLE
        weights, wide = (column(n).cast(f"array<{_WHOLE}>") for n in (_WEIGHT, _WIDE_WEIGHT))
        none = F.lit(0).cast(kind)
        whole = F.aggregate(
            F.concat(weights, wide), none, lambda sum_, w: (sum_ + self._whole_share(w)).cast(kind)
        )
        if not self._is_narrow:
            return whole
        quick = F.aggregate(column(_WEIGHT), none, lambda sum_, w: sum_ + _quick_share(w))
        return F.when(self._fits, quick).otherwise(whole)

    @property
    def _fits(self) -> Column:
        return F.coalesce(column(_UNITS) <= column(_MOST), F.lit(False))

    def _whole_share(self, weight: Column) -> Column:
        """Rounded half up. Of an origin that is not spread, the total may be 0."""
        total = F.coalesce(column(_TOTAL).cast(_WHOLE), column(_WIDE_TOTAL).cast(_WHOLE))
        product = column(_UNITS).cast(_WHOLE) * weight
        rest = product % total
        rounded_up = F.when(rest >= total - rest, 1).otherwise(0)
        share = ((product - rest) / total).cast(_WHOLE) + rounded_up
        return share.cast("bigint" if self._is_narrow else _WHOLE)

    def _part(self) -> Column:
        scale, kind = self.spread.scale, self.spread.type
        is_negative = column(self.spread.column) < 0
        left, place = column(_UNITS) - column(_SHARED), column(_PLACE)
        one = F.when(left > 0, 1).otherwise(-1)
        units = column(_SHARE) + F.when(place <= F.abs(left), one).otherwise(0)
        units = F.when(is_negative, -units).otherwise(units)
        part = units.cast(sql_type(t.decimal(37 - scale, 0)))
        if scale:
            part = part * _power(-scale)
        if scale < kind.scale:
            part = part.cast(sql_type(t.decimal(t.MAX_PRECISION - 1, kind.scale)))
            rest = self._size % (_power(-scale) if scale else literal(Decimal(1), t.decimal(1, 0)))
            rest = F.when(is_negative, -rest).otherwise(rest)
            part = part + F.when(place == 1, rest).otherwise(rest - rest)
        return part


def _quick_share(weight: Column) -> Column:
    total = column(_TOTAL)
    return F.call_function("div", column(_UNITS) * 2 * weight + total, total * 2)


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
