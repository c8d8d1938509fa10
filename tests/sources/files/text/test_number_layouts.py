"""Numbers as accounting systems write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.sources.files.text.number_layouts import NumberLayout, number_layout

GERMAN = number_layout(",", ".", "trailing", "")
SWISS = number_layout(".", "'", "leading", "")
IN_PARENTHESES = number_layout(".", ",", "parentheses", "$")
EURO = number_layout(",", " ", "leading", "€")
PLAIN = number_layout(".", None, "leading", "")


@pytest.mark.parametrize(
    ("layout", "text", "number"),
    [
        (PLAIN, "0", "0"),
        (PLAIN, "-0.00", "0"),
        (PLAIN, "+12.50", "12.5"),
        (PLAIN, "1E3", "1000"),
        (GERMAN, "1.234,56-", "-1234.56"),
        (GERMAN, "1234,56", "1234.56"),
        (GERMAN, "1.234.567", "1234567"),
        (GERMAN, "7+", "7"),
        (SWISS, "-1'234.50", "-1234.50"),
        (SWISS, "1\u2019234", "1234"),
        (IN_PARENTHESES, "(1,234.50)", "-1234.50"),
        (IN_PARENTHESES, "$ 1,234.50", "1234.50"),
        (IN_PARENTHESES, "($1)", "-1"),
        (EURO, "€ 1\u00a0234,56", "1234.56"),
        (EURO, "-€ 5", "-5"),
        (EURO, "5,00 €", "5"),
    ],
)
def test_a_number_in_its_layout_has_one_value(layout: NumberLayout, text: str, number: str) -> None:
    found = layout.plain(text)
    assert found is not None
    assert Decimal(found) == Decimal(number)


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (PLAIN, ""),
        (PLAIN, "-"),
        (PLAIN, "1,000"),
        (PLAIN, ".5"),
        (PLAIN, "5."),
        (PLAIN, "12-"),
        (PLAIN, "\u0661"),
        (PLAIN, "1\n"),
        (GERMAN, "1234.56"),
        (GERMAN, "1.23,4"),
        (GERMAN, "12.34"),
        (GERMAN, "1.234.56,0"),
        (GERMAN, "-5"),
        (SWISS, "1'23"),
        (IN_PARENTHESES, "(5"),
        (IN_PARENTHESES, "5)"),
        (IN_PARENTHESES, "-5"),
        (IN_PARENTHESES, "(-5)"),
        (IN_PARENTHESES, "$"),
        (EURO, "£ 5"),
    ],
)
def test_what_is_not_in_the_layout_is_no_number(layout: NumberLayout, text: str) -> None:
    assert layout.plain(text) is None


def test_letters_of_exponents_that_are_stripped_are_signs_around_a_number() -> None:
    euros = number_layout(".", None, "leading", "EUR")
    assert euros.plain("EUR 5") == "5"
    assert euros.plain("1E3") is None


def test_two_signs_come_together_so_that_they_are_no_number() -> None:
    assert EURO.plain("-€-5") == "--5"
