"""Which rows of a dataset a run sees: those of its period, those valid as of some time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.planning.datasets import Dataset
from tests.engine.loading.tables import PERIODIC, RENAMED, ids
from tests.sources.tables import context, csv_file, dataset, load_all, place, rows_of

pytestmark = pytest.mark.spark


def test_only_rows_of_the_runs_period_are_seen(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "month,id\n2026-01,a\n2026-02,b\n2026,c\n,d\n")
    assert rows_of(spark, RENAMED, place(path)) == [{"_period": "2026-01", "id": "a"}]
    assert ids(rows_of(spark, RENAMED, place(path), run=context("2026"))) == ["c"]


def test_a_stored_period_wins_over_that_of_the_place(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,_period\na,2026-01\nb,2025-12\n")
    assert ids(rows_of(spark, PERIODIC, place(path, period="2026-01"))) == ["a"]


def test_a_snapshot_has_no_filter_and_no_period(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,_period\na,2025-12\nb,\n")
    loaded = load_all(spark, dataset("id string"), place(path))
    assert loaded.frame.columns == ["id"]
    assert loaded.frame.count() == 2


DATED = dataset("id string", "posted date", mode="period", period_from="posted")
POSTED = "id,posted\na,2025-12-31\nb,2026-01-01\nc,2026-01-31\nd,2026-02-01\ne,2026-03-31\n"


def test_a_date_says_the_period_of_a_row(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, POSTED)
    assert [(row["id"], row["_period"]) for row in rows_of(spark, DATED, place(path))] == [
        ("b", "2026-01"),
        ("c", "2026-01"),
    ]
    quarter = rows_of(spark, DATED, place(path), run=context("2026-Q1"))
    assert {row["_period"] for row in quarter} == {"2026-Q1"}
    assert ids(quarter) == ["b", "c", "d", "e"]


def test_the_moments_of_a_day_are_those_of_utc(spark: SparkSession, tmp_path: Path) -> None:
    moments = dataset("id string", "posted timestamp", mode="period", period_from="posted")
    text = "id,posted\na,2025-12-31T23:59:59.999999Z\nb,2026-01-01\nc,2026-01-31T23:59:59.9Z\n"
    path = csv_file(tmp_path, f"{text}d,2026-02-01T00:00:00Z\ne,2026-02-01T00:30:00+01:00\n")
    assert ids(rows_of(spark, moments, place(path))) == ["b", "c", "e"]


@pytest.mark.parametrize("count", [5_000, pytest.param(200_000, marks=pytest.mark.campaign)])
def test_six_months_of_one_file_are_six_runs(
    spark: SparkSession, tmp_path: Path, count: int
) -> None:
    """Lines as a ledger writes them: each month gets its own, and nothing is lost."""
    first = date(2026, 1, 1)
    lines = (f"J{i},{first + timedelta(days=i % 181)},{i % 997}.25\n" for i in range(count))
    path = csv_file(tmp_path, "id,posted,amount\n" + "".join(lines))
    ledger = dataset(
        "id string", "posted date", "amount decimal(18,2)", mode="period", period_from="posted"
    )
    months = [f"2026-{month:02}" for month in range(1, 7)]
    found = {}
    for month in months:
        loaded = load_all(spark, ledger, place(path), run=context(month)).frame
        found[month] = loaded.groupBy("_period").agg({"amount": "sum", "id": "count"}).collect()
    assert [[row["_period"] for row in rows] for rows in found.values()] == [[m] for m in months]
    assert sum(rows[0]["count(id)"] for rows in found.values()) == count
    total = sum(Decimal(i % 997) + Decimal("0.25") for i in range(count))
    assert sum(rows[0]["sum(amount)"] for rows in found.values()) == total


DAYS = dataset("id string", "valid_from date", "valid_to date", mode="bitemporal")
MOMENTS = dataset("id string", "valid_from timestamp", "valid_to timestamp", mode="bitemporal")
END = date(2026, 1, 31)
VALID_DAYS = """\
id,valid_from,valid_to
before,2025-01-01,2026-01-30
until that day,2025-01-01,2026-01-31
until the next,2025-01-01,2026-02-01
open,2025-01-01,
from that day,2026-01-31,
from the next,2026-02-01,
no start,,
"""
VALID_MOMENTS = """\
id,valid_from,valid_to
until midnight before,2025-01-01,2026-01-31T00:00:00Z
until noon,2025-01-01,2026-01-31T12:00:00Z
until the last microsecond,2025-01-01,2026-01-31T23:59:59.999999Z
until midnight after,2025-01-01,2026-02-01T00:00:00Z
open,2025-01-01,
from noon,2026-01-31T12:00:00Z,
from the last microsecond,2026-01-31T23:59:59.999999Z,
from midnight after,2026-02-01T00:00:00Z,
"""
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wanted", "text", "as_of", "expected"),
    [
        (DAYS, VALID_DAYS, END, {"until the next", "open", "from that day"}),
        (DAYS, VALID_DAYS, NOON, {"until the next", "open", "from that day"}),
        (DAYS, VALID_DAYS, date(2026, 2, 1), {"open", "from that day", "from the next"}),
        (
            DAYS,
            VALID_DAYS,
            datetime(2026, 1, 31, 23, tzinfo=timezone(timedelta(hours=-2))),
            {"open", "from that day", "from the next"},
        ),
        (
            MOMENTS,
            VALID_MOMENTS,
            END,
            {"until midnight after", "open", "from noon", "from the last microsecond"},
        ),
        (
            MOMENTS,
            VALID_MOMENTS,
            NOON,
            {"until the last microsecond", "until midnight after", "open", "from noon"},
        ),
        (
            MOMENTS,
            VALID_MOMENTS,
            datetime(2026, 1, 31, 11, 59, 59, 999999, tzinfo=UTC),
            {"until noon", "until the last microsecond", "until midnight after", "open"},
        ),
    ],
)
def test_rows_are_seen_that_are_valid_as_of_a_day_or_an_instant(
    spark: SparkSession,
    tmp_path: Path,
    wanted: Dataset,
    text: str,
    as_of: date | datetime,
    expected: set[str],
) -> None:
    path = csv_file(tmp_path, text)
    found = rows_of(spark, wanted, place(path), run=context(as_of=as_of))
    assert {row["id"] for row in found} == expected


def test_the_first_pair_of_validity_counts(spark: SparkSession, tmp_path: Path) -> None:
    columns = ("_valid_from date", "_valid_to date", "valid_from date", "valid_to date")
    path = csv_file(
        tmp_path,
        "id,_valid_from,_valid_to,valid_from,valid_to\n"
        "seen,2026-01-01,,2030-01-01,\nnot seen,2030-01-01,,2026-01-01,\n",
    )
    wanted = dataset("id string", *columns, mode="bitemporal")
    assert ids(rows_of(spark, wanted, place(path))) == ["seen"]
