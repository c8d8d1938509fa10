"""What an entity books in a month, close to its plan and never quite as planned."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from rowbook.starter.chance import Chance
from rowbook.starter.company import PLAN, Booking, LegalEntity, PlanItem, money, planned_usd
from rowbook.starter.journals import JournalEntry, JournalType, Posting, balancing

_CASH, _RECEIVABLES, _INPUT_TAX, _INVENTORIES, _DEPRECIATED = "1000", "1200", "1300", "1400", "1590"
_PAYABLES, _PAYROLL_DUE, _ACCRUED, _OUTPUT_TAX = "2000", "2100", "2200", "2300"

_CUSTOMERS = (
    *("Larch Retail", "Bayline Foods", "Ostara Hotels", "Kestrel Labs", "Mirador Clinics"),
    *("Tidewater Tools", "Juniper Schools", "Quarry Street Cafes"),
)
_SUPPLIERS = ("Fernhill Services", "Copper & Sons", "Halyard Partners", "Beacon Works")
_ACCRUED_COSTS = (("6200", "CC120"), ("6500", "CC410"), ("6400", "CC210"))
_EVERY_EXPORT = 9
_PAID_AFTER = timedelta(days=14)


def first_day(month: str) -> date:
    return date.fromisoformat(f"{month}-01")


def last_day(month: str) -> date:
    first = first_day(month)
    return first.replace(day=monthrange(first.year, first.month)[1])


def bookings(entity: LegalEntity, month: str, seed: int) -> Iterator[JournalEntry]:
    """Without those with other entities."""
    chance = Chance(seed, entity.code, month)
    invoices = [*_sales(entity, month, chance), *_purchases(entity, month, chance)]
    yield from invoices
    yield from _settlements(invoices, month)
    yield from _goods(entity, month, chance)
    yield _all_at_once("payroll", _PAYROLL_DUE, entity, month, chance)
    yield _all_at_once("depreciation", _DEPRECIATED, entity, month, chance)
    yield from accruals(entity, month, seed)
    before = (first_day(month) - timedelta(days=1)).isoformat()[:7]
    for accrual in accruals(entity, before, seed):
        yield accrual.reversed_on(first_day(month))
    yield from _drafts(entity, month, chance)


def accruals(entity: LegalEntity, month: str, seed: int) -> Iterator[JournalEntry]:
    """Costs of the month whose invoices have not come. The next month takes them back."""
    chance = Chance(seed, entity.code, month, "accruals")
    for item in PLAN:
        if (item.account_code, item.cost_center) in _ACCRUED_COSTS:
            usd = planned_usd(item, entity, month) * chance.share(0.08, 0.25)
            cost = Posting(item.account_code, money(usd, entity.currency), item.cost_center)
            text = f"{item.text} of {month} not invoiced yet"
            lines = balancing(_ACCRUED, cost)[::-1]
            day = last_day(month)
            yield JournalEntry("accrual", entity.code, day, entity.currency, text, lines)


def _sales(entity: LegalEntity, month: str, chance: Chance) -> Iterator[JournalEntry]:
    number = 0
    for item in _items("sales"):
        for usd in _parts(item, entity, month, chance):
            number += 1
            exported = number % _EVERY_EXPORT == 0
            currency = entity.export_currency if exported else entity.currency
            net = money(usd / 100, currency)
            sale = Posting(item.account_code, net, item.cost_center)
            tax = _tax(net, 0 if exported else entity.tax, currency)
            taxes = [Posting(_OUTPUT_TAX, tax)] if tax or exported else []
            lines = balancing(_RECEIVABLES, sale, *taxes)
            text = f"{item.text} {chance.pick(_CUSTOMERS)}"
            day = _working_day(month, chance)
            yield JournalEntry("sales", entity.code, day, currency, text, lines)


def _purchases(entity: LegalEntity, month: str, chance: Chance) -> Iterator[JournalEntry]:
    for item in _items("supplier"):
        for usd in _parts(item, entity, month, chance):
            net = money(usd / 100, entity.currency)
            cost = Posting(item.account_code, net, item.cost_center)
            tax = _tax(net, entity.tax, entity.currency)
            taxes = [Posting(_INPUT_TAX, tax)] if tax else []
            due, *costs = balancing(_PAYABLES, cost, *taxes)
            text = f"{item.text} by {chance.pick(_SUPPLIERS)}"
            day = _working_day(month, chance)
            yield JournalEntry("purchase", entity.code, day, entity.currency, text, (*costs, due))


def _settlements(invoices: list[JournalEntry], month: str) -> Iterator[JournalEntry]:
    """Invoices of the first days are paid two weeks later."""
    kinds: dict[JournalType, JournalType] = {"sales": "receipt", "purchase": "payment"}
    for invoice in invoices:
        day = invoice.posted + _PAID_AFTER
        if day > last_day(month) - _PAID_AFTER / 2:
            continue
        (due,) = (p for p in invoice.postings if p.account_code in (_RECEIVABLES, _PAYABLES))
        lines = balancing(_CASH, Posting(due.account_code, -due.amount))
        text = f"Paid: {invoice.text}"
        yield JournalEntry(kinds[invoice.kind], invoice.entity, day, invoice.currency, text, lines)


def _goods(entity: LegalEntity, month: str, chance: Chance) -> Iterator[JournalEntry]:
    for item in _items("goods"):
        for week, usd in enumerate(_parts(item, entity, month, chance), start=1):
            amount = money(usd / 100, entity.currency)
            cost = Posting(item.account_code, amount, item.cost_center)
            lines = balancing(_INVENTORIES, cost)[::-1]
            day = first_day(month) + timedelta(days=7 * week - 1)
            text = f"{item.text} in week {week}"
            yield JournalEntry("goods", entity.code, day, entity.currency, text, lines)


def _all_at_once(
    kind: JournalType, account_code: str, entity: LegalEntity, month: str, chance: Chance
) -> JournalEntry:
    """One journal for all plan items that are booked in this way, on the last day."""
    costs = [
        Posting(item.account_code, money(usd / 100, entity.currency), item.cost_center)
        for item in PLAN
        if item.booking == kind
        for usd in _parts(item, entity, month, chance)
    ]
    due, *lines = balancing(account_code, *costs)
    text = f"{kind.capitalize()} {month}"
    return JournalEntry(kind, entity.code, last_day(month), entity.currency, text, (*lines, due))


def _drafts(entity: LegalEntity, month: str, chance: Chance) -> Iterator[JournalEntry]:
    for text in ("Provision to be discussed", "Correction, wait for approval"):
        amount = money(chance.share(500, 9_000) * entity.size, entity.currency)
        lines = balancing(_ACCRUED, Posting("6500", amount, "CC410"))[::-1]
        day = _working_day(month, chance)
        currency = entity.currency
        yield JournalEntry("manual", entity.code, day, currency, text, lines, status="draft")


def _items(booking: Booking) -> Iterator[PlanItem]:
    return (item for item in PLAN if item.booking == booking)


def _parts(item: PlanItem, entity: LegalEntity, month: str, chance: Chance) -> list[int]:
    """What is booked of a plan item, journal by journal, in US cents at the plan's rate."""
    spread = 0.02 if item.booking in ("payroll", "depreciation") else 0.09
    actual = round(planned_usd(item, entity, month) * 100 * chance.share(1 - spread, 1 + spread))
    return chance.split(actual, item.journals)


def _tax(net: int, percent: int, currency: str) -> int:
    unit = 100 if currency == "JPY" else 1
    return round(net * percent / 100 / unit) * unit


def _working_day(month: str, chance: Chance) -> date:
    days = (first_day(month).replace(day=n) for n in range(1, last_day(month).day + 1))
    return chance.pick([day for day in days if day.weekday() < 5])
