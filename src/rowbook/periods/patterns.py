"""Identifier patterns: `FY{year}-{n:02}` writes and reads `FY2026-01`.

| placeholder | stands for |
|---|---|
| `{year}` | the year, four digits |
| `{yy}` | its last two digits; such a calendar knows the years 2000 to 2099 only |
| `{n}`, `{n:02}`, `{n:03}` | the number within the year, with at least that many digits |
| `{date}` | the day as `2026-01-31`, for a level of days |
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from itertools import product
from typing import Literal

from rowbook.errors import suggestion
from rowbook.value_class import dataclass

Says = Literal["year", "n", "date"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an identifier says by its form alone; whether there is such a period is not known."""

    year: int | None = None
    n: int | None = None
    date: tuple[int, int, int] | None = None


class PatternError(ValueError):
    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Pattern:
    """A checked pattern; `compile_pattern` makes it."""

    text: str
    parts: tuple[str, ...]
    says: tuple[Says, ...]

    @property
    def short_year(self) -> bool:
        return "{yy}" in self.parts

    def write(self, year: int, n: int, start: date) -> str:
        return self.text.format(year=year, yy=f"{year % 100:02}", n=n, date=start)

    def read(self, identifier: str) -> Reading | None:
        return _reading(_regex(self, loose=False).fullmatch(identifier))

    def read_loosely(self, text: str) -> Reading | None:
        """What a text of nearly this form seems to mean: `2026-1` or `2026/01` for `2026-01`."""
        return _reading(_regex(self, loose=True).fullmatch(text.strip()))

    def clashes(self, other: Pattern) -> bool:
        """Whether some text could have both forms."""
        return any(_overlap(a, b) for a, b in product(_shapes(self), _shapes(other)))


@cache
def compile_pattern(text: str) -> Pattern:
    """Raises PatternError where the text is not a pattern."""
    fault = identifier_fault(text)
    if fault:
        raise PatternError(fault)
    parts = tuple(part for part in re.split(r"(\{[^{}]*\})", text) if part)
    for part in parts:
        if ("{" in part or "}" in part) and part not in _PLACEHOLDERS:
            raise PatternError(
                f"unknown placeholder '{part}'",
                suggestion(part, tuple(_PLACEHOLDERS), "placeholders"),
            )
    says = tuple(_PLACEHOLDERS[part].says for part in parts if part in _PLACEHOLDERS)
    for word in says:
        if says.count(word) > 1:
            raise PatternError(f"the {word} stands twice", "keep one of the two")
    return Pattern(text, parts, says)


def identifier_fault(text: str) -> str | None:
    """Why a text cannot be an identifier or a pattern of one: identifiers become file names."""
    if not text:
        return "an identifier cannot be empty"
    if text != text.strip() or not text.isprintable():
        return "an identifier cannot begin or end with a space, or hold control characters"
    if "/" in text or "\\" in text:
        return "an identifier cannot hold '/' or '\\', because it stands in paths"
    return None


@dataclass(frozen=True, slots=True)
class _Placeholder:
    """`shapes` lists every layout of digits (`_DIGIT`) and separators that `exact` allows."""

    says: Says
    exact: str
    loose: str
    shapes: tuple[str, ...]


_DIGIT = "\0"
_ONE, _TWO, _THREE, _FOUR = _DIGIT, _DIGIT * 2, _DIGIT * 3, _DIGIT * 4
_NUMBER = "[0-9]{1,3}"
_ANY_YEAR = "[0-9]{4}|[0-9]{2}"
_SEPARATOR = "[^0-9A-Za-z]?"
_ISO = "(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})"
_NEARLY_ISO = f"(?P<y>[0-9]{{4}}){_SEPARATOR}(?P<m>[0-9]{{1,2}}){_SEPARATOR}(?P<d>[0-9]{{1,2}})"

_PLACEHOLDERS = {
    "{year}": _Placeholder("year", "[0-9]{4}", _ANY_YEAR, (_FOUR,)),
    "{yy}": _Placeholder("year", "[0-9]{2}", _ANY_YEAR, (_TWO,)),
    "{n}": _Placeholder("n", "0|[1-9][0-9]{0,2}", _NUMBER, (_ONE, _TWO, _THREE)),
    "{n:02}": _Placeholder("n", "[0-9]{2}|[1-9][0-9]{2}", _NUMBER, (_TWO, _THREE)),
    "{n:03}": _Placeholder("n", "[0-9]{3}", _NUMBER, (_THREE,)),
    "{date}": _Placeholder("date", _ISO, _NEARLY_ISO, (f"{_FOUR}-{_TWO}-{_TWO}",)),
}


@cache
def _regex(pattern: Pattern, loose: bool) -> re.Pattern[str]:
    def of(part: str) -> str:
        placeholder = _PLACEHOLDERS.get(part)
        if placeholder:
            return f"(?P<{placeholder.says}>{placeholder.loose if loose else placeholder.exact})"
        if loose:
            return "".join(re.escape(c) if c.isalnum() else _SEPARATOR for c in part)
        return re.escape(part)

    return re.compile("".join(map(of, pattern.parts)), re.IGNORECASE if loose else re.NOFLAG)


def _reading(match: re.Match[str] | None) -> Reading | None:
    if match is None:
        return None
    said = match.groupdict()
    year, n = said.get("year"), said.get("n")
    return Reading(
        year=None if year is None else int(year) + (2000 if len(year) == 2 else 0),
        n=None if n is None else int(n),
        date=(int(said["y"]), int(said["m"]), int(said["d"])) if "date" in said else None,
    )


def _shapes(pattern: Pattern) -> list[str]:
    choices = [
        _PLACEHOLDERS[part].shapes if part in _PLACEHOLDERS else (part,) for part in pattern.parts
    ]
    return ["".join(choice) for choice in product(*choices)]


def _overlap(a: str, b: str) -> bool:
    digits = frozenset(_DIGIT + "0123456789")
    return len(a) == len(b) and all(
        x == y or (_DIGIT in (x, y) and x in digits and y in digits)
        for x, y in zip(a, b, strict=True)
    )
