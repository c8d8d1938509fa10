"""Journals: balanced, taken back, and written as csv."""

from __future__ import annotations

from rowbook.starter.journals import JournalEntry, Posting, balancing, decimal_text


def test_amounts_are_written_exactly() -> None:
    assert [decimal_text(n) for n in (0, 5, -5, 1250, -100_000)] == [
        *("0.00", "0.05", "-0.05", "12.50", "-1000.00"),
    ]


def test_a_reversal_turns_every_amount_around() -> None:
    from datetime import date

    lines = balancing("2200", Posting("6200", 700, "CC120"), Posting("6300", 300, "CC110"))
    assert lines[0] == Posting("2200", -1000)
    journal = JournalEntry("accrual", "US01", date(2026, 1, 31), "USD", "Costs", lines)
    back = journal.reversed_on(date(2026, 2, 1))
    assert (back.kind, back.posted, back.text) == (
        "reversal",
        date(2026, 2, 1),
        "Reversal: Costs",
    )
    assert [p.amount for p in back.postings] == [1000, -700, -300]
