"""Values as a report shows them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rowbook.expressions.values import Value

Number: TypeAlias = int | float | Decimal

_LONGEST = 120
_SECOND, _MINUTE = 1_000, 60_000


def format_number(number: Number | int) -> str:
    """A number with thousands separators, every digit of it, and a real minus sign."""
    if isinstance(number, float):
        text = f"{number:,.6f}".rstrip("0").rstrip(".")
    else:
        text = f"{Decimal(number):,f}"
    return text.replace("-", "−")


def format_signed(number: Number) -> str:
    """The same for a change: with its sign."""
    return format_number(number) if number < 0 or not number else f"+{format_number(number)}"


def format_value(value: Value) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return format_number(value)
        case datetime():
            return instant(value)
        case str():
            return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
    return value.isoformat()


def instant(at: datetime) -> str:
    """A time to the second, UTC."""
    return at.strftime("%Y-%m-%d %H:%M:%S UTC")


def duration(milliseconds: int) -> str:
    """`340 ms`, `12.3 s`, `4 min 5 s`."""
    if milliseconds < _SECOND:
        return f"{milliseconds} ms"
    if milliseconds < _MINUTE:
        return f"{milliseconds / _SECOND:.1f} s"
    minutes, rest = divmod(milliseconds, _MINUTE)
    return f"{minutes:,} min {rest // _SECOND} s"


def size(count: int) -> str:
    number, unit = float(count), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if number < 1_000:
            break
        number, unit = number / 1_000, larger
    return f"{count:,} bytes" if unit == "bytes" else f"{number:,.1f} {unit}"
