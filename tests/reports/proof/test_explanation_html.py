"""The page of an explanation."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from rowbook.proof.explanation import Explanation, FormulaPart
from rowbook.reports.proof.explanation_html import explanation_page
from tests.reports.page_checks import check_hostile, check_page, elements_in, in_order
from tests.reports.proof.proof_samples import EXPLAINED, HOSTILE_FIGURE, RUN

QUOTIENT = replace(
    EXPLAINED,
    parts=(FormulaPart("SUM(amount)", Decimal("70.00"), EXPLAINED.contributions),),
    warnings=("the formula is no sum of shares",),
)
FROM_BEFORE = replace(EXPLAINED, earlier=(replace(EXPLAINED, run_id="earlier"),))
NOTHING = replace(EXPLAINED, figure=None, total=None, contributions=(), largest=(), more_rows=0)
CHANGED = replace(EXPLAINED, inputs="changed", replayed="no")


def texts_of(found: Explanation) -> list[str]:
    return elements_in(explanation_page(found)).texts


@pytest.mark.parametrize(
    "found", [EXPLAINED, QUOTIENT, FROM_BEFORE, NOTHING, CHANGED, HOSTILE_FIGURE]
)
def test_a_page_needs_nothing_and_every_class_has_its_style(found: Explanation) -> None:
    check_page(explanation_page(found))


def test_hostile_texts_stay_texts() -> None:
    usual = explanation_page(replace(QUOTIENT, ties=False))
    check_hostile(explanation_page(HOSTILE_FIGURE), usual)


def test_it_tells_the_figure_its_formula_and_the_run() -> None:
    texts = texts_of(EXPLAINED)
    assert in_order(texts, "amount", "70.00", "adds up to the figure, replayed: equal")
    assert in_order(texts, "Project", "close v7", "Period", "2026-01", "Run", RUN)
    assert in_order(texts, "Inputs", "as the run read them")
    assert "= SUM(amount) of 3 rows by 30 'Totals'" in texts


def test_lines_stand_with_what_they_add_up_to() -> None:
    texts = texts_of(EXPLAINED)
    assert in_order(texts, "100.00", "gl", "entity", "DE01", "2", "20, 30", "−30.01", "gl")
    assert in_order(texts, "0.01", "rounding", "70.00", "together")


def test_rows_are_named_by_file_and_line() -> None:
    texts = texts_of(EXPLAINED)
    assert "1 row, and 2 more rows; each by file and line, or table and key" in texts
    assert in_order(texts, "90.00", "data/gl.csv:2", "id", "1")
    assert in_order(texts, "rates", "data/fx.csv:3", "code", "EUR", "2")


def test_what_does_not_add_up_is_said_with_both_numbers() -> None:
    texts = texts_of(replace(EXPLAINED, figure=Decimal("71.00"), ties=False, replayed="differs"))
    assert "DOES NOT ADD UP to the figure, replayed: DIFFERS" in texts
    assert "The lines add up to 70.00, the figure is 71.00." in texts
    assert "in Python: DIFFERS from what was published" in texts


def test_data_that_was_changed_is_said_at_every_heading() -> None:
    page = explanation_page(CHANGED)
    headings = re.findall(r"<h[12]>(.*?)</h[12]>", page)
    assert len(headings) == 5
    assert all(text.endswith("(as the data is now)") for text in headings)
    assert "changed since: this is told of the data as it is now" in texts_of(CHANGED)


def test_a_figure_of_no_rows_is_explained_too() -> None:
    texts = texts_of(NOTHING)
    assert "NULL" in texts
    assert "Of no rows; adds up to the figure, replayed: equal." in texts
    assert in_order(texts, "7", "rows looked at")


def test_parts_of_a_quotient_have_lines_of_their_own() -> None:
    assert "Part SUM(amount) = 70.00" in texts_of(QUOTIENT)


def test_the_seal_of_the_run_stands_at_the_foot() -> None:
    foot = elements_in(explanation_page(QUOTIENT, "16:e751f45230947a3c")).texts[-1]
    assert "Seal 16:e751f45230947a3c: `rowbook seals verify --head 16:e751f45230947a3c`" in foot
