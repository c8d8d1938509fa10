"""What the entities book in the months of the template `close`."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from rowbook.starter.bookings import accruals, bookings, first_day, last_day
from rowbook.starter.company import ENTITIES, MONTHS, LegalEntity
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


@pytest.mark.parametrize(
    ("month", "first", "last"),
    [
        ("2026-02", date(2026, 2, 1), date(2026, 2, 28)),
        ("2024-02", *(date(2024, 2, d) for d in (1, 29))),
    ],
)
def test_a_month_has_a_first_and_a_last_day(month: str, first: date, last: date) -> None:
    assert (first_day(month), last_day(month)) == (first, last)


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: entity.code)
def test_each_journal_of_an_entity_balances_in_its_month(entity: LegalEntity) -> None:
    journals = list(bookings(entity, "2026-02", seed=7))
    assert {sum(p.amount for p in each.postings) for each in journals} == {0}
    assert {(each.entity, each.posted.isoformat()[:7]) for each in journals} == {
        (entity.code, "2026-02")
    }
    kinds = {each.kind for each in journals}
    assert kinds == {
        *("sales", "receipt", "purchase", "payment", "goods", "payroll", "depreciation"),
        *("accrual", "reversal", "manual"),
    }


def test_only_exports_are_in_another_currency_and_without_tax() -> None:
    germany = ENTITIES[1]
    for each in bookings(germany, "2026-01", seed=3):
        if each.kind == "sales":
            tax = sum(p.amount for p in each.postings if p.account_code == "2300")
            assert (each.currency == "GBP") == (tax == 0)


def test_a_payment_takes_back_what_an_invoice_left_due_two_weeks_later() -> None:
    journals = list(bookings(ENTITIES[0], "2026-03", seed=1))
    paid = [each for each in journals if each.kind == "receipt"]
    invoices = {f"Paid: {each.text}": each for each in journals if each.kind == "sales"}
    assert paid
    for each in paid:
        assert each.text in invoices
        assert each.posted <= date(2026, 3, 24)
        assert {p.account_code for p in each.postings} == {"1000", "1200"}


def test_accruals_are_the_same_however_often_they_are_asked_for() -> None:
    once, again = (list(accruals(ENTITIES[2], "2026-01", seed=5)) for _ in range(2))
    assert once == again
    assert len(once) == 3
    assert {each.posted for each in once} == {date(2026, 1, 31)}
