"""How values are written in text: the options that say so, of a data source or of one column."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rowbook.errors import listing
from rowbook.expressions.literals import is_date_format
from rowbook.expressions.scalars.date_layouts import layout_of
from rowbook.expressions.types import Kind

SPACES = " \u00a0\u202f"
"""A space, one that keeps lines together, and a narrow one."""

SEPARATOR_CHARACTERS: Mapping[str, str] = {
    ".": ".",
    ",": ",",
    **dict.fromkeys("'\u2019", "'\u2019"),
    **dict.fromkeys(SPACES, SPACES),
}
"""What stands between thousands where an option says so: a space also means those that look alike,
and so does an apostrophe."""

NEGATIVES = ("leading", "trailing", "parentheses")

_NUMBERS = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT})
FORMAT_OPTIONS: Mapping[str, frozenset[Kind]] = {
    "decimal_separator": _NUMBERS,
    "thousands_separator": _NUMBERS,
    "negative": _NUMBERS,
    "strip": _NUMBERS,
    "date_format": frozenset({Kind.DATE}),
    "timestamp_format": frozenset({Kind.TIMESTAMP}),
}
"""The options, and the types that they concern."""

_OF_NUMBERS = frozenset("0123456789+-()")


def format_fault(name: str, options: Mapping[str, str]) -> str | None:
    """What is wrong with an option of this module among others, if anything. A column need not say
    how decimals are separated where its data source does."""
    if name not in FORMAT_OPTIONS:
        return None
    value = options[name]
    is_sound, must = _CHECKS[name]
    if not is_sound(value):
        return f"is '{value}', but must be {must}"
    if name == "thousands_separator" and value == options.get("decimal_separator"):
        return f"is '{value}', and so is decimal_separator: they must differ"
    if name == "strip":
        separators = (options.get(f"{each}_separator", "") for each in ("decimal", "thousands"))
        found = set(value) & _OF_NUMBERS.union(*separators) - set(SPACES)
        if found:
            signs = listing([f"'{each}'" for each in sorted(found)])
            return f"holds {signs}, which a number itself may hold"
    return None


def _is_timestamp_format(text: str) -> bool:
    return layout_of(text, with_time=True) is not None


_CHECKS: Mapping[str, tuple[Callable[[str], bool], str]] = {
    "decimal_separator": ((".", ",").__contains__, "'.' or ','"),
    "thousands_separator": (
        SEPARATOR_CHARACTERS.__contains__,
        "'.', ',', an apostrophe or a space",
    ),
    "negative": (NEGATIVES.__contains__, "leading, trailing or parentheses"),
    "strip": (bool, "the signs that may stand around a number"),
    "date_format": (is_date_format, "made of yyyy, MM, dd and punctuation"),
    "timestamp_format": (
        _is_timestamp_format,
        "made of yyyy, MM, dd, HH, mm, ss, S, XXX and punctuation",
    ),
}
