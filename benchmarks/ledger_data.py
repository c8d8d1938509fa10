"""A believable general ledger of any size, as parquet: the same bytes for the same size and seed.

A folder holds one month of journal lines, the rates of some months, a budget and the chart of
accounts. Lines are made and written in batches, so that any number of them needs little memory.
Journals have two to eight lines. What belongs to a journal (entity, currency, date, status) is the
same on its lines; a few accounts carry most of the lines, as in real books.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

PERIOD = "2026-01"
SEED = 20260131
FORM = 1
"""Part of a folder's name: to be raised when what is made here changes."""

WARM_UP_ROWS = 200_000
"""To get warm with: so many that they are computed as millions are, not as few rows."""

_BATCH = 250_000
_BATCHES_IN_FILE = 8
_DAYS_TO_MONTH = 20_454  # 2026-01-01, counted from 1970-01-01

ENTITIES = ("DE01", "DE02", "FR01", "IT01", "ES01", "NL01", "GB01", "CH01", "US01", "US02", "JP01")
HOME = ("EUR", "EUR", "EUR", "EUR", "EUR", "EUR", "GBP", "CHF", "USD", "USD", "JPY")
RATES = {
    "USD": "0.921500",
    "GBP": "1.187300",
    "CHF": "1.064100",
    "JPY": "0.006154",
    "SEK": "0.087960",
    "PLN": "0.231700",
    "CZK": "0.039850",
    "AUD": "0.603400",
    "CAD": "0.667200",
    "CNY": "0.127800",
}
"""Euros for one unit. The euro itself has no rate."""

_STATUS = (("posted", 0.93), ("parked", 0.01), ("draft", 0.04), ("void", 0.02))
_DOCUMENTS = (("SA", 0.35), ("KR", 0.25), ("DR", 0.20), ("AB", 0.10), ("AF", 0.06), ("IC", 0.04))
_TAXES = (("V0", 0.4), ("V1", 0.2), ("A1", 0.2), ("A2", 0.1), ("R7", 0.1))
_TEXTS = (
    *("Invoice to customer", "Invoice from supplier", "Salaries and wages", "Office rent"),
    *("Depreciation of the month", "Travel expenses", "Accrual, reversed next month"),
    *("Bank charges", "Cloud hosting", "Intercompany recharge", "Goods received", "Correction"),
)
_CLASSES = {
    "1": "Assets",
    "2": "Liabilities",
    "3": "Equity",
    "4": "Revenue",
    "5": "Cost of sales",
    "6": "Operating expenses",
    "7": "Finance",
    "8": "Taxes",
}
ACCOUNTS = tuple(
    str(code) for first in range(1, 9) for code in range(first * 1000, first * 1000 + 300, 10)
)
CENTERS = tuple(f"CC{number:03}" for number in range(10, 130))


@dataclass(frozen=True, slots=True)
class LedgerData:
    """Where the tables of one generated ledger are."""

    folder: Path
    rows: int

    @property
    def lines(self) -> Path:
        """A folder of parquet files: the journal lines of the month."""
        return self.folder / "gl" / PERIOD

    @property
    def rates(self) -> Path:
        """The rates of four months, one file."""
        return self.folder / "rates.parquet"

    @property
    def budget(self) -> Path:
        """The budget of the month; one row for a hundred journal lines, at least 500."""
        return self.folder / "budget" / f"{PERIOD}.parquet"

    @property
    def accounts(self) -> Path:
        """The chart of accounts."""
        return self.folder / "accounts.parquet"


def default_folder() -> Path:
    """Where data is kept from one benchmark to the next."""
    return Path(tempfile.gettempdir()) / "rowbook-bench"


