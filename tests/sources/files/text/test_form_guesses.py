"""What texts look like that are no values as they are to be written."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.types import Type, parse_type
from rowbook.sources.files.text.form_guesses import (
    date_formats,
    form_hint,
    guess_date_format,
    guess_number_form,
    guess_timestamp_format,
    number_forms,
)
from rowbook.sources.files.text.value_forms import ISO, TextForm

GERMAN = TextForm(",", thousands_separator=".")


def kind_of(text: str) -> Type:
    kind = parse_type(text)
    assert kind is not None
    return kind


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["1918.18", "-7"], ISO),
        (["1.918,18"], GERMAN),
        (["1.234.567", "8"], GERMAN),
        (["1,918.18"], TextForm(thousands_separator=",")),
        (["1918,18"], TextForm(",")),
        (["1,234", "5,6"], TextForm(",")),
        (["1'234.50"], TextForm(thousands_separator="'")),
        (["1’234"], TextForm(thousands_separator="'")),
        (["1 234,5", "1\u202f234,5"], TextForm(",", thousands_separator=" ")),
        (["5-", "6"], TextForm(negative="trailing")),
        (["(5)", "6"], TextForm(negative="parentheses")),
        (["€ 5", "5 $"], TextForm(strip="€$")),
        (["CHF 5"], TextForm(strip="CHF")),
        ([" 5"], TextForm(strip=" ")),
        (
            ["€ 1.234,56-", "7,5"],
            TextForm(",", thousands_separator=".", negative="trailing", strip="€"),
        ),
        (["1,234"], None),
        (["1.23,4"], None),
        (["1,5", "1.5"], None),
        (["n/a", "1,5"], None),
        ([], None),
    ],
)
def test_the_form_of_numbers_is_the_one_that_all_texts_are_numbers_in(
    texts: list[str], form: TextForm | None
) -> None:
    assert guess_number_form(texts) == form


def test_three_digits_behind_a_comma_may_be_decimals_or_thousands() -> None:
    either = (TextForm(thousands_separator=","), TextForm(","))
    assert number_forms(["1,234"]) == either
    assert number_forms(["1,234"], kind_of("decimal(18,2)")) == either[:1]
    assert number_forms(["1,234"], t.INTEGER) == either[:1]


def test_a_form_differs_from_the_current_one_only_where_it_must() -> None:
    current = TextForm(",", thousands_separator=".", strip="€")
    assert number_forms(["5-"], t.FLOAT, current) == (
        TextForm(",", thousands_separator=".", strip="€", negative="trailing"),
    )
    assert number_forms(["$5"], t.FLOAT, current) == (
        TextForm(",", thousands_separator=".", strip="€$"),
    )


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["2026-01-31"], "yyyy-MM-dd"),
        (["31.01.2026", "01.02.2026"], "dd.MM.yyyy"),
        (["02/13/2026", "01/02/2026"], "MM/dd/yyyy"),
        (["13/02/2026"], "dd/MM/yyyy"),
        (["20260131"], "yyyyMMdd"),
        (["31012026"], "ddMMyyyy"),
        (["02/03/2026"], None),
        (["13/02/2026", "02/13/2026"], None),
        (["31.02.2026"], None),
        (["1.1.2026"], None),
        (["00010203"], None),
        ([], None),
    ],
)
def test_the_format_of_dates_is_the_one_that_all_texts_are_dates_in(
    texts: list[str], form: str | None
) -> None:
    assert guess_date_format(texts) == form


def test_a_day_may_be_a_month() -> None:
    assert date_formats(["02/03/2026"]) == ("dd/MM/yyyy", "MM/dd/yyyy")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("31.01.2026 10:05", "dd.MM.yyyy HH:mm"),
        ("31.01.2026 10:05:07+02:00", "dd.MM.yyyy HH:mm:ssXXX"),
        ("20260131100507", "yyyyMMddHHmmss"),
        ("2026/01/31T10:05:07.250", "yyyy/MM/dd'T'HH:mm:ss.SSS"),
        ("10:05", None),
    ],
)
def test_a_timestamp_is_a_date_and_a_time(text: str, form: str | None) -> None:
    assert guess_timestamp_format([text]) == form


@pytest.mark.parametrize(
    ("text", "kind", "current", "looks_like"),
    [
        (
            "1.918,18",
            "decimal(18,2)",
            ISO,
            "1.918,18 looks like decimal_separator ',' and thousands_separator '.'",
        ),
        ("1'234", "integer", ISO, "1'234 looks like thousands_separator \"'\""),
        ("1.234,56-", "float", GERMAN, "1.234,56- looks like negative trailing"),
        ("(5)", "integer", ISO, "(5) looks like negative parentheses"),
        ("€5", "integer", ISO, "€5 looks like strip '€'"),
        (
            "1,234",
            "float",
            ISO,
            "1,234 looks like thousands_separator ',' or decimal_separator ','",
        ),
        ("31.01.2026", "date", ISO, "31.01.2026 looks like date_format dd.MM.yyyy"),
        (
            "02/13/2026",
            "date",
            TextForm(date_format="dd/MM/yyyy"),
            "02/13/2026 looks like date_format MM/dd/yyyy",
        ),
        (
            "31.01.2026 10:05",
            "timestamp",
            ISO,
            "31.01.2026 10:05 looks like timestamp_format dd.MM.yyyy HH:mm",
        ),
    ],
)
def test_a_hint_names_the_options_that_differ(
    text: str, kind: str, current: TextForm, looks_like: str
) -> None:
    where = "say so in the options of the data source, or in the column's `format`"
    assert form_hint([text], kind_of(kind), current) == f"{looks_like}; {where}"


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["n/a"], "float"),
        (["n/a"], "date"),
        (["yes"], "boolean"),
        (["9" * 40], "integer"),
        ([], "date"),
    ],
)
def test_what_looks_like_nothing_has_no_hint(texts: list[str], kind: str) -> None:
    assert form_hint(texts, kind_of(kind), ISO) is None


def test_a_hint_shows_the_text_that_shows_most() -> None:
    hint = form_hint(["1,5", "1.918,18", "2,5"], t.FLOAT, ISO)
    assert hint is not None
    assert hint.startswith("1.918,18 looks like")
