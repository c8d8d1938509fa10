"""The types of columns of texts, and the forms that their values are written in: decided over all
values, with the evidence. Numbers and dates of one source are usually written in one form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rowbook.expressions import types as t
from rowbook.expressions.types import Type
from rowbook.inference.columns.column_choice import ColumnChoice, counted
from rowbook.inference.columns.value_shapes import SampleValue, TextProfile
from rowbook.locations.text_options import FORMAT_OPTIONS
from rowbook.sources.files.text.form_guesses import (
    date_formats,
    number_forms,
    timestamp_formats,
)
from rowbook.sources.files.text.plain_text import fits
from rowbook.sources.files.text.value_forms import ISO, TextForm
from rowbook.value_class import dataclass

_FEW = 0.05
"""Of all values: so many that are no numbers, or no dates, are likely to be mistakes."""
_NO_VALUES = frozenset({"-", "--", "null", "n/a", "na", "#n/a", "none", ".", "?"})
_ROOM = 18
_LEAST_SCALE = 2
_ISO_DATE = "yyyy-MM-dd"
_PACKED_DATES = ("ddMMyyyy", "MMddyyyy")
"""Eight figures that may well be something else."""


@dataclass(frozen=True, slots=True)
class TextTypes:
    """The form of the source, why it is that, and each column's type."""

    form: TextForm
    form_notes: Mapping[str, str]
    columns: tuple[ColumnChoice, ...]


def choose_types(columns: Sequence[TextProfile], names: Sequence[str]) -> TextTypes:
    """`names` are the columns' headers, which may say that something is a date."""
    dates = [_dates(column, name) for column, name in zip(columns, names, strict=True)]
    numbers = [
        () if found else _number_texts(column) for column, found in zip(columns, dates, strict=True)
    ]
    numeric, is_sure = _common_form([each for each in numbers if each])
    day, instant = _common_format(dates, "date_format"), _common_format(dates, "timestamp_format")
    form = replace(
        numeric,
        date_format=None if day == _ISO_DATE else day,
        timestamp_format=instant or None,
    )
    notes = _notes(form, [each for each in numbers if each], is_sure=is_sure)
    choices = []
    for column, found, texts in zip(columns, dates, numbers, strict=True):
        if found:
            choices.append(_date_choice(column, found, form))
        elif texts:
            choices.append(_number_choice(column, texts, form))
        else:
            choices.append(_word_choice(column, form))
    return TextTypes(form, notes, tuple(choices))


@dataclass(frozen=True, slots=True)
class _Dates:
    """The formats in which all texts are dates, or instants; '' is ISO, which has several."""

    option: str
    formats: tuple[str, ...]


def _dates(column: TextProfile, name: str) -> _Dates | None:
    total = sum(sample.count for sample in column.distinct.values())
    if not column.texts or not column.has_all or total < column.texts or column.is_varied:
        return None
    texts = tuple(column.distinct)
    days = date_formats(texts)
    if not any("dat" in name.lower() or each not in _PACKED_DATES for each in days):
        days = ()
    days = tuple(each for each in days if each not in _PACKED_DATES) or days
    if days:
        return _Dates("date_format", days)
    found = tuple(form for form in timestamp_formats(texts) if "HH" in form)
    if all(map(fits(t.TIMESTAMP, ISO), texts)):
        found = ("", *found)
    return _Dates("timestamp_format", found) if found else None


def _common_format(dates: Sequence[_Dates | None], option: str) -> str | None:
    """The one that most columns may be written in, those that leave no choice first."""
    found = [each for each in dates if each and each.option == option]
    sure = Counter(each.formats[0] for each in found if len(each.formats) == 1)
    every = Counter(form for each in found for form in each.formats)
    return max(every, key=lambda form: (every[form], sure[form]), default=None)


def _date_choice(column: TextProfile, found: _Dates, form: TextForm) -> ColumnChoice:
    kind = t.DATE if found.option == "date_format" else t.TIMESTAMP
    usual = getattr(form, found.option) or (_ISO_DATE if kind == t.DATE else "")
    chosen = usual if usual in found.formats else max(found.formats, key=bool)
    options = {} if chosen == usual else {found.option: chosen}
    written = f", {chosen}" if chosen else ""
    note = f"{counted(kind, column.texts, column)}{written}"
    others = [each for each in found.formats if each and each[0] != chosen[:1]]
    if chosen and others:
        note += f"; it may be {' or '.join(others)}, no day is above 12"
    return ColumnChoice(kind, note, column.rows, column.nulls, column.empty, options)


def _number_texts(column: TextProfile) -> tuple[str, ...]:
    """One text of each shape, where all of them are numbers in one form; none where not."""
    if not column.texts or column.is_varied:
        return ()
    texts = tuple(sample.text for sample in column.samples)
    return texts if number_forms(texts) else ()


def _common_form(columns: Sequence[Sequence[str]]) -> tuple[TextForm, bool]:
    """The form in which all columns are numbers, or as many as can be, those with most shapes
    first; and whether no other would do."""
    kept: list[str] = []
    for texts in sorted(columns, key=len, reverse=True):
        if number_forms([*kept, *texts]):
            kept += texts
    forms = number_forms(kept)
    return (forms[0] if forms else ISO), len(forms) <= 1


