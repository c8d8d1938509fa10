"""What the entities book in the months of the template `close`."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.starter.company import MONTHS
from tests.starter.reading import LINES


@pytest.mark.parametrize(("month", "following"), [MONTHS[:2], MONTHS[1:]])
def test_accruals_are_reversed_on_the_first_of_the_next_month(month: str, following: str) -> None:
    accrued = sorted(
        (e.entity, e.account_code, e.amount)
        for e in LINES
        if e.month == month and e.kind == "accrual"
    )
    taken_back = sorted(
        (e.entity, e.account_code, -e.amount)
        for e in LINES
        if e.month == following and e.kind == "reversal"
    )
    assert len(accrued) == 24
    assert taken_back == accrued
    assert {e.posted for e in LINES if e.month == following and e.kind == "reversal"} == {
        f"{following}-01"
    }


def test_the_first_month_reverses_what_the_year_before_accrued() -> None:
    texts = [e.text for e in LINES if e.month == "2026-01" and e.kind == "reversal"]
    assert len(texts) == 24
    assert {text.partition(" of ")[2] for text in texts} == {"2025-12 not invoiced yet"}


@pytest.mark.parametrize("month", MONTHS)
def test_every_month_has_drafts_and_zero_lines_to_drop(month: str) -> None:
    lines = [e for e in LINES if e.month == month]
    assert sum(e.status == "draft" for e in lines) == 16
    assert sum(e.amount == 0 for e in lines) == 8


def test_there_are_no_parts_of_a_yen() -> None:
    yen = [e.amount for e in LINES if e.currency == "JPY"]
    assert len(yen) > 400
    assert {amount % 1 for amount in yen} == {Decimal(0)}


def test_each_entity_also_sells_in_another_currency() -> None:
    used = {(e.entity, e.currency) for e in LINES if e.kind == "sales"}
    assert used == {
        *(("US01", "USD"), ("US01", "EUR"), ("DE01", "EUR"), ("DE01", "GBP")),
        *(("GB01", "GBP"), ("GB01", "EUR"), ("JP01", "JPY"), ("JP01", "USD")),
    }
