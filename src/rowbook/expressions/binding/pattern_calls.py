"""TO_STRING and TO_DATE by patterns, which are checked here and not on rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.scalars.date_patterns import (
    WRITTEN_OF_DATES,
    WRITTEN_OF_TIMES,
    PatternError,
    parse_pattern,
    parse_reading,
)
from rowbook.expressions.scalars.number_patterns import parse_number_pattern
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.types import Kind

if TYPE_CHECKING:
    from rowbook.expressions.binding.binder import Binder

_DAYS = "yyyy or yy is the year, MM, M, MMM or MMMM the month, dd or d the day"
_HINTS = {
    Kind.DATE: f"{_DAYS}, Q the quarter: 'yyyy-MM', 'dd.MM.yyyy'",
    Kind.TIMESTAMP: f"{_DAYS}, Q the quarter, HH:mm:ss the time: 'yyyy-MM-dd HH:mm'",
}
_NUMBERS = "write digits as # and 0: '#,##0.00', '0.0%', '#,##0;(#,##0)'"
_CHECKS: dict[Kind, Callable[[str], object]] = {
    Kind.DATE: lambda pattern: parse_pattern(pattern, WRITTEN_OF_DATES),
    Kind.TIMESTAMP: lambda pattern: parse_pattern(pattern, WRITTEN_OF_TIMES),
    **dict.fromkeys((Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT), parse_number_pattern),
}


def to_string(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    value, *patterns = arguments
    if not patterns:
        return bound.Call("TO_STRING", tuple(arguments), t.STRING, value.nullable)
    kind = value.type.kind
    if kind is Kind.NULL:
        return bound.Constant(None, t.STRING)
    if kind not in _CHECKS:
        return binder.mismatch(
            f"TO_STRING has patterns for dates, timestamps and numbers, not for {value.type}",
            node.arguments[0],
        )
    if fault := _fault(patterns[0], _CHECKS[kind]):
        message = f"not a pattern for {value.type}: {fault}"
        return binder.fault("EXPR_006", message, node.arguments[1], _HINTS.get(kind, _NUMBERS))
    nullable = value.nullable or kind is Kind.FLOAT
    return bound.Call("TO_STRING", tuple(arguments), t.STRING, nullable)


def to_date(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    if fault := _fault(arguments[1], parse_reading):
        message = f"not a pattern for a date: {fault}"
        hint = f"{_DAYS}: 'dd.MM.yyyy', 'd MMM yy'"
        return binder.fault("EXPR_006", message, node.arguments[1], hint)
    return bound.Call("TO_DATE", tuple(arguments), t.DATE, True)


def _fault(pattern: Bound, check: Callable[[str], object]) -> str | None:
    assert isinstance(pattern, bound.Constant)
    try:
        check(str(pattern.value))
    except PatternError as error:
        return str(error)
    return None
