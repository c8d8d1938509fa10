"""Functions of texts. A character is a code point; counts and positions may be any integer."""

from __future__ import annotations

import re
from functools import lru_cache

from rowbook.expressions.values import overflow

LONGEST_PADDED = 1_000_000
"""Longer paddings are a mistake that would fill the memory of a whole machine."""
_PATTERN_PART = re.compile(r"\\(?P<escaped>[%_\\])|(?P<any>%)|(?P<one>_)|(?P<itself>.)", re.DOTALL)


def concat(*texts: str) -> str:
    return "".join(texts)


def upper(s: str) -> str:
    """By Unicode's full case mapping, of no language: ß gives SS. Letters newer than the Python's
    Unicode stay as they are."""
    return s.upper()


def lower(s: str) -> str:
    """By Unicode's full case mapping, of no language: İ gives i and a dot above, a Σ that ends a
    word ς. Letters newer than the Python's Unicode stay as they are."""
    return s.lower()


def trim(s: str) -> str:
    """Takes away spaces (U+0020) only: tabs, line ends and other blanks stay."""
    return s.strip(" ")


def trim_left(s: str) -> str:
    return s.lstrip(" ")


def trim_right(s: str) -> str:
    return s.rstrip(" ")


def left(s: str, n: int) -> str:
    """'' where n is zero or negative."""
    return s[: max(n, 0)]


def right(s: str, n: int) -> str:
    return s[max(len(s) - n, 0) :] if n > 0 else ""


def substring(s: str, start: int, length: int | None = None) -> str:
    """A start of 0 is 1, a negative one counts from the end. What lies before the first character
    uses up length: SUBSTRING('abc', -5, 3) is 'a'. '' where the length is zero or negative."""
    begin = start - 1 if start > 0 else len(s) + start if start < 0 else 0
    end = len(s) if length is None else begin + length
    return s[max(begin, 0) : max(end, 0)]


def contains(s: str, part: str) -> bool:
    """TRUE for an empty part."""
    return part in s


def starts_with(s: str, part: str) -> bool:
    return s.startswith(part)


def ends_with(s: str, part: str) -> bool:
    return s.endswith(part)


def position(part: str, s: str) -> int:
    """Counted from 1, in code points; 0 where it is not there, 1 for nothing."""
    return s.find(part) + 1


def replace(s: str, old: str, new: str) -> str:
    """From the left, without overlap; an empty `old` changes nothing."""
    return s.replace(old, new) if old else s


def pad_left(s: str, length: int, fill: str = " ") -> str:
    """Cut at the right to a smaller length, '' for zero or less; the filling repeats from its
    start, an empty one fills nothing. RUN_001 for a length above a million."""
    return _filling(s, length, fill) + left(s, length)


def pad_right(s: str, length: int, fill: str = " ") -> str:
    """As LPAD, with the filling behind."""
    return left(s, length) + _filling(s, length, fill)


def split_part(s: str, separator: str, n: int) -> str:
    """'' where n is zero, negative or past the last part; with an empty separator the whole text is
    part 1."""
    parts = s.split(separator) if separator else [s]
    return parts[n - 1] if 1 <= n <= len(parts) else ""


def like(s: str, pattern: str) -> bool:
    r"""`%` is any text, `_` one character, line ends included; `\%`, `\_` and `\\` stand for the
    second character; any other backslash, also the last character, stands for itself."""
    return _matcher(pattern).fullmatch(s) is not None


def like_regex(pattern: str) -> str:
    """A pattern of LIKE as a regular expression of Python or Java, for a whole text. Each part
    between two `%` is sought once, from the left (an atomic group), so that no pattern takes more
    than its length times the text's."""
    parts = [""]
    for found in _PATTERN_PART.finditer(pattern):
        if found["any"]:
            parts.append("")
        else:
            parts[-1] += "." if found["one"] else re.escape(found["escaped"] or found["itself"])
    first, *others = parts
    if others:
        *middle, last = others
        first += "".join(f"(?>.*?{part})" for part in middle if part) + ".*" + last
    return first


def _filling(s: str, length: int, fill: str) -> str:
    if length > LONGEST_PADDED:
        raise overflow(f"a text of {length} characters is too long")
    missing = length - len(s)
    if missing <= 0 or not fill:
        return ""
    return (fill * (missing // len(fill) + 1))[:missing]


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> re.Pattern[str]:
    return re.compile(like_regex(pattern), re.DOTALL)