def ledger_data(folder: Path, rows: int, seed: int = SEED) -> LedgerData:
    """The ledger of this size below a folder: made if it is not there, and complete if it is."""
    data = LedgerData(folder / f"ledger-{rows}-seed{seed}-form{FORM}", rows)
    if data.folder.is_dir():
        return data
    needed, free = rows * 60 + (1 << 28), _free(folder)
    if free < needed:
        raise SystemExit(f"{rows:,} rows need about {needed >> 20:,} MiB; {free >> 20:,} are free")
    making = LedgerData(data.folder.with_suffix(".new"), rows)
    shutil.rmtree(making.folder, ignore_errors=True)
    making.lines.mkdir(parents=True)
    making.budget.parent.mkdir()
    _write_lines(making.lines, rows, seed)
    _write(making.rates, _rates())
    _write(making.budget, _budget(max(500, rows // 100), seed))
    _write(making.accounts, _accounts())
    making.folder.rename(data.folder)
    return data


def _free(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder).free


def _write_lines(folder: Path, rows: int, seed: int) -> None:
    """Files of eight row groups each."""
    batches = _batches(rows, seed)
    for number in range(-(-rows // (_BATCH * _BATCHES_IN_FILE))):
        first = next(batches)
        with pq.ParquetWriter(
            folder / f"part-{number:03}.parquet", first.schema, **_FORMAT
        ) as writer:
            writer.write_table(first)
            for _, batch in zip(range(_BATCHES_IN_FILE - 1), batches, strict=False):
                writer.write_table(batch)


_FORMAT: dict[str, Any] = {
    "compression": "snappy",
    "store_schema": False,
    "store_decimal_as_integer": True,
}


def _write(path: Path, table: pa.Table) -> None:
    pq.write_table(table, path, **_FORMAT)


def _batches(rows: int, seed: int) -> Iterator[pa.Table]:
    for number, start in enumerate(range(0, rows, _BATCH)):
        random = np.random.default_rng([seed, number])
        yield _lines(random, start, min(_BATCH, rows - start))


def _lines(random: np.random.Generator, start: int, rows: int) -> pa.Table:
    sizes = random.integers(2, 9, size=rows // 2 + 1)
    journal = np.repeat(np.arange(len(sizes)), sizes)[:rows]
    firsts = np.cumsum(sizes) - sizes
    line = np.arange(rows) - firsts[journal] + 1

    entity = random.choice(len(ENTITIES), len(sizes), p=_skewed(len(ENTITIES)))
    abroad = random.random(len(sizes)) < 0.15
    currencies = (*RATES, "EUR")
    home = np.array([currencies.index(currency) for currency in HOME])[entity]
    currency = np.where(abroad, random.integers(0, len(currencies), len(sizes)), home)
    day = _DAYS_TO_MONTH + np.minimum(random.integers(0, 36, len(sizes)), 30)
    number = pc.utf8_lpad(pc.cast(pa.array(start + journal), pa.string()), 9, padding="0")
    account = random.choice(len(ACCOUNTS), rows, p=_skewed(len(ACCOUNTS)))
    return pa.table(
        {
            "journal_id": pc.binary_join_element_wise("J202601-", number, ""),
            "line_number": pa.array(line, pa.int64()),
            "posting_date": pa.array(day[journal].astype("int32")).cast(pa.date32()),
            "entity": _texts(ENTITIES, entity[journal]),
            "account_code": _texts(_SHUFFLED, account),
            "cost_center": _texts(
                CENTERS, random.integers(0, len(CENTERS), rows), random.random(rows) < 0.3
            ),
            "currency": _texts(currencies, currency[journal]),
            "amount": _decimals(_cents(random, rows)),
            "status": _drawn(random, _STATUS, journal),
            "document_type": _drawn(random, _DOCUMENTS, journal),
            "tax_code": _drawn(random, _TAXES, np.arange(rows)),
            "partner": _texts(
                [f"P{n:05}" for n in range(5_000)],
                random.integers(0, 5_000, rows),
                random.random(rows) < 0.5,
            ),
            "posted_by": _texts(
                [f"user{n:03}" for n in range(200)], random.integers(0, 200, len(sizes))[journal]
            ),
            "description": _texts(
                _TEXTS, random.integers(0, len(_TEXTS), rows), random.random(rows) < 0.05
            ),
        }
    )


def _rates() -> pa.Table:
    months = ("2025-11", "2025-12", PERIOD, "2026-02")
    pairs = [(month, currency) for month in months for currency in RATES]
    cents = [int(RATES[currency].replace(".", "")) + 7 * months.index(m) for m, currency in pairs]
    return pa.table(
        {
            "month": [month for month, _ in pairs],
            "currency": [currency for _, currency in pairs],
            "rate": _decimals(np.array(cents), scale=6),
        }
    )


def _budget(rows: int, seed: int) -> pa.Table:
    random = np.random.default_rng([seed, 0, 1])
    return pa.table(
        {
            "version": _drawn(random, (("original", 0.7), ("revised", 0.3)), np.arange(rows)),
            "entity": _texts(ENTITIES, random.integers(0, len(ENTITIES), rows)),
            "account_code": _texts(ACCOUNTS, random.integers(0, len(ACCOUNTS), rows)),
            "cost_center": _texts(CENTERS, random.integers(0, len(CENTERS), rows)),
            "amount": _decimals(_cents(random, rows) * 20),
        }
    )


def _accounts() -> pa.Table:
    return pa.table(
        {
            "account_code": list(ACCOUNTS),
            "account_name": [f"{_CLASSES[code[0]]} {code}" for code in ACCOUNTS],
            "account_class": [_CLASSES[code[0]] for code in ACCOUNTS],
        }
    )


def _cents(random: np.random.Generator, rows: int) -> Any:
    """Most amounts are small, some large, one in a hundred is zero; signs even out."""
    size = np.exp(random.normal(9.5, 1.8, rows)).astype(np.int64) + 1
    size[random.random(rows) < 0.01] = 0
    return size * random.choice(np.array([-1, 1]), rows)


def _decimals(cents: Any, scale: int = 2) -> pa.Array:
    """Decimals from whole numbers, without a detour through text: 128 bits, low half first."""
    halves = np.empty((len(cents), 2), dtype="<i8")
    halves[:, 0], halves[:, 1] = cents, cents >> 63
    return pa.Array.from_buffers(
        pa.decimal128(18, scale), len(cents), [None, pa.py_buffer(halves.tobytes())]
    )


def _texts(values: Sequence[str], codes: Any, missing: Any = None) -> pa.Array:
    return pa.array(values).take(pa.array(codes, mask=missing))


def _drawn(random: np.random.Generator, table: Sequence[tuple[str, float]], of: Any) -> pa.Array:
    """Texts by their weights: one drawn for each number there is in `of`."""
    values, weights = zip(*table, strict=True)
    return _texts(values, random.choice(len(values), int(of[-1]) + 1, p=weights)[of])


def _skewed(count: int) -> Any:
    """Weights that fall like 1/rank."""
    weights = 1 / np.arange(1, count + 1)
    return weights / weights.sum()


_SHUFFLED = tuple(np.random.default_rng(1).permutation(np.array(ACCOUNTS)).tolist())
"""So that the busiest accounts are of all classes."""
