"""The figures of the template as values: lines of the ledger and the budget, rates, dollars."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from rowbook.starter import company
from rowbook.starter.template_files import template_files

CLOSE = template_files("close", "close")
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the ledger."""

    month: str
    journal_id: str
    kind: str
    status: str
    entity: str
    account_code: str
    cost_center: str
    partner: str
    currency: str
    amount: Decimal
    posted: str
    text: str

    @property
    def counts(self) -> bool:
        """Whether the close keeps it."""
        return self.status == "posted" and self.amount != 0

    @property
    def usd(self) -> Decimal:
        """The amount in US dollars, at the rate of its month."""
        return (self.amount / RATES[self.month, self.currency]).quantize(CENT, ROUND_HALF_UP)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def lines_of(month: str, text: str) -> list[Line]:
    return [
        Line(
            month,
            row["journal_id"],
            row["journal_type"],
            row["status"],
            row["entity"],
            row["account_code"],
            row["cost_center"],
            row["partner_entity"],
            row["currency"],
            Decimal(row["amount"]),
            row["posting_date"],
            row["description"],
        )
        for row in rows(text)
    ]


def written_rows(table: Path, month: str) -> list[dict[str, str]]:
    """What is in the csv files of a month, below the folder of a table."""
    files = sorted((table / f"period={month}").glob("*.csv"))
    assert files
    return [row for file in files for row in rows(file.read_text(encoding="utf-8"))]


def total(amounts: Iterable[Decimal]) -> Decimal:
    return sum(amounts, Decimal(0))


RATES = {
    (row["month"], row["currency"]): Decimal(row["units_per_usd"])
    for row in rows(CLOSE["data/fx_rates.csv"])
} | {(month, "USD"): Decimal(1) for month in company.MONTHS}

LINES = [
    line for month in company.MONTHS for line in lines_of(month, CLOSE[f"data/gl/{month}.csv"])
]
