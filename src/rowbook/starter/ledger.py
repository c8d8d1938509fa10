"""The figures of the template `close`: a ledger, and the budget that it is compared with."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from rowbook.starter.bookings import bookings, last_day
from rowbook.starter.chance import Chance
from rowbook.starter.company import CHARGES, ENTITIES, PLAN, money, planned_usd
from rowbook.starter.journals import JournalEntry, Posting, as_csv, decimal_text

SEED = 2026
_RECEIVABLE, _PAYABLE, _REVENUE, _COST = "1900", "2900", "4900", "6900"
_BUDGET_COLUMNS = ("version", "entity", "account_code", "cost_center", "plan_item", "amount_usd")
_PLAN_ITEMS = (("base", 85), ("initiatives", 15))


def ledger_csv(month: str, seed: int = SEED) -> str:
    """Each journal balances in its currency; what one entity charges another, the other one books
    as well; accruals of the month before are reversed."""
    journals = [each for entity in ENTITIES for each in bookings(entity, month, seed)]
    return as_csv(month, [*journals, *_intercompany(month, seed)])


def budget_csv(month: str) -> str:
    """The approved version, and the first round, in which everybody was more hopeful."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_BUDGET_COLUMNS)
    for version, percent_of_sales in (("first_round", 112), ("approved", 100)):
        for entity, account_code, cost_center, usd in _planned(month):
            percent = percent_of_sales if usd < 0 else 100
            for plan_item, share in _PLAN_ITEMS:
                amount = decimal_text(usd * share * percent // 100)
                table.writerow((version, entity, account_code, cost_center, plan_item, amount))
    return text.getvalue()


def _intercompany(month: str, seed: int) -> Iterator[JournalEntry]:
    """Both sides of every charge, in the same currency and for the same amount."""
    chance = Chance(seed, month, "intercompany")
    day = last_day(month)
    for charge in CHARGES:
        usd = charge.usd if charge.is_fee else charge.usd * chance.share(0.85, 1.15)
        amount = money(usd, charge.currency)
        text = f"{charge.text} {month}: {charge.seller} to {charge.buyer}"
        sale = (Posting(_RECEIVABLE, amount), Posting(_REVENUE, -amount))
        cost = (Posting(_COST, amount), Posting(_PAYABLE, -amount))
        for owner, partner, lines in (
            (charge.seller, charge.buyer, sale),
            (charge.buyer, charge.seller, cost),
        ):
            yield JournalEntry(
                "intercompany", owner, day, charge.currency, text, lines, partner=partner
            )


def _planned(month: str) -> Iterator[tuple[str, str, str, int]]:
    """Entity, account, cost center and whole US dollars, with the sign of the ledger."""
    for entity in ENTITIES:
        for item in PLAN:
            yield entity.code, item.account_code, item.cost_center, planned_usd(item, entity, month)
        sold = sum(charge.usd for charge in CHARGES if charge.seller == entity.code)
        bought = sum(charge.usd for charge in CHARGES if charge.buyer == entity.code)
        if sold:
            yield entity.code, _REVENUE, "", -sold
        if bought:
            yield entity.code, _COST, "", bought
