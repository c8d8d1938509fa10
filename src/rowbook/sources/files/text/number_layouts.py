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
    share. In a text that does, characters of `was` become those of `now`, and what `now` has no
    character for is left out; where its sign `trails`, it then comes first."""

    pattern: str
    was: str
    now: str
    trails: bool

    def plain(self, text: str) -> str | None:
        """The number with a leading sign and a decimal point, without groups; None where it is no
        number in this layout."""
        if not re.fullmatch(self.pattern, text):
            return None
        left_out = self.was[len(self.now) :]
        number = text.translate(str.maketrans(self.was[: len(self.now)], self.now, left_out))
        is_signed = self.trails and number.endswith(("+", "-"))
        return f"{number[-1]}{number[:-1]}" if is_signed else number


@cache
def number_layout(
    decimal_separator: str, thousands_separator: str | None, negative: str, strip: str
) -> NumberLayout:
    separators = SEPARATOR_CHARACTERS.get(thousands_separator or "", "")
    whole = "[0-9]+"
    if separators:
        whole = f"(?:[0-9]{{1,3}}(?:{_one_of(separators)}[0-9]{{3}})+|{whole})"
    exponent = "" if set(strip) & set("eE") else _EXPONENT
    number = f"{whole}(?:{_one_of(decimal_separator)}[0-9]+)?{exponent}"
    left_out = strip + SPACES if strip else ""
    around = f"{_one_of(left_out)}*" if strip else ""
    beyond = "[+-]?" if strip else ""  # two signs are no number when they come together
    patterns = {
        "leading": f"{beyond}{around}[+-]?{number}{around}",
        "trailing": f"{around}{number}[+-]?{around}{beyond}",
        "parentheses": rf"{around}(?:{number}|\({around}{number}{around}\)){around}",
    }
    was = f"{decimal_separator}({separators}){left_out}"
    return NumberLayout(patterns[negative], was, ".-", negative == "trailing")


def _one_of(characters: str) -> str:
    escaped = "".join(f"\\x{ord(c):02x}" if ord(c) < 128 else c for c in characters)
    return f"[{escaped}]"
