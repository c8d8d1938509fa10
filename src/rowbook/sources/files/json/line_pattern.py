r"""The usual line of a file of json lines as one regular expression, made from its first rows:

    {"id":"J1","amount":1.50,"text":"x"}  →  ␁J1␁1.50␁x
    {"id":"J2","amount":2}                →  ␁J2␁2␁

What it matches is one flat object, whole, without escapes, with no key twice: such a line needs no
parser, and its values are there as they are written. All other lines go to the parser.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rowbook.sources.files.json.lines import Line

MOST_KEYS = 64
"""Java compares part by part, each inside the one before: patterns must not grow without end."""

SEPARATOR = "\x01"
"""Before each value. It stands in no json but escaped."""

EMPTY = '"'
"""Stands for empty text; nothing stands for NULL. No text without escapes holds a quote."""

_TEXT = r'[^"\\\x00-\x1f]++'
_NUMBER = r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_SHAPES = {
    "text": (rf'"({_TEXT})"', 1),
    "number": (rf"({_NUMBER})", 1),
    "any": (rf'(?:"(?:({_TEXT})|(?=({EMPTY})))"|({_NUMBER}|true|false)|null)', 3),
}
"""A value by what it is in the first rows, and how many groups that takes."""


@dataclass(frozen=True, slots=True)
class LinePattern:
    """`pattern` has to match from the first to the last character; `replacement` is Java's, and
    gives the values in the order of `names`."""

    names: tuple[str, ...]
    pattern: str
    replacement: str


def line_pattern(rows: Sequence[Line]) -> LinePattern | None:
    """None where there are no rows, too many keys, or keys that are written with escapes."""
    sound = [row for row in rows if row.fault is None]
    names = {name for row in sound for name in row.values}
    if not 0 < len(names) <= MOST_KEYS or any(
        json.dumps(n, ensure_ascii=False) != f'"{n}"' for n in names
    ):
        return None
    parts, groups, count = [r"\{"], [], 0
    comma = r"(?:(?<=\{)|(?<!\{), *+)"
    for name in (order := _order(sound)):
        value, taken = _SHAPES[_shape(name, sound)]
        member = rf'{comma}"{_literal(name)}": *+{value}'
        if all(name in row.values for row in sound):
            comma = ", *+"
        else:
            member = f"(?:{member})?+"
        parts.append(member)
        groups.append("".join(f"${count + n}" for n in range(1, taken + 1)))
        count += taken
    replacement = "".join(f"{SEPARATOR}{group}" for group in groups)
    return LinePattern(tuple(order), "".join((*parts, r"\}")), replacement)


def _order(rows: Collection[Line]) -> list[str]:
    """That of the rows with most keys; a key that they lack stands behind the one it follows."""
    order: list[str] = []
    for row in sorted(rows, key=lambda row: -len(row.values)):
        at = 0
        for name in row.values:
            if name not in order[at:]:
                if name in order:
                    continue
                order.insert(at, name)
            at = order.index(name) + 1
    return order


def _shape(name: str, rows: Collection[Line]) -> str:
    rows = [row for row in rows if name in row.values]
    if any(not row.values[name] or name in row.nested for row in rows):
        return "any"
    bare = sum(name in row.bare for row in rows)
    if not bare:
        return "text"
    is_number = all((row.values[name] or "")[0] in "-0123456789" for row in rows)
    return "number" if is_number and bare == len(rows) else "any"


def _literal(name: str) -> str:
    return "".join(f"\\x{ord(c):02x}" if c.isascii() and not c.isalnum() else c for c in name)
