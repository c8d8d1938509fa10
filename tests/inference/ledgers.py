"""Files as accounting systems write them, small enough to see, and the rows that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

Rows = list[tuple[Any, ...]]

HAUPTBUCH = """\
Beleg;Konto;Text;Buchungsdatum;Betrag (EUR);Währung
R-1001;0400;Büromöbel;31.01.2026;1.234,56-;EUR
R-1002;8400;"Erlöse; Inland";15.01.2026;12.000,00;EUR
R-1003;1200;;28.02.2026;7,50;EUR
R-1004;0410;Kfz "privat";01.02.2026;1.000.000,00-;EUR
R-1005;8400;Erlöse;15.02.2026;0,00;EUR
"""
JOURNAL = """\
Journal\tLine\tPosted\tAmount\tVoid\tRemark
J-1\t1\t01/31/2026\t1,500.25\tfalse\tRent
J-1\t2\t01/31/2026\t-1,500.25\tfalse\t
J-2\t1\t02/14/2026\t20.00\ttrue\tJänner → März
J-2\t2\t02/14/2026\t-20.00\ttrue\t"the ""name"" of it"
"""


def write_ledgers(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hauptbuch.csv").write_bytes(HAUPTBUCH.replace("\n", "\r\n").encode("cp1252"))
    (folder / "journal.txt").write_bytes(JOURNAL.replace("\n", "\r\n").encode("utf-16"))
    write_documents(folder)
    write_chart(folder)


def write_chart(folder: Path, **changed: Any) -> None:
    """A workbook with a title above the header; cells may be others, by their names."""
    rows = [
        ("Kontenplan 2026",),
        (),
        ("Konto", "Bezeichnung", "Gültig ab", "Saldo"),
        ("0400", "Büromöbel", date(2026, 1, 1), 1234.56),
        ("8400", "Erlöse", date(2025, 7, 1), -20.5),
        ("1200", None, date(2026, 1, 1), 0),
    ]
    with xlsxwriter.Workbook(folder / "konten.xlsx") as book:
        sheet = book.add_worksheet("Konten")
        day = book.add_format({"num_format": "dd.mm.yyyy"})
        for row, cells in enumerate(rows):
            for column, usual in enumerate(cells):
                cell = changed.get(f"{'ABCD'[column]}{row + 1}", usual)
                if cell == "#N/A":
                    sheet.write_formula(row, column, "=NA()", None, cell)
                elif cell is not None:
                    sheet.write(row, column, cell, day if isinstance(cell, date) else None)


def write_documents(folder: Path, **changed: list[Any]) -> None:
    """A parquet file whose dates are numbers."""
    columns = {
        "DOC_NO": ["D1", "D2", "D3", "D4", "D5"],
        "POSTING_DATE": [20260105, 20260131, 20260201, 20260228, 20260215],
        "AMOUNT": [10.5, -20.25, 0.1, None, 1e6],
        "RATE": [Decimal(n) for n in ("1.0812", "1.0000", "0.9375", "1.2500", "1.1000")],
        **changed,
    }
    types = {"POSTING_DATE": pa.int32(), "AMOUNT": pa.float64(), "RATE": pa.decimal128(9, 4)}
    table = {name: pa.array(values, types.get(name)) for name, values in columns.items()}
    pq.write_table(pa.table(table), folder / "documents.parquet")


def _money(text: str) -> Decimal:
    return Decimal(text)


ROWS: Mapping[tuple[str, str], Rows] = {
    ("hauptbuch", "2026-01"): [
        ("R-1001", "0400", "Büromöbel", date(2026, 1, 31), _money("-1234.56"), "EUR"),
        ("R-1002", "8400", "Erlöse; Inland", date(2026, 1, 15), _money("12000.00"), "EUR"),
    ],
    ("hauptbuch", "2026-02"): [
        ("R-1003", "1200", None, date(2026, 2, 28), _money("7.50"), "EUR"),
        ("R-1004", "0410", 'Kfz "privat"', date(2026, 2, 1), _money("-1000000.00"), "EUR"),
        ("R-1005", "8400", "Erlöse", date(2026, 2, 15), _money("0.00"), "EUR"),
    ],
    ("journal", "2026-01"): [
        ("J-1", 1, date(2026, 1, 31), _money("1500.25"), False, "Rent"),
        ("J-1", 2, date(2026, 1, 31), _money("-1500.25"), False, None),
    ],
    ("journal", "2026-02"): [
        ("J-2", 1, date(2026, 2, 14), _money("20.00"), True, "Jänner → März"),
        ("J-2", 2, date(2026, 2, 14), _money("-20.00"), True, 'the "name" of it'),
    ],
    ("documents", "2026-01"): [
        ("D1", date(2026, 1, 5), _money("10.50"), _money("1.0812")),
        ("D2", date(2026, 1, 31), _money("-20.25"), _money("1.0000")),
    ],
    ("documents", "2026-02"): [
        ("D3", date(2026, 2, 1), _money("0.10"), _money("0.9375")),
        ("D4", date(2026, 2, 28), None, _money("1.2500")),
        ("D5", date(2026, 2, 15), _money("1000000.00"), _money("1.1000")),
    ],
    ("konten", "2026-01"): [
        ("0400", "Büromöbel", date(2026, 1, 1), _money("1234.56")),
        ("8400", "Erlöse", date(2025, 7, 1), _money("-20.50")),
        ("1200", None, date(2026, 1, 1), _money("0.00")),
    ],
}
"""What is loaded, by dataset and period, `_period` aside."""