def _number_choice(column: TextProfile, texts: Sequence[str], form: TextForm) -> ColumnChoice:
    own = form if all(map(fits(t.FLOAT, form), texts)) else _own_form(texts, form)
    options = {
        name: getattr(own, name)
        for name in FORMAT_OPTIONS
        if getattr(own, name) != getattr(form, name)
    }
    kind, why = _number_type([own.usual(text, t.FLOAT) or "" for text in texts], column)
    if kind == t.STRING:
        options = {}
    note = counted(kind, column.texts, column) + (f"; {why}" if why else "")
    return ColumnChoice(kind, note, column.rows, column.nulls, column.empty, options)


def _own_form(texts: Sequence[str], form: TextForm) -> TextForm:
    """Of a column that is not written as the others are: the nearest that an option can say."""
    forms = number_forms(texts, current=form)
    return next((each for each in forms if each.thousands_separator), forms[0])


def _number_type(plain: Sequence[str], column: TextProfile) -> tuple[Type, str | None]:
    """Of numbers as they are written by default, one for each shape; and what is to be said."""
    if any("e" in text.lower() for text in plain):
        return t.FLOAT, "some have an exponent"
    parts = [text.lstrip("+-").partition(".") for text in plain]
    whole = max(len(before) for before, _, _ in parts)
    scale = max(len(after) for _, _, after in parts)
    if scale == 0:
        if (led := column.zero_led) is not None:
            return t.STRING, f"{led.text} at {led.place} begins with 0, which a number would lose"
        if whole > _ROOM:
            return t.STRING, f"up to {whole} figures are more than an integer holds"
        return t.INTEGER, None
    scale = max(scale, _LEAST_SCALE)
    if whole + scale > t.MAX_PRECISION:
        return t.STRING, f"{whole + scale} figures are more than a decimal holds"
    return t.decimal(max(_ROOM, whole + scale), scale), None


def _word_choice(column: TextProfile, form: TextForm) -> ColumnChoice:
    """Neither dates nor numbers, all of them at least."""
    words = {text.lower() for text in column.distinct}
    total = sum(sample.count for sample in column.distinct.values())
    if column.texts and column.has_all and total == column.texts and words <= {"true", "false"}:
        note = counted(t.BOOLEAN, column.texts, column)
        return ColumnChoice(t.BOOLEAN, note, column.rows, column.nulls, column.empty)
    if not column.texts:
        note = f"string: no value in {column.rows:,} rows"
    else:
        note = counted(t.STRING, column.texts, column) + _mistakes(column, form)
    return ColumnChoice(t.STRING, note, column.rows, column.nulls, column.empty)


def _mistakes(column: TextProfile, form: TextForm) -> str:
    """Where nearly all are numbers, or dates: those that are not."""
    if column.is_varied:
        return ""
    for what, wrong in (("numbers", _no_numbers(column)), ("dates", _no_dates(column))):
        count = sum(sample.count for sample in wrong)
        is_none = len(wrong) == 1 and wrong[0].text.lower() in _NO_VALUES
        most = column.texts / 2 if is_none else max(1, _FEW * column.texts)
        if wrong and count <= most and count < column.texts:
            first = wrong[0]
            none = f'; option null_text: "{first.text}" takes it for no value' if is_none else ""
            return f"; all but {count:,} are {what}: '{first.text}' at {first.place} is not{none}"
    return ""


def _no_numbers(column: TextProfile) -> list[SampleValue]:
    wrong = [sample for sample in column.samples if not number_forms([sample.text])]
    right = [sample.text for sample in column.samples if sample not in wrong]
    return wrong if right and number_forms(right) else []


def _no_dates(column: TextProfile) -> list[SampleValue]:
    """In the format of most of them; texts of other shapes are no dates at all."""
    known = sorted(column.distinct.values(), key=lambda sample: -sample.count)
    for form in date_formats([known[0].text]) if known and column.has_all else ():
        is_date = fits(t.DATE, TextForm(date_format=form))
        seen = {*column.distinct}
        wrong = [sample for sample in known if not is_date(sample.text)]
        wrong += [sample for sample in column.samples if sample.text not in seen]
        if wrong and sum(sample.count for sample in wrong) <= column.texts / 2:
            return wrong
    return []


def _notes(form: TextForm, columns: Sequence[Sequence[str]], *, is_sure: bool) -> dict[str, str]:
    """For each option of numbers that is not the usual one, a number that shows it."""
    notes: dict[str, str] = {}
    texts = sorted((text for each in columns for text in each), key=len, reverse=True)
    for name in ("decimal_separator", "thousands_separator", "negative", "strip"):
        if getattr(form, name) != getattr(ISO, name):
            usual = replace(form, **{name: getattr(ISO, name)})
            shown = (text for text in texts if not fits(t.FLOAT, usual)(text))
            doubt = "" if is_sure else "; numbers here could also be read otherwise"
            notes[name] = f"{next(shown, texts[0])}{doubt}"
    return notes
