"""Patterns of dates and timestamps, as TO_STRING writes and TO_DATE reads them.

Fields are runs of letters (`yyyy`, `MM`), everything else stands for itself; letters in single
quotes do too. Names of months are English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import pairwise

from rowbook.value_class import dataclass

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
SHORT_MONTHS = "".join(name[:3] for name in MONTHS)

_TOKEN = re.compile(r"([A-Za-z])\1*|'((?:[^']|'')+)'|([^A-Za-z'\[\]{}#])", re.DOTALL)
_OF_DAYS = ("yyyy", "yy", "MMMM", "MMM", "MM", "M", "dd", "d")
_OF_TIMES = ("HH", "mm", "ss", *("S" * n for n in range(1, 7)))
WRITTEN_OF_DATES = (*_OF_DAYS, "Q")
WRITTEN_OF_TIMES = (*WRITTEN_OF_DATES, *_OF_TIMES)
READ = _OF_DAYS
_MEANINGS = {"y": "year", "M": "month", "d": "day"}
_VARYING = ("M", "d")
"""Of one digit or two."""
_NAMED = ("MMM", "MMMM")


@dataclass(frozen=True, slots=True)
class PatternPart:
    """A field, or text that stands for itself."""

    text: str
    is_field: bool


class PatternError(ValueError):
    """What is wrong with a pattern, as its text."""


@lru_cache(maxsize=256)
def parse_pattern(pattern: str, fields: tuple[str, ...]) -> tuple[PatternPart, ...]:
    """PatternError for a field that is not one of these, and for a pattern without any."""
    parts: list[PatternPart] = []
    end = 0
    for token in _TOKEN.finditer(pattern):
        if token.start() != end:
            break
        end = token.end()
        literal = token[3] if token[2] is None else token[2].replace("''", "'")
        if literal is not None:
            parts.append(PatternPart(literal, is_field=False))
        elif token[0] in fields:
            parts.append(PatternPart(token[0], is_field=True))
        else:
            raise PatternError(f"'{token[0]}' is no part of it")
    if end != len(pattern):
        raise PatternError(f"'{pattern[end]}' stands in it only between single quotes")
    if not any(part.is_field for part in parts):
        raise PatternError("it has no field")
    return tuple(parts)


@lru_cache(maxsize=256)
def parse_reading(pattern: str) -> tuple[PatternPart, ...]:
    """A pattern that texts are read by: a year and a month, once each, and a day if it has one."""
    parts = parse_pattern(pattern, READ)
    found = [part.text[0] for part in parts if part.is_field]
    for letter, meaning in _MEANINGS.items():
        if found.count(letter) > 1:
            raise PatternError(f"it has two fields for the {meaning}")
        if letter not in found and letter != "d":
            raise PatternError(f"it has no field for the {meaning}")
    for part, after in pairwise(parts):
        varies = part.is_field and part.text in _VARYING
        if varies and after.is_field and after.text not in _NAMED:
            raise PatternError(f"nothing stands between '{part.text}' and '{after.text}'")
    return parts


def format_date(d: date, pattern: str) -> str:
    """By a pattern that fits; a timestamp in UTC."""
    at = d.astimezone(UTC) if isinstance(d, datetime) else datetime(d.year, d.month, d.day)
    parts = parse_pattern(pattern, WRITTEN_OF_TIMES)
    return "".join(_WRITE[part.text](at) if part.is_field else part.text for part in parts)


def read_date(s: str, pattern: str) -> date | None:
    """Without a day it is the first of the month; yy is a year of this century, 2000 to 2099.
    NULL for what does not match to the letter, and days that do not exist."""
    regex, groups = reading_regex(pattern)
    found = re.fullmatch(regex, s)
    if found is None:
        return None
    texts = {name[0]: (name, found[number]) for name, number in groups.items()}
    year, month = texts["y"][1], texts["M"][1]
    number = SHORT_MONTHS.lower().index(month[:3].lower()) // 3 + 1 if month.isalpha() else month
    try:
        return date(
            int(year) + (2000 if texts["y"][0] == "yy" else 0),
            int(number),
            int(texts["d"][1]) if "d" in texts else 1,
        )
    except ValueError:
        return None


@lru_cache(maxsize=256)
def reading_regex(pattern: str) -> tuple[str, Mapping[str, int]]:
    """An expression that a whole text matches, in the part of the language that Java and Python
    share, and the group of each field."""
    groups: dict[str, int] = {}
    regex = ""
    for part in parse_reading(pattern):
        if part.is_field:
            groups[part.text] = len(groups) + 1
            regex += f"({_READ[part.text]})"
        else:
            regex += "".join(_quoted(c) for c in part.text)
    return regex, groups


def _quoted(c: str) -> str:
    return f"\\x{ord(c):02x}" if ord(c) < 128 else c


def _names(names: tuple[str, ...]) -> str:
    """In any case; letter by letter, since engines differ in what else is the same in any case."""
    return "|".join("".join(f"[{c.upper()}{c.lower()}]" for c in name) for name in names)


def _fraction(digits: int) -> Callable[[datetime], str]:
    return lambda at: f"{at.microsecond:06}"[:digits]


_READ = {
    "yyyy": "[0-9]{4}",
    "yy": "[0-9]{2}",
    "MMMM": _names(MONTHS),
    "MMM": _names(tuple(name[:3] for name in MONTHS)),
    "MM": "[0-9]{2}",
    "M": "[0-9]{1,2}",
    "dd": "[0-9]{2}",
    "d": "[0-9]{1,2}",
}

_WRITE: dict[str, Callable[[datetime], str]] = {
    "yyyy": lambda at: f"{at.year:04}",
    "yy": lambda at: f"{at.year % 100:02}",
    "MMMM": lambda at: MONTHS[at.month - 1],
    "MMM": lambda at: MONTHS[at.month - 1][:3],
    "MM": lambda at: f"{at.month:02}",
    "M": lambda at: str(at.month),
    "dd": lambda at: f"{at.day:02}",
    "d": lambda at: str(at.day),
    "Q": lambda at: str((at.month + 2) // 3),
    "HH": lambda at: f"{at.hour:02}",
    "mm": lambda at: f"{at.minute:02}",
    "ss": lambda at: f"{at.second:02}",
    **{"S" * digits: _fraction(digits) for digits in range(1, 7)},
}
