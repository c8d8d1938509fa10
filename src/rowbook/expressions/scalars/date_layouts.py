"""Formats of dates and timestamps: where a text has its year, month and day."""

from __future__ import annotations

import re
from functools import cache

from rowbook.value_class import dataclass

_GROUPS = {
    "yyyy": "([0-9]{4})",
    "MM": "([0-9]{2})",
    "dd": "([0-9]{2})",
    "HH": "([0-9]{2})",
    "mm": "([0-9]{2})",
    "ss": "([0-9]{2})",
    "XXX": "(Z|[+-][0-9]{2}:[0-9]{2})",
}
_TOKEN = re.compile(r"yyyy|MM|dd|HH|mm|ss|S{1,6}|XXX|'([^']+)'|([^A-Za-z'\[\]{}#])")
_NEEDED = ("yyyy", "MM", "dd")
_ISO_ORDER = (
    ("", "yyyy"), ("-", "MM"), ("-", "dd"), ("T", "HH"), (":", "mm"), (":", "ss"), (".", "S"),
    ("", "XXX"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layout:
    """A date or timestamp format: an expression that a whole text matches, in the part of the
    language that Java and Python share, and the ISO text as literals before numbered groups."""

    pattern: str
    parts: tuple[tuple[str, int], ...]

    @property
    def replacement(self) -> str:
        """The ISO text as Java's replacement."""
        return "".join(f"{before}${group}" for before, group in self.parts)

    def iso(self, text: str) -> str | None:
        found = re.fullmatch(self.pattern, text)
        return "".join(before + found[n] for before, n in self.parts) if found else None


@cache
def layout_of(form: str, *, with_time: bool) -> Layout | None:
    """The layout of yyyy MM dd and, `with_time`, HH mm ss, S… (a fraction) and XXX (Z or an
    offset), once each, with punctuation and 'quoted' text between; None where it is none."""
    pattern: list[str] = []
    groups: dict[str, int] = {}
    end = 0
    for token in _TOKEN.finditer(form):
        if token.start() != end:
            return None
        end = token.end()
        literal = token[1] or token[2]
        if literal is not None:
            pattern.append("".join(f"\\x{ord(c):02x}" if ord(c) < 128 else c for c in literal))
            continue
        name = "S" if token[0].startswith("S") else token[0]
        if name in groups:
            return None
        groups[name] = len(groups) + 1
        pattern.append(_GROUPS.get(name, f"([0-9]{{{len(token[0])}}})"))
    if end != len(form) or not _is_complete(groups, with_time=with_time):
        return None
    parts = tuple((before, groups[name]) for before, name in _ISO_ORDER if name in groups)
    return Layout("".join(pattern), parts)


def _is_complete(groups: dict[str, int], *, with_time: bool) -> bool:
    """Nothing without what it is part of: a fraction needs seconds, seconds need minutes."""
    if not groups.keys() >= set(_NEEDED):
        return False
    if not with_time:
        return len(groups) == len(_NEEDED)
    needs = (("mm", "HH"), ("HH", "mm"), ("ss", "mm"), ("S", "ss"), ("XXX", "mm"))
    return all(needed in groups for part, needed in needs if part in groups)
