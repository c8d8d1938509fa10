"""A source's values as values of declared types."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.values import Value
from rowbook.reference.loading.fitting import can_become, fit_value

MONEY = t.decimal(6, 2)
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "kind", "value"),
    [
        (None, MONEY, None),
        (7, MONEY, Decimal("7.00")),
        (7, t.FLOAT, 7.0),
        (Decimal(7), t.INTEGER, 7),
        (Decimal("7.5000"), MONEY, Decimal("7.50")),
        (0.125, MONEY, Decimal("0.13")),
        (date(2026, 1, 31), t.TIMESTAMP, datetime(2026, 1, 31, tzinfo=UTC)),
        (NOON.replace(tzinfo=None), t.TIMESTAMP, NOON),
        (NOON.astimezone(timezone(timedelta(hours=2))), t.TIMESTAMP, NOON),
        ("7", t.INTEGER, 7),
    ],
)
def test_values_that_fit(given: Value, kind: t.Type, value: Value) -> None:
    found = fit_value(given, kind)
    assert (type(found), repr(found)) == (type(value), repr(value))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (True, t.INTEGER),
        (1, t.BOOLEAN),
        (2**63, t.INTEGER),
        (Decimal("7.0"), t.INTEGER),
        (Decimal("7.005"), MONEY),
        (10**4, MONEY),
        (math.inf, MONEY),
        (7.0, t.INTEGER),
        (NOON, t.DATE),
        (7, t.STRING),
    ],
)
def test_values_that_do_not_fit(given: Value, kind: t.Type) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        fit_value(given, kind)


def test_whole_numbers_become_dates_only_where_the_column_says_how_it_is_written() -> None:
    how = {"date_format": "yyyyMMdd"}
    assert can_become("int", t.DATE, how)
    assert can_become("bigint", t.DATE, how)
    assert not can_become("int", t.DATE)
    assert not can_become("double", t.DATE, how)
    assert not can_become("int", t.TIMESTAMP, how)
