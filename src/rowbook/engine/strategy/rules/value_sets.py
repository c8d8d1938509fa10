"""What a rule asks of a value: to be one of some, or to lie in a range.

A range begins with its first value and ends before its second; None is an end without bound. So
`> 'a'` begins with the value that comes next after 'a', and `LIKE 'a%'` ends before 'b'. Texts are
in the order of their code points, which is Spark's order of their bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Context, Decimal
from typing import Any, TypeAlias

from rowbook.expressions.evaluate import Value
from rowbook.expressions.types import MAX_PRECISION, Kind, Type

Range: TypeAlias = tuple[Value, Value]

_LAST_INTEGER = 2**63 - 1
_SURROGATES = 0xD800, 0xE000
_LAST_CODE = 0x10FFFF
_EXACT = Context(prec=2 * MAX_PRECISION)


@dataclass(frozen=True, slots=True)
class ValueSet:
    values: frozenset[Value] = frozenset()
    ranges: tuple[Range, ...] = ()

    def __and__(self, other: ValueSet) -> ValueSet:
        values = {v for v in self.values if v in other} | {v for v in other.values if v in self}
        both = (_common(one, two) for one in self.ranges for two in other.ranges)
        return ValueSet(frozenset(values), tuple(each for each in both if each is not None))

    def __or__(self, other: ValueSet) -> ValueSet:
        return ValueSet(self.values | other.values, tuple({*self.ranges, *other.ranges}))

    def __contains__(self, value: Value) -> bool:
        return value in self.values or any(_lies_in(value, each) for each in self.ranges)


def comparison_values(function: str, value: Value, kind: Type) -> ValueSet | None:
    """The values for which a comparison with one holds; None where these are no range."""
    if kind.kind not in _NEXT:
        return None
    if value is None:
        return ValueSet()
    following = _NEXT[kind.kind](value, kind)
    match function:
        case "<":
            return ValueSet(ranges=((None, value),))
        case "<=":
            return ValueSet(ranges=((None, following),))
        case ">=":
            return ValueSet(ranges=((value, None),))
        case ">":
            return ValueSet(ranges=() if following is None else ((following, None),))
        case _:
            return None


def prefix_values(prefix: str) -> ValueSet:
    """Texts that begin so."""
    kept = prefix.rstrip(chr(_LAST_CODE))
    if not kept:
        return ValueSet(ranges=((prefix, None),))
    code = ord(kept[-1]) + 1
    end = kept[:-1] + chr(_SURROGATES[1] if code == _SURROGATES[0] else code)
    return ValueSet(ranges=((prefix, end),))


def cuts(wanted: Iterable[ValueSet], kind: Type) -> tuple[Value, ...]:
    """Where cells begin, in order, so that all values of a cell are wanted by the same."""
    found: set[Any] = set()
    for each in wanted:
        found.update(end for both in each.ranges for end in both)
        found.update(each.values, (_NEXT[kind.kind](value, kind) for value in each.values))
    return tuple(sorted(found - {None}))


def cells(wanted: ValueSet, found: Sequence[Any]) -> frozenset[int]:
    """The numbers of the cells whose values are wanted; that of a value is how many cuts are not
    above it."""
    numbers = {bisect_right(found, value) for value in wanted.values}
    for low, high in wanted.ranges:
        first = 0 if low is None else bisect_right(found, low)
        numbers.update(range(first, len(found) + 1 if high is None else bisect_right(found, high)))
    return frozenset(numbers)


def _lies_in(value: Any, both: tuple[Any, Any]) -> bool:
    low, high = both
    return (low is None or low <= value) and (high is None or value < high)


def _common(one: tuple[Any, Any], two: tuple[Any, Any]) -> Range | None:
    low: Any = max((low for low, _ in (one, two) if low is not None), default=None)
    high = min((high for _, high in (one, two) if high is not None), default=None)
    return None if low is not None and high is not None and low >= high else (low, high)


def _next_decimal(value: Decimal, kind: Type) -> Decimal | None:
    following = _EXACT.add(value, Decimal(1).scaleb(-kind.scale))
    return following if following < Decimal(1).scaleb(kind.integer_digits) else None


def _next_moment(value: date, step: timedelta) -> date | None:
    try:
        return value + step
    except OverflowError:
        return None


_NEXT: dict[Kind, Any] = {
    Kind.STRING: lambda value, _: value + "\0",
    Kind.INTEGER: lambda value, _: value + 1 if value < _LAST_INTEGER else None,
    Kind.DECIMAL: _next_decimal,
    Kind.DATE: lambda value, _: _next_moment(value, timedelta(days=1)),
    Kind.TIMESTAMP: lambda value, _: _next_moment(value, timedelta(microseconds=1)),
}
"""The value that comes next; None after the last one."""
