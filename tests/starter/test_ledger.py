"""The figures of the template `close` are such as an accountant would believe."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

import pytest

from rowbook.starter.company import MONTHS
from rowbook.starter.ledger import budget_csv, ledger_csv
from tests.starter.reading import CLOSE, LINES, Line, rows, total

_CHART = {row["account_code"]: row for row in rows(CLOSE["data/accounts.csv"])}
_CENTERS = {row["cost_center"] for row in rows(CLOSE["data/cost_centers.csv"])}


def _usd(prefix: str, month: str) -> Decimal:
    """The dollars of a month on the accounts that start so."""
    return total(
        e.usd for e in LINES if e.month == month and e.counts and e.account_code.startswith(prefix)
    )


def test_every_journal_balances_in_its_one_currency() -> None:
    journals: dict[str, list[Line]] = defaultdict(list)
    for line in LINES:
        journals[line.journal_id].append(line)
    assert len(journals) > 900
    assert {len({e.currency for e in lines}) for lines in journals.values()} == {1}
    assert {total(e.amount for e in lines) for lines in journals.values()} == {Decimal(0)}
    assert {len({(e.entity, e.posted) for e in lines}) for lines in journals.values()} == {1}


def test_there_are_between_two_and_three_thousand_lines() -> None:
    assert 2_000 <= len(LINES) <= 3_000


@pytest.mark.parametrize("month", MONTHS)
def test_intercompany_cancels_out_in_dollars_and_between_each_two(month: str) -> None:
    lines = [e for e in LINES if e.month == month and e.kind == "intercompany"]
    assert len(lines) == 20
    for sold, bought in (("4900", "6900"), ("1900", "2900")):
        sides = [e for e in lines if e.account_code in (sold, bought)]
        assert total(e.usd for e in sides) == 0
        owed: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
        for e in sides:
            seller, buyer = (
                (e.entity, e.partner) if e.account_code == sold else (e.partner, e.entity)
            )
            owed[seller, buyer] += e.amount
        assert set(owed.values()) == {Decimal(0)}


def test_only_intercompany_lines_name_a_partner() -> None:
    assert {bool(e.partner) for e in LINES if e.kind == "intercompany"} == {True}
    assert {bool(e.partner) for e in LINES if e.kind != "intercompany"} == {False}


def test_lines_are_posted_in_their_month_on_accounts_and_cost_centers_that_exist() -> None:
    assert {e.posted[:7] == e.month for e in LINES} == {True}
    assert {e.account_code for e in LINES} <= _CHART.keys()
    assert {e.cost_center for e in LINES} - {""} <= _CENTERS
    expensed = {e for e in LINES if e.account_code[0] in "56" and e.kind != "intercompany"}
    assert {bool(e.cost_center) for e in expensed} == {True}


@pytest.mark.parametrize("month", MONTHS)
def test_the_group_earns_a_little_and_is_close_to_its_budget(month: str) -> None:
    revenue, result = -_usd("4", month), -_usd("4", month) - _usd("5", month) - _usd("6", month)
    assert Decimal("0.01") < result / revenue < Decimal("0.20")
    planned = -total(
        Decimal(row["amount_usd"])
        for row in rows(CLOSE[f"data/budget/{month}.csv"])
        if row["version"] == "approved" and row["account_code"].startswith("4")
    )
    assert abs(revenue / planned - 1) < Decimal("0.08")


@pytest.mark.parametrize("month", MONTHS)
def test_the_budget_knows_the_signs_the_chart_and_both_sides_of_intercompany(month: str) -> None:
    budget = rows(CLOSE[f"data/budget/{month}.csv"])
    assert {row["version"] for row in budget} == {"approved", "first_round"}
    assert {row["account_code"] for row in budget} <= _CHART.keys()
    signs = {(row["account_code"][0], Decimal(row["amount_usd"]) > 0) for row in budget}
    assert signs == {("4", False), ("5", True), ("6", True)}
    between = [row for row in budget if row["version"] == "approved"]
    between = [row for row in between if row["account_code"] in ("4900", "6900")]
    assert total(Decimal(row["amount_usd"]) for row in between) == 0


def test_the_same_seed_gives_the_same_and_another_one_something_else() -> None:
    assert ledger_csv("2026-01", 7) == ledger_csv("2026-01", 7)
    assert ledger_csv("2026-01", 7) != ledger_csv("2026-01", 8)
    assert budget_csv("2026-02") == budget_csv("2026-02")


def test_the_first_line_is_the_same_on_every_machine() -> None:
    assert CLOSE["data/gl/2026-01.csv"].splitlines()[1] == (
        "DE01-202601-001,1,2026-01-01,reversal,posted,DE01,6200,CC120,,EUR,-3488.84,"
        "Reversal: Campaign of 2025-12 not invoiced yet"
    )
