"""The group of the template: its plan, its currencies, and charges that both sides know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.starter.company import (
    CHARGES,
    ENTITIES,
    MONTHS,
    PLAN,
    PLAN_RATES,
    SEASON,
    PlanItem,
    money,
    planned_usd,
)

LARGE = ENTITIES[0]
SMALL = replace(LARGE, size=0.3)
SALES = PlanItem("sales", "4000", "CC110", -664_000, 18, "Goods to")
RENT = PlanItem("supplier", "6100", "CC410", 22_000, 1, "Rent")


@pytest.mark.parametrize(
    ("month", "sales", "rent"),
    [("2026-01", -624_200, 22_000), ("2026-03", -710_500, 22_000), ("2025-12", -730_400, 22_000)],
)
def test_only_sales_and_goods_follow_the_season(month: str, sales: int, rent: int) -> None:
    assert planned_usd(SALES, LARGE, month) == sales
    assert planned_usd(RENT, LARGE, month) == rent


def test_a_smaller_entity_plans_less_in_whole_hundreds() -> None:
    assert planned_usd(RENT, SMALL, "2026-01") == 6_600
    for item in PLAN:
        assert planned_usd(item, SMALL, "2026-02") % 100 == 0


@pytest.mark.parametrize(
    ("usd", "currency", "hundredths"),
    [(1, "USD", 100), (10, "EUR", 870), (1, "GBP", 75), (1, "JPY", 15_500), (0.01, "JPY", 200)],
)
def test_dollars_become_hundredths_of_a_currency_and_whole_yen(
    usd: float, currency: str, hundredths: int
) -> None:
    assert money(usd, currency) == hundredths


def test_every_month_has_a_season_and_every_currency_a_rate() -> None:
    assert set(MONTHS) < SEASON.keys()
    currencies = {c for e in ENTITIES for c in (e.currency, e.export_currency)}
    assert currencies | {charge.currency for charge in CHARGES} <= PLAN_RATES.keys()


def test_charges_are_between_two_entities_of_the_group() -> None:
    codes = {entity.code for entity in ENTITIES}
    assert {code for c in CHARGES for code in (c.seller, c.buyer)} == codes
    assert all(charge.seller != charge.buyer for charge in CHARGES)


def test_a_plan_item_is_named_once() -> None:
    keys = [(item.account_code, item.cost_center) for item in PLAN]
    assert len(set(keys)) == len(keys)
