"""Numbers as accounting systems write them."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions import types as t
from rowbook.expressions.types import decimal
from rowbook.sources.files.text.value_forms import ISO, NumberText, TextForm

AMOUNT = decimal(18, 2)
GERMAN = TextForm(",", thousands_separator=".")
SWISS = TextForm(thousands_separator="'")
FRENCH = TextForm(",", thousands_separator=" ")
SAP = TextForm(",", thousands_separator=".", negative="trailing")
BRACKETS = TextForm(thousands_separator=",", negative="parentheses")
EUROS = TextForm(",", thousands_separator=".", strip="€$")


@pytest.mark.parametrize(
    ("form", "text", "usual"),
    [
        (GERMAN, "1.234.567,89", "1234567.89"),
        (GERMAN, "1234,56", "1234.56"),
        (GERMAN, "-1.234", "-1234"),
        (GERMAN, "1.23,4", None),
        (GERMAN, "1234.567,8", None),
        (GERMAN, "1.234.56", None),
        (GERMAN, "1,234.5", None),
        (GERMAN, ".234", None),
        (GERMAN, "5-", None),
        (SWISS, "1'234.50", "1234.50"),
        (SWISS, "1’234’567", "1234567"),
        (FRENCH, "1 234\u00a0567\u202f890,5", "1234567890.5"),
        (FRENCH, "12 34", None),
        (FRENCH, " 1 234", None),
        (SAP, "1.234,56-", "-1234.56"),
        (SAP, "1.234,56", "1234.56"),
        (SAP, "-1.234,56", None),
        (SAP, "1.234,56--", None),
        (BRACKETS, "(1,234.56)", "-1234.56"),
        (BRACKETS, "1,234.56", "1234.56"),
        (BRACKETS, "-1,234.56", None),
        (BRACKETS, "(1,234.56", None),
        (BRACKETS, "1,234.56)", None),
        (BRACKETS, "((5))", None),
        (EUROS, "€ 1.234,56", "1234.56"),
        (EUROS, "-1.234,56\u00a0€", "-1234.56"),
        (EUROS, "€ -5", "-5"),
        (EUROS, "-$5", "-5"),
        (EUROS, "£5", None),
        (EUROS, "€", None),
        (TextForm(strip="CHF", negative="parentheses"), "CHF (5.00)", "-5.00"),
        (TextForm(strip="CHF", negative="parentheses"), "(CHF 5.00)", "-5.00"),
        (TextForm(strip="€", negative="trailing"), "5- €", "-5"),
        (TextForm(strip="€", negative="trailing"), "5 €-", "-5"),
        (TextForm(strip=" "), " 5 ", "5"),
        (TextForm(","), "10,5", "10.5"),
        (TextForm(","), "10.5", "10,5"),
    ],
)
def test_a_number_in_a_form_is_one_as_usual(form: TextForm, text: str, usual: str | None) -> None:
    assert form.usual(text, AMOUNT) == usual


def test_integers_have_thousands_and_signs_too() -> None:
    assert SAP.usual("1.234-", t.INTEGER) == "-1234"
    assert TextForm(",").usual("1.234", t.INTEGER) == "1.234"


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_floats_that_are_no_numbers_are_the_same_in_every_form(word: str) -> None:
    assert SAP.usual(word, t.FLOAT) == word
    assert SAP.usual(word, AMOUNT) is None


def test_a_number_of_json_is_in_no_form() -> None:
    assert GERMAN.usual(NumberText("1.234"), AMOUNT) == "1.234"
    assert GERMAN.usual("1.234", AMOUNT) == "1234"


def test_options_change_what_they_name() -> None:
    form = GERMAN.with_options({"negative": "trailing", "date_format": "dd.MM.yyyy"})
    assert form == TextForm(",", "dd.MM.yyyy", thousands_separator=".", negative="trailing")
    assert ISO.with_options({}) is ISO


FORMS = st.builds(
    TextForm,
    decimal_separator=st.sampled_from(".,"),
    thousands_separator=st.sampled_from([None, "'", " "]),
    negative=st.sampled_from(["leading", "trailing", "parentheses"]),
    strip=st.sampled_from(["", "€", "CHF"]),
)


@given(value=st.decimals(min_value=-(10**12), max_value=10**12, places=2), form=FORMS)
def test_a_number_that_is_written_in_a_form_is_read_as_it_was(
    value: Decimal, form: TextForm
) -> None:
    assert Decimal(form.usual(_written(value, form), AMOUNT) or "NaN") == value


def _written(value: Decimal, form: TextForm) -> str:
    whole, fraction = f"{abs(value):.2f}".split(".")
    grouped = re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", form.thousands_separator or "", whole)
    number = f"{grouped}{form.decimal_separator}{fraction}"
    if value < 0:
        signs = {"leading": "-{}", "trailing": "{}-", "parentheses": "({})"}
        number = signs[form.negative].format(number)
    return f"{form.strip} {number}" if form.strip else number
