"""The totals of two tables side by side, of all rows and of groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compare.aligned import Pair, Side
from rowbook.engine.compare.difference import Groups, GroupTotals, Number, Subtotals, Total
from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.float_sums import float_sum
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind, Type
from rowbook.spark.column_names import column

_ENOUGH = Context(prec=100)
_SIDES = ("before", "after")
_KIND, _LEVEL = "__aggregate", "__level"
_KINDS = (Field(_KIND, t.INTEGER), Field(_LEVEL, t.STRING))


@dataclass(frozen=True, slots=True)
class Summed:
    """Numbers of two tables; `apart`: of lines and of summary rows for themselves."""

    pair: Pair
    numbers: tuple[str, ...]

    @property
    def sides(self) -> tuple[tuple[str, Side], ...]:
        return (("before", self.pair.before), ("after", self.pair.after))

    @property
    def mixed(self) -> bool:
        return any(side.aggregate() is None for _, side in self.sides)

    @property
    def apart(self) -> bool:
        has_aggregates = any(side.kinds.aggregates for _, side in self.sides)
        return has_aggregates and not self.mixed

    def place(self, seq: int, level: str | None) -> int:
        """Of a level among those of its aggregate, in their order."""
        kinds = (side.kinds.levels.get(seq) for _, side in reversed(self.sides))
        names = [name for each in kinds if each for name in each.names]
        return names.index(level) if level in names else len(names)


class Totals(NamedTuple):
    rows_before: int
    rows_after: int
    totals: tuple[Total, ...]
    subtotals: tuple[Subtotals, ...]


def compare_totals(summed: Summed) -> Totals:
    lines = (None, None)
    found: dict[tuple[int | None, str | None], dict[str, Any]] = {lines: {}}
    for name, side in summed.sides:
        sums = side.frame.groupBy(*_kind(summed, side)).agg(*_sums(name, side, summed.numbers))
        kinds_of_rows = _KINDS if summed.apart else ()
        for row in collect(sums, [*kinds_of_rows, *_fields(name, side, summed.numbers)]):
            found.setdefault((row.get(_KIND), row.get(_LEVEL)), {}).update(row)
    kinds = {
        kind: ([int(row.get(_rows(side), 0)) for side in _SIDES], _all_totals(row, summed.numbers))
        for kind, row in found.items()
    }
    rows = [sum(counted[i] for counted, _ in kinds.values()) for i in range(len(_SIDES))]
    subtotals = (
        Subtotals(seq, counted[0], counted[1], totals, level)
        for (seq, level), (counted, totals) in kinds.items()
        if seq is not None
    )
    ordered = sorted(subtotals, key=lambda each: (each.seq, summed.place(each.seq, each.level)))
    return Totals(rows[0], rows[1], kinds[lines][1], tuple(ordered))


def compare_groups(summed: Summed, by: Sequence[str], limit: int) -> Groups | None:
    """Groups whose rows or totals differ, in their order, lines before summary rows; None where
    nothing is grouped by."""
    if not by:
        return None
    types = {_group(name): summed.pair.shared[name] for name in by}
    if summed.apart:
        types |= {each.name: each.type for each in _KINDS}
    both = _grouped(summed, by)
    different = both.filter(reduce(or_, _differing(summed)))
    counted = both.agg(F.count(F.lit(1)), F.count_if(reduce(or_, _differing(summed)))).collect()[0]
    kinds = [each.name for each in _KINDS] if summed.apart else []
    keys = [column(name) for name in types if name not in kinds]
    kind = [column(name).asc_nulls_first() for name in kinds]
    ordered = different.orderBy(*kind, *(key.asc_nulls_last() for key in keys))
    fields = [Field(name, type_) for name, type_ in types.items()]
    for name, side in summed.sides:
        fields += _fields(name, side, summed.numbers)
    shown = tuple(
        GroupTotals(
            {name: row[_group(name)] for name in by},
            row[_rows("before")] or 0,
            row[_rows("after")] or 0,
            _all_totals(row, summed.numbers),
            row.get(_KIND),
            row.get(_LEVEL),
        )
        for row in collect(ordered, fields, limit)
    )
    return Groups(tuple(by), int(counted[0]), int(counted[1]), shown)


def _grouped(summed: Summed, by: Sequence[str]) -> DataFrame:
    names = [*map(_group, by), *(each.name for each in _KINDS if summed.apart)]
    frames = []
    for name, side in summed.sides:
        values = [*(summed.pair.aligned(side, each) for each in by), *_kind(summed, side)]
        keys = [value.alias(f"__{name}_{key}") for key, value in zip(names, values, strict=True)]
        frames.append(side.frame.groupBy(*keys).agg(*_sums(name, side, summed.numbers)))
    both_keys = {key: [column(f"__{side}_{key}") for side in _SIDES] for key in names}
    same = (before.eqNullSafe(after) for before, after in both_keys.values())
    both = frames[0].join(frames[1], reduce(and_, same), "full_outer")
    return both.withColumns({name: F.coalesce(*pair) for name, pair in both_keys.items()})


def _kind(summed: Summed, side: Side) -> list[Column]:
    """The aggregate and level of a row as keys of groups, where rows are told apart."""
    aggregate = side.aggregate()
    if not summed.apart or aggregate is None:
        return []
    return [aggregate.alias(_KIND), side.level(aggregate).alias(_LEVEL)]


def _all_totals(row: Mapping[str, Any], numbers: Sequence[str]) -> tuple[Total, ...]:
    return tuple(_total(row, number) for number in numbers)


def _differing(summed: Summed) -> Iterable[Column]:
    yield ~column(_rows("before")).eqNullSafe(column(_rows("after")))
    for number in summed.numbers:
        was, now = (column(_name(side, number)) for side in _SIDES)
        if summed.pair.shared[number].kind is Kind.FLOAT:
            was, now = was.cast("double"), now.cast("double")
        yield ~was.eqNullSafe(now)


def _sums(name: str, side: Side, numbers: Iterable[str]) -> list[Column]:
    columns = [F.count(F.lit(1)).alias(_rows(name))]
    for number in numbers:
        columns.append(_sum(column(number), side.type_of(number)).alias(_name(name, number)))
        columns.append(F.count(column(number)).alias(_count(name, number)))
    return columns


def _sum(value: Column, kind: Type | None) -> Column:
    if kind is not None and kind.kind is Kind.FLOAT:
        return float_sum(value)
    return F.try_sum(value.cast("decimal(38,0)") if kind == t.INTEGER else value)


def _fields(name: str, side: Side, numbers: Iterable[str]) -> Iterable[Field]:
    yield Field(_rows(name), t.INTEGER)
    for number in numbers:
        yield Field(_name(name, number), _sum_type(side.type_of(number)))
        yield Field(_count(name, number), t.INTEGER)


def _sum_type(kind: Type | None) -> Type:
    if kind is None or kind.kind is Kind.FLOAT:
        return t.FLOAT
    return t.decimal(t.MAX_PRECISION, kind.scale)


def _total(row: Mapping[str, Any], number: str) -> Total:
    was, now = (row.get(_name(side, number)) for side in _SIDES)
    counts = (row.get(_count(side, number)) for side in _SIDES)
    too_large = any(value is None and n for value, n in zip((was, now), counts, strict=True))
    difference = None if too_large or (was is None and now is None) else _minus(now, was)
    return Total(number, was, now, difference)


def _minus(now: Number, was: Number) -> Number:
    """The difference; no numbers count as 0."""
    if isinstance(now, float) or isinstance(was, float):
        return float(now or 0) - float(was or 0)
    return _ENOUGH.subtract(*(Decimal(0 if n is None else n) for n in (now, was)))


def _rows(side: str) -> str:
    return f"__{side}_rows"


def _name(side: str, number: str) -> str:
    return f"__{side}_sum_{number}"


def _count(side: str, number: str) -> str:
    return f"__{side}_count_{number}"


def _group(name: str) -> str:
    return f"group_{name}"
