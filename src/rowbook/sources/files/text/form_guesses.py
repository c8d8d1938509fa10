"""What a form may be, told from texts: `1.918,18` looks like decimal_separator ',' and
thousands_separator '.'. Nothing is read by a guess; it is said or proposed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

from rowbook.expressions import types as t
from rowbook.expressions.literals import parse_timestamp
from rowbook.expressions.scalars.date_layouts import layout_of
from rowbook.expressions.types import Kind, Type
from rowbook.locations.text_options import FORMAT_OPTIONS, NEGATIVES, SPACES
from rowbook.sources.files.text.plain_text import fits
from rowbook.sources.files.text.value_forms import ISO, NUMBERS, TextForm

_T = TypeVar("_T")

_THOUSANDS = (None, ".", ",", "'", " ")
_CURRENCY_CODE = re.compile(r"^[A-Z]{3}(?![A-Z])|(?<![A-Z])[A-Z]{3}$")

_DATE_FORMATS = (
    "yyyy-MM-dd",
    "dd.MM.yyyy",
    *("dd/MM/yyyy", "MM/dd/yyyy"),
    *("dd-MM-yyyy", "MM-dd-yyyy"),
    *("yyyyMMdd", "ddMMyyyy", "MMddyyyy"),
    *("yyyy/MM/dd", "yyyy.MM.dd"),
)
_TIMES = (
    *("", " HH:mm", " HH:mm:ss", " HH:mm:ss.SSS", " HH:mm:ss.SSSSSS"),
    *("'T'HH:mm", "'T'HH:mm:ss", "'T'HH:mm:ss.SSS", "'T'HH:mm:ss.SSSSSS"),
    *(" HHmmss", "HHmmss"),
)
_ZONES = ("", "XXX", " XXX")
_YEARS = range(1800, 2201)
"""What a year in accounts may be: eight digits are dates in one order at most."""

_MOST_ALTERNATIVES = 2
_WHERE = "say so in the options of the data source, or in the column's `format`"


def number_forms(
    texts: Sequence[str], kind: Type = t.FLOAT, current: TextForm = ISO
) -> tuple[TextForm, ...]:
    """The forms in which all texts are numbers of a type, of these the ones that differ least from
    the current one. There are two where nothing decides: `1,234` may be decimals or thousands."""
    found: dict[int, list[TextForm]] = {}
    for form in _candidates(texts, current):
        differing = len(_differing(form, current))
        if differing <= min(found, default=differing) and all(map(fits(kind, form), texts)):
            found.setdefault(differing, []).append(form)
    return tuple(found[min(found)]) if found and texts else ()


def guess_number_form(texts: Sequence[str], kind: Type = t.FLOAT) -> TextForm | None:
    """The form of numbers; None where texts are no numbers, or may be in more than one form."""
    return _only(number_forms(texts, kind))


def date_formats(texts: Sequence[str]) -> tuple[str, ...]:
    """The formats in which all texts are dates: `02/03/2026` is one with either first."""
    return _formats(texts, _DATE_FORMATS, with_time=False)


def guess_date_format(texts: Sequence[str]) -> str | None:
    """None where texts are no dates, or may be in more than one format."""
    return _only(date_formats(texts))


def timestamp_formats(texts: Sequence[str]) -> tuple[str, ...]:
    forms = ("".join(parts) for parts in product(_DATE_FORMATS, _TIMES, _ZONES))
    return _formats(texts, forms, with_time=True)


def guess_timestamp_format(texts: Sequence[str]) -> str | None:
    return _only(timestamp_formats(texts))


def form_hint(texts: Sequence[str], kind: Type, current: TextForm) -> str | None:
    """What texts that are no values of a type look like, where one guess fits all of them."""
    looks = [_words(form, current) for form in _guesses(texts, kind, current)]
    if not 0 < len(looks) <= _MOST_ALTERNATIVES:
        return None
    return f"{max(texts, key=len)} looks like {' or '.join(looks)}; {_WHERE}"


def _guesses(texts: Sequence[str], kind: Type, current: TextForm) -> Iterable[TextForm]:
    if kind.kind in NUMBERS:
        return number_forms(texts, kind, current)
    if kind.kind is Kind.DATE:
        return (replace(current, date_format=form) for form in date_formats(texts))
    if kind.kind is Kind.TIMESTAMP:
        return (replace(current, timestamp_format=form) for form in timestamp_formats(texts))
    return ()


def _candidates(texts: Sequence[str], current: TextForm) -> Iterator[TextForm]:
    """The current form first."""
    strips = dict.fromkeys((current.strip, _signs(texts, current.strip)))
    for decimal, thousands, negative, strip in product(".,", _THOUSANDS, NEGATIVES, strips):
        if decimal != thousands:
            yield replace(
                current,
                decimal_separator=decimal,
                thousands_separator=thousands,
                negative=negative,
                strip=strip,
            )


def _signs(texts: Sequence[str], known: str) -> str:
    """Signs of currencies around numbers, by themselves or as three letters; spaces, where there
    is nothing else."""
    signs = dict.fromkeys(known)
    for text in texts:
        signs |= dict.fromkeys(c for c in text if unicodedata.category(c) == "Sc")
        for code in _CURRENCY_CODE.findall(text.strip(SPACES)):
            signs |= dict.fromkeys(code)
    if not signs and any(text != text.strip(SPACES) for text in texts):
        return " "
    return "".join(signs)


def _formats(texts: Sequence[str], among: Iterable[str], *, with_time: bool) -> tuple[str, ...]:
    return tuple(form for form in among if texts and all(map(_is_in(form, with_time), texts)))


def _is_in(form: str, with_time: bool) -> Callable[[str], bool]:
    layout = layout_of(form, with_time=with_time)

    def is_in(text: str) -> bool:
        iso = layout.iso(text) if layout else None
        moment = parse_timestamp(iso) if iso else None
        return moment is not None and moment.year in _YEARS

    return is_in


def _words(form: TextForm, current: TextForm) -> str:
    return " and ".join(
        f"{name} {_shown(value)}" for name, value in _differing(form, current).items()
    )


def _shown(value: str) -> str:
    """A sign in quotes, a word as it is."""
    if len(value) > 1:
        return value
    return f'"{value}"' if value == "'" else f"'{value}'"


def _differing(form: TextForm, current: TextForm) -> dict[str, str]:
    both = ((name, getattr(form, name), getattr(current, name)) for name in FORMAT_OPTIONS)
    return {name: new or "" for name, new, old in both if new != old}


def _only(found: Sequence[_T]) -> _T | None:
    return found[0] if len(found) == 1 else None
