"""Length, depth and list limits: what just fits, what does not, and that both are quick."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rowbook.expressions.binding.binder import bind
from rowbook.expressions.syntax.parser import parse
from rowbook.expressions.syntax.printer import to_text
from tests.expressions.samples import SCOPE, bound, fault_of

TOO_DEEP = "the expression is nested more than 200 deep"

# How each form nests around a leaf, and the leaf. Every form is one level a time, the leaf another.
NESTINGS = [
    pytest.param("(", "lines", ")", id="parentheses"),
    pytest.param("NOT ", "paid", "", id="NOT"),
    pytest.param("-", "lines", "", id="minus"),
    pytest.param("ABS(", "lines", ")", id="calls"),
    pytest.param("COALESCE(days, ", "lines", ")", id="last arguments"),
    pytest.param("IF(", "paid", ", paid, posted)", id="IF"),
    pytest.param("", "lines", " + lines", id="sums"),
    pytest.param("", "lines", " % 7", id="products"),
    pytest.param("CASE WHEN ", "paid", " THEN posted END", id="WHEN"),
    pytest.param("CASE WHEN paid THEN ", "lines", " END", id="THEN"),
    pytest.param("CASE WHEN paid THEN 1 ELSE ", "lines", " END", id="ELSE"),
    pytest.param("AND(paid, OR(posted, ", "paid", "))", id="AND and OR"),
]

PRINTED = {"(": ("", ""), "AND(paid, OR(posted, ": ("paid AND (posted OR ", ")")}
"""How the forms are printed that are not printed as they are written."""


def nested(opening: str, leaf: str, closing: str, levels: int) -> str:
    times = (levels - 1) // (2 if "OR(" in opening else 1)
    return opening * times + leaf + closing * times


@contextmanager
def within_seconds(limit: float) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < limit


@pytest.mark.parametrize(("opening", "leaf", "closing"), NESTINGS)
def test_200_levels_parse_print_and_bind(opening: str, leaf: str, closing: str) -> None:
    text = nested(opening, leaf, closing, 200)
    before, after = PRINTED.get(opening, (opening, closing))
    times = text.count(opening) if opening else 199
    assert to_text(parse(text)) == before * times + leaf + after * times
    bound(text)


@pytest.mark.parametrize(("opening", "leaf", "closing"), NESTINGS)
@pytest.mark.parametrize("levels", [203, 2_000])
def test_more_levels_are_refused(opening: str, leaf: str, closing: str, levels: int) -> None:
    text = nested(opening, leaf, closing, levels)
    fault = fault_of(text)
    assert (fault.code, fault.message) == ("EXPR_008", TOO_DEEP)
    assert 0 <= fault.span.start < fault.span.end <= len(text)


@pytest.mark.parametrize(
    ("opening", "leaf", "closing"),
    [("(", "a", ")"), ("NOT ", "a", ""), ("-", "a", ""), ("ABS(", "a", ")"), ("", "a", " + a")],
)
def test_201_levels_are_one_too_many(opening: str, leaf: str, closing: str) -> None:
    parse(nested(opening, leaf, closing, 200))
    assert fault_of(nested(opening, leaf, closing, 201)).message == TOO_DEEP


@pytest.mark.parametrize(
    "unit", ["(", "NOT ", "-", "a+", "ABS(", "CASE WHEN ", "a IN (", "a AND ("]
)
def test_a_text_of_nothing_but_depth_is_refused_quickly(unit: str) -> None:
    text = (unit * 100_000)[:99_999] + "a"
    with within_seconds(5):
        assert fault_of(text).code in ("EXPR_001", "EXPR_008")


@pytest.mark.parametrize("operator", ["AND", "OR"])
def test_a_chain_of_5_000_terms_is_not_depth(operator: str) -> None:
    text = f" {operator} ".join(f"lines = {i}" for i in range(5_000))
    with within_seconds(5):
        tree = parse(text)
        assert to_text(tree) == text
        assert bind(text, SCOPE).faults == ()


def test_10_000_list_items_pass() -> None:
    items = ",".join("1234567"[: 1 + i % 7] for i in range(10_000))
    with within_seconds(5):
        bound(f"lines IN ({items})")


@pytest.mark.parametrize("opening", ["lines IN (", "COALESCE(", "AND(", "or("])
def test_10_001_list_items_are_refused(opening: str) -> None:
    parse(opening + "1," * 9_999 + "1)")
    fault = fault_of(opening + "1," * 10_000 + "1)")
    assert fault.code == "EXPR_008"
    assert "has more than 10,000 items" in fault.message
    assert fault.span.start == len(opening) + 20_000


def test_a_number_with_thousands_of_leading_zeros_is_that_number() -> None:
    assert parse("0" * 50_000 + "7") == parse("7")


def test_100_000_characters_parse_and_one_more_does_not() -> None:
    text = "'" + "x" * 99_998 + "'"
    bound(text)
    assert fault_of(text + " ").code == "EXPR_008"


@pytest.mark.parametrize(
    "text",
    ["'" + "x" * 99_000, "'" * 99_999, '"' * 99_999, "'" + r"\'" * 49_000, "'" + "''" * 49_000],
    ids=["letters", "quotes", "double quotes", "escaped quotes", "doubled quotes"],
)
def test_a_long_text_that_is_not_closed_is_refused_quickly(text: str) -> None:
    with within_seconds(5):
        fault = fault_of(text)
    assert fault.code == "EXPR_001"
    assert "the text is not closed" in (fault.hint or "")
