"""What became of expectations, made by hand: one of each kind."""

from __future__ import annotations

from dataclasses import replace

from rowbook.expectations.verdict import Verdict, Waiver

WAIVER = Waiver("journals balance", "timing, booked in February", "ann", "2026-02-03T10:00:00Z")
UNBALANCED = Verdict(
    "journals balance",
    None,
    "input",
    "violated",
    "stop",
    "SUM(amount) = 0",
    "groups",
    1204,
    2,
    "2 of 1,204 groups violate it: journal_id 'J-77': SUM(amount) = 0.01; …",
    samples=(
        {"journal_id": "J-77", "SUM(amount)": "0.01"},
        {"journal_id": "J-9", "SUM(amount)": None},
    ),
)
WAIVED = replace(UNBALANCED, status="waived", waiver=WAIVER)
PASSED = Verdict(
    "accounts are known",
    "gl_entries",
    "input",
    "passed",
    "stop",
    "accounts.account_code IS NOT NULL",
    "rows",
    60,
    0,
    "all 60 rows meet it",
)
WARNED = Verdict(
    "few lines without a cost centre",
    None,
    "end",
    "violated",
    "warn",
    "cost_center IS NOT NULL",
    "rows",
    58,
    1,
    "1 of 58 rows violates it: journal_id 'J-3'",
    samples=({"_row_id": "r-1", "journal_id": "J-3"},),
)
SKIPPED = Verdict(
    "about as many lines as last month",
    None,
    "end",
    "skipped",
    "stop",
    "lines BETWEEN 0.8 * last.lines AND 1.25 * last.lines",
    "rows",
    0,
    0,
    "there is no earlier run to compare with",
    measures={"lines": 58},
)
