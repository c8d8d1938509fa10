"""The group whose ledger a newcomer closes: its entities, and what a month of each is planned to
look like. The chart of accounts and the cost centers are files of the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

MONTHS = ("2026-01", "2026-02", "2026-03")
SEASON: Mapping[str, float] = MappingProxyType(
    {"2025-12": 1.10, "2026-01": 0.94, "2026-02": 0.98, "2026-03": 1.07}
)
"""How busy a month is; December is here for the accruals that January reverses."""

PLAN_RATES: Mapping[str, float] = MappingProxyType(
    {"USD": 1.0, "EUR": 0.87, "GBP": 0.75, "JPY": 155.0}
)
"""Units of a currency for one US dollar, as the plan assumes them."""


@dataclass(frozen=True, slots=True)
class LegalEntity:
    """A company of the group; `size` is relative to the largest one, `tax` the percentage on sales
    and purchases. What it exports is invoiced in another currency, without tax."""

    code: str
    currency: str
    size: float
    tax: int
    export_currency: str


ENTITIES = (
    LegalEntity("US01", "USD", 1.0, 0, "EUR"),
    LegalEntity("DE01", "EUR", 0.6, 19, "GBP"),
    LegalEntity("GB01", "GBP", 0.45, 20, "EUR"),
    LegalEntity("JP01", "JPY", 0.3, 10, "USD"),
)

Booking: TypeAlias = Literal["sales", "goods", "supplier", "payroll", "depreciation"]


@dataclass(frozen=True, slots=True)
class PlanItem:
    """A month in US dollars for an entity of size 1, with the sign of the ledger; in how many
    journals it is booked, and as what."""

    booking: Booking
    account_code: str
    cost_center: str
    usd: int
    journals: int
    text: str


PLAN = (
    PlanItem("sales", "4000", "CC110", -664_000, 18, "Goods to"),
    PlanItem("sales", "4100", "CC220", -182_000, 8, "Service for"),
    PlanItem("goods", "5000", "CC310", 292_000, 4, "Goods delivered"),
    PlanItem("supplier", "5100", "CC310", 24_000, 4, "Freight"),
    PlanItem("supplier", "6100", "CC410", 22_000, 1, "Rent"),
    PlanItem("supplier", "6200", "CC120", 31_000, 4, "Campaign"),
    PlanItem("supplier", "6300", "CC110", 9_000, 4, "Travel"),
    PlanItem("supplier", "6300", "CC210", 4_000, 2, "Travel"),
    PlanItem("supplier", "6400", "CC210", 14_000, 2, "Software"),
    PlanItem("supplier", "6400", "CC220", 8_000, 2, "Cloud service"),
    PlanItem("supplier", "6500", "CC410", 12_000, 2, "Advice"),
    PlanItem("payroll", "6000", "CC110", 62_000, 1, "Payroll"),
    PlanItem("payroll", "6000", "CC120", 24_000, 1, "Payroll"),
    PlanItem("payroll", "6000", "CC210", 88_000, 1, "Payroll"),
    PlanItem("payroll", "6000", "CC220", 36_000, 1, "Payroll"),
    PlanItem("payroll", "6000", "CC310", 28_000, 1, "Payroll"),
    PlanItem("payroll", "6000", "CC410", 40_000, 1, "Payroll"),
    PlanItem("payroll", "6010", "CC110", 12_400, 1, "Payroll"),
    PlanItem("payroll", "6010", "CC120", 4_800, 1, "Payroll"),
    PlanItem("payroll", "6010", "CC210", 17_600, 1, "Payroll"),
    PlanItem("payroll", "6010", "CC220", 7_200, 1, "Payroll"),
    PlanItem("payroll", "6010", "CC310", 5_600, 1, "Payroll"),
    PlanItem("payroll", "6010", "CC410", 8_000, 1, "Payroll"),
    PlanItem("depreciation", "6600", "CC210", 10_000, 1, "Depreciation"),
    PlanItem("depreciation", "6600", "CC310", 12_000, 1, "Depreciation"),
)

SEASONAL: frozenset[Booking] = frozenset({"sales", "goods"})
"""What rises and falls with the season."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What an entity sells to another one each month; a fee is the same every month."""

    seller: str
    buyer: str
    usd: int
    currency: str
    text: str
    is_fee: bool


CHARGES = (
    Charge("US01", "DE01", 18_000, "USD", "Management fee", is_fee=True),
    Charge("US01", "GB01", 13_500, "USD", "Management fee", is_fee=True),
    Charge("US01", "JP01", 9_000, "USD", "Management fee", is_fee=True),
    Charge("DE01", "GB01", 42_000, "EUR", "Parts", is_fee=False),
    Charge("DE01", "JP01", 27_000, "EUR", "Parts", is_fee=False),
)


def planned_usd(item: PlanItem, entity: LegalEntity, month: str) -> int:
    """The plan of an entity for a month, in whole hundreds of US dollars."""
    season = SEASON[month] if item.booking in SEASONAL else 1.0
    return round(item.usd * entity.size * season / 100) * 100


def money(usd: float, currency: str) -> int:
    """US dollars as hundredths of a currency, at the plan's rate. There are no parts of a yen."""
    unit = 100 if currency == "JPY" else 1
    return round(usd * PLAN_RATES[currency] * 100 / unit) * unit
