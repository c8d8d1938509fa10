"""Conditions that divide the rows of a table, each row in exactly one."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.sources.databases.key_ranges import Divisible, Extent, Scale, splits
from rowbook.sources.databases.output_columns import TableColumn

MANY = 3_000_000
COLUMNS = {name: TableColumn(name, name) for name in ("n", "d", "t", "text")}
SCALES: dict[str, Scale] = {"n": "number", "d": "day", "t": "moment"}


def parts(wanted: str | None, low: str | None, high: str | None, key: str | None = None) -> object:
    ends: Extent = (None if low is None else Decimal(low), None if high is None else Decimal(high))
    table = Divisible(0, MANY, COLUMNS, SCALES, lambda: key, lambda _: ends)
    return splits(table, wanted, lambda name: f'"{name}"', "gl")[1]


def test_numbers_are_divided_where_they_lie() -> None:
    assert parts("n", "0", "300") == [
        '"n" < 100 OR "n" IS NULL',
        '"n" >= 100 AND "n" < 200',
        '"n" >= 200',
    ]


def test_days_and_moments_are_written_as_servers_read_them() -> None:
    assert parts("d", "0", "259200") == [
        '"d" < DATE \'1970-01-02\' OR "d" IS NULL',
        "\"d\" >= DATE '1970-01-02' AND \"d\" < DATE '1970-01-03'",
        "\"d\" >= DATE '1970-01-03'",
    ]
    assert parts(None, "0", "30", key="t") == [
        '"t" < TIMESTAMP \'1970-01-01 00:00:10\' OR "t" IS NULL',
        "\"t\" >= TIMESTAMP '1970-01-01 00:00:10' AND \"t\" < TIMESTAMP '1970-01-01 00:00:20'",
        "\"t\" >= TIMESTAMP '1970-01-01 00:00:20'",
    ]


@pytest.mark.parametrize(
    ("wanted", "low", "high", "key"),
    [
        ("n", None, None, None),
        ("n", "5", "5", None),
        ("n", "0", "NaN", None),
        ("n", "-Infinity", "0", None),
        ("d", "0", "999999999999999", None),
        (None, "0", "300", None),
        (None, "0", "300", "text"),
        ("elsewhere", "0", "300", None),
    ],
)
def test_what_cannot_be_divided_is_read_as_one(
    wanted: str | None, low: str | None, high: str | None, key: str | None
) -> None:
    assert parts(wanted, low, high, key) == []
