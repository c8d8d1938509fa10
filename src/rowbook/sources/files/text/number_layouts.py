"""Numbers as accounting systems write them: `1.234,56-`, `(1'234.50)`, `€ 1 234,56`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rowbook.locations.text_options import SEPARATOR_CHARACTERS, SPACES

_EXPONENT = "(?:[eE][+-]?[0-9]{1,3})?"


@dataclass(frozen=True, slots=True)
class NumberLayout:
    """An expression that a whole number matches, in the part of the language that Java and Python
    share. Its numbered `groups`, one after the other, are sign and number; of these, characters of
    `was` become those of `now`, and what `now` has no character for is left out."""

    pattern: str
    groups: tuple[int, ...]
    was: str
    now: str

    @property
    def replacement(self) -> str:
        """Sign and number as Java's replacement."""
        return "".join(f"${group}" for group in self.groups)

    def plain(self, text: str) -> str | None:
        """The number with a leading sign and a decimal point, without groups; None where it is no
        number in this layout."""
        found = re.fullmatch(self.pattern, text)
        if not found:
            return None
        kept = "".join(found[group] or "" for group in self.groups)
        left_out = self.was[len(self.now) :]
        return kept.translate(str.maketrans(self.was[: len(self.now)], self.now, left_out))


@cache
def number_layout(
    decimal_separator: str, thousands_separator: str | None, negative: str, strip: str
) -> NumberLayout:
    separators = SEPARATOR_CHARACTERS.get(thousands_separator or "", "")
    whole = "[0-9]+"
    if separators:
        whole = f"(?:[0-9]{{1,3}}(?:{_one_of(separators)}[0-9]{{3}})+|{whole})"
    number = f"({whole}(?:{_one_of(decimal_separator)}[0-9]+)?{_EXPONENT})"
    around = f"{_one_of(strip + SPACES)}*" if strip else ""
    beyond = "([+-]?)" if strip else "()"  # two signs are no number when they come together
    patterns: dict[str, tuple[str, tuple[int, ...]]] = {
        "leading": (f"{beyond}{around}([+-]?){number}{around}", (1, 2, 3)),
        "trailing": (f"{around}{number}([+-]?){around}{beyond}", (2, 3, 1)),
        "parentheses": (
            rf"{around}(?:{number}|(\(){around}{number}{around}\)){around}",
            (2, 1, 3),
        ),
    }
    pattern, groups = patterns[negative]
    return NumberLayout(pattern, groups, f"{decimal_separator}({separators}", ".-")


def _one_of(characters: str) -> str:
    escaped = "".join(f"\\x{ord(c):02x}" if ord(c) < 128 else c for c in characters)
    return f"[{escaped}]"
