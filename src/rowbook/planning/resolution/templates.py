"""Templates of places: `archive/{{table_name}}/{{YYYY}}/{{MM}}.parquet`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rowbook.errors import RowbookError, suggestion
from rowbook.expressions.faults import Fault
from rowbook.expressions.syntax.unbound import Span
from rowbook.periods import Period

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")


def _two(number: int | None) -> str | None:
    return None if number is None else f"{number:02}"


OF_PERIOD: Mapping[str, Callable[[Period], str | None]] = {
    "YYYY": lambda p: f"{p.year:04}",
    "YY": lambda p: f"{p.year % 100:02}",
    "MM": lambda p: _two(p.month),
    "DD": lambda p: _two(p.day),
    "QQ": lambda p: _two(p.quarter),
    "Q": lambda p: None if p.quarter is None else str(p.quarter),
    "WW": lambda p: _two(p.week),
    "identifier": lambda p: p.identifier,
}
PLACEHOLDERS = (*OF_PERIOD, "table_name", "dataset_name")
_OF_YEAR = frozenset({"YYYY", "YY", "identifier"})
_DATA_LEVEL = "set data_level on the rule to the level at which the data is stored"


def template_faults(text: str, known: Sequence[str] = PLACEHOLDERS) -> Iterator[Fault]:
    for found in _PLACEHOLDER.finditer(text):
        name = found[1].strip()
        if name not in known:
            yield Fault(
                "RESOLVER_002",
                f"unknown placeholder '{name}'",
                Span(*found.span()),
                suggestion(name, known, "placeholders"),
            )
    rest = _PLACEHOLDER.sub(lambda m: " " * len(m[0]), text)
    for brace in re.finditer(r"\{\{?|\}\}?", rest):
        message = "a placeholder is written {{name}}"
        yield Fault("RESOLVER_002", message, Span(*brace.span()))


def placeholders(text: str) -> frozenset[str]:
    return frozenset(found[1].strip() for found in _PLACEHOLDER.finditer(text))


def sample(text: str) -> str:
    """As long as it may be at least."""
    return _PLACEHOLDER.sub("0", text)


def is_of_one_period(text: str, period: Period, peers: Iterable[Period]) -> bool:
    """Whether no other period of the level is filled in alike, in this year or another one."""
    own = fill(text, period, {}) in own_places(text, peers, {})
    return own and not _OF_YEAR.isdisjoint(placeholders(text))


def own_places(text: str, periods: Iterable[Period], names: Mapping[str, str]) -> frozenset[str]:
    """The places that the template gives to one of these periods alone: the file of a year is that
    of none of its months."""
    if placeholders(text).isdisjoint(OF_PERIOD):
        return frozenset()
    counts = Counter(place for each in periods if (place := _filled(text, each, names)))
    return frozenset(place for place, count in counts.items() if count == 1)


def _filled(text: str, period: Period, names: Mapping[str, str]) -> str | None:
    try:
        return fill(text, period, names)
    except RowbookError:
        return None


def fill(text: str, period: Period, names: Mapping[str, str], hint: str = _DATA_LEVEL) -> str:
    """The template for a period (RESOLVER_004 where the period has no such part)."""

    def value(found: re.Match[str]) -> str:
        name = found[1].strip()
        if name in names:
            return names[name]
        part = OF_PERIOD[name](period)
        if part is None:
            raise RowbookError.of(
                "RESOLVER_004",
                f"{{{{{name}}}}} has no value for {period.identifier}, a {period.level}",
                hint=hint,
            )
        return part

    return _PLACEHOLDER.sub(value, text)
