"""Journals: balanced, taken back, and written as csv."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from rowbook.starter.journals import COLUMNS, JournalEntry, Posting, as_csv, balancing, decimal_text


def test_amounts_are_written_exactly() -> None:
    assert [decimal_text(n) for n in (0, 5, -5, 1250, -100_000)] == [
        *("0.00", "0.05", "-0.05", "12.50", "-1000.00"),
    ]


def test_a_reversal_turns_every_amount_around() -> None:
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


def journal(entity: str, day: int, *postings: Posting) -> JournalEntry:
    lines = balancing("1000", *postings)
    return JournalEntry("sales", entity, date(2026, 1, day), "EUR", "To A, B", lines)


def test_the_line_in_front_balances_the_others() -> None:
    assert balancing("1000", Posting("4000", -500), Posting("2300", -95)) == (
        Posting("1000", 595),
        Posting("4000", -500),
        Posting("2300", -95),
    )
    assert balancing("1000") == (Posting("1000", 0),)


def test_journals_are_numbered_within_each_entity_by_their_days() -> None:
    late = journal("DE01", 9, Posting("4000", -1250, "CC110"))
    early = replace(journal("DE01", 2, Posting("4000", -5)), status="draft")
    other = replace(journal("AT01", 5, Posting("4900", -100)), partner="DE01")
    assert as_csv("2026-01", [late, early, other]).splitlines() == [
        ",".join(COLUMNS),
        'AT01-202601-001,1,2026-01-05,sales,posted,AT01,1000,,DE01,EUR,1.00,"To A, B"',
        'AT01-202601-001,2,2026-01-05,sales,posted,AT01,4900,,DE01,EUR,-1.00,"To A, B"',
        'DE01-202601-001,1,2026-01-02,sales,draft,DE01,1000,,,EUR,0.05,"To A, B"',
        'DE01-202601-001,2,2026-01-02,sales,draft,DE01,4000,,,EUR,-0.05,"To A, B"',
        'DE01-202601-002,1,2026-01-09,sales,posted,DE01,1000,,,EUR,12.50,"To A, B"',
        'DE01-202601-002,2,2026-01-09,sales,posted,DE01,4000,CC110,,EUR,-12.50,"To A, B"',
    ]


def test_a_month_without_journals_has_its_head() -> None:
    assert as_csv("2026-01", []) == ",".join(COLUMNS) + "\n"
