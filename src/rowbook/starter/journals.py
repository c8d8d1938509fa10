"""Journals, and how a month of them is written as csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeAlias

COLUMNS = (
    *("journal_id", "line_number", "posting_date", "journal_type", "status", "entity"),
    *("account_code", "cost_center", "partner_entity", "currency", "amount", "description"),
)

JournalType: TypeAlias = (
    Literal["sales", "receipt", "purchase", "payment", "goods", "payroll", "depreciation"]
    | Literal["accrual", "reversal", "intercompany", "manual"]
)


@dataclass(frozen=True, slots=True)
class Posting:
    """A line of a journal. The amount is in hundredths of the currency, a credit is negative."""

    account_code: str
    amount: int
    cost_center: str = ""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Lines that belong together: their amounts add up to nothing."""

    kind: JournalType
    entity: str
    posted: date
    currency: str
    text: str
    postings: tuple[Posting, ...]
    partner: str = ""
    status: Literal["posted", "draft"] = "posted"

    def reversed_on(self, day: date) -> JournalEntry:
        postings = tuple(replace(each, amount=-each.amount) for each in self.postings)
        text = f"Reversal: {self.text}"
        return replace(self, kind="reversal", posted=day, text=text, postings=postings)


def balancing(account_code: str, *others: Posting) -> tuple[Posting, ...]:
    return (Posting(account_code, -sum(each.amount for each in others)), *others)


def as_csv(month: str, journals: Iterable[JournalEntry]) -> str:
    """A month of journals, numbered within each entity in the order of their days."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    numbers: dict[str, int] = {}
    for each in sorted(journals, key=lambda journal: (journal.entity, journal.posted)):
        number = numbers[each.entity] = numbers.get(each.entity, 0) + 1
        journal_id = f"{each.entity}-{month.replace('-', '')}-{number:03}"
        for line, posting in enumerate(each.postings, start=1):
            head = (journal_id, line, each.posted, each.kind, each.status, each.entity)
            body = (posting.account_code, posting.cost_center, each.partner, each.currency)
            table.writerow((*head, *body, decimal_text(posting.amount), each.text))
    return text.getvalue()


def decimal_text(hundredths: int) -> str:
    """`-12.50` for -1250."""
    whole, part = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{part:02}"
