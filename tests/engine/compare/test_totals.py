"""Totals of two tables side by side, of all rows and of groups."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.aligned import LevelKinds, RowKinds
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, Subtotals, Total
from tests.engine.compare.tables import compared, row, side

pytestmark = pytest.mark.spark


@pytest.mark.campaign
def test_totals_of_numeric_columns_stand_side_by_side(spark: SparkSession) -> None:
    columns = "k integer; v decimal(38,2); w integer"
    before = [row(1, Decimal("10.50"), 2**62), row(2, Decimal("-0.25"), 2**62)]
    after = [row(1, Decimal("10.50"), None), row(3, None, None)]
    found = compared(spark, columns, before, after)
    assert found.totals == (
        Total("v", Decimal("10.25"), Decimal("10.50"), Decimal("0.25")),
        Total("w", Decimal(2**63), None, Decimal(-(2**63))),
    )


def test_a_sum_that_no_decimal_holds_has_no_difference(spark: SparkSession) -> None:
    large = Decimal("9" * 38)
    rows = [row(1, large), row(2, large)]
    found = compared(spark, "k integer; v decimal(38,0)", rows, [row(1, large)])
    assert found.totals == (Total("v", None, large, None),)


def test_groups_that_differ_are_shown_with_their_totals(spark: SparkSession) -> None:
    columns = "k integer; v string; w decimal(9,2)"
    before = [row(1, "a", Decimal(1)), row(2, "b", Decimal(2)), row(3, None, Decimal(3))]
    after = [row(1, "a", Decimal(1)), row(2, "b", Decimal(5)), row(3, "c", Decimal(3))]
    groups = compared(spark, columns, before, after, group_by=("v",)).groups
    assert groups is not None
    assert (groups.count, groups.different) == (4, 3)
    assert [(g.group["v"], g.rows_before, g.rows_after, g.totals[0].difference)
            for g in groups.shown] == [
        ("b", 1, 1, Decimal("3.00")),
        ("c", 0, 1, Decimal("3.00")),
        (None, 1, 0, Decimal("-3.00")),
    ]  # fmt: skip
    cut = compared(spark, columns, before, after, group_by=("v",), limit=1).groups
    assert cut is not None
    assert (cut.different, len(cut.shown)) == (3, 1)


LINES_AND_SUMMARIES = "k integer; v string; w decimal(9,2); _operation_seq integer"


def booked(k: int, v: str, w: str, seq: int | None = None) -> dict[str, object]:
    return {"k": k, "v": v, "w": Decimal(w), "_operation_seq": seq}


BEFORE = [
    booked(1, "a", "1.00"),
    booked(2, "b", "2.00", 15),
    booked(3, "a", "1.00", 20),
    booked(4, "b", "2.00", 20),
    booked(5, "all", "3.00", 30),
]
AFTER = [
    booked(1, "a", "5.00"),
    booked(2, "b", "2.00", 15),
    booked(3, "a", "5.00", 20),
    booked(4, "b", "2.00", 20),
    booked(5, "all", "7.00", 30),
]


def test_lines_and_the_subtotals_of_each_aggregate_are_never_added_up(spark: SparkSession) -> None:
    kinds = RowKinds(aggregates=(20, 30))
    found = compared(spark, LINES_AND_SUMMARIES, BEFORE, AFTER, kinds, group_by=("v",))
    total = Total("w", Decimal("3.00"), Decimal("7.00"), Decimal("4.00"))
    assert found.totals == (total,)
    assert found.subtotals == (Subtotals(20, 2, 2, (total,)), Subtotals(30, 1, 1, (total,)))
    assert (found.rows_before, found.lines, found.mixed) == (5, (2, 2), False)
    groups = found.groups
    assert groups is not None
    assert (groups.count, groups.different) == (5, 3)
    assert [(g.group["v"], g.seq, g.totals[0].difference) for g in groups.shown] == [
        ("a", None, Decimal("4.00")),
        ("a", 20, Decimal("4.00")),
        ("all", 30, Decimal("4.00")),
    ]


@pytest.mark.campaign
def test_summary_rows_of_one_side_are_rows_that_the_other_has_not(spark: SparkSession) -> None:
    before = side(spark, LINES_AND_SUMMARIES, BEFORE[:2])
    after = side(spark, LINES_AND_SUMMARIES, AFTER[:4], RowKinds(aggregates=(20,)))
    found = compare_tables(before, after, Criteria(key=("k",)))
    assert found.totals == (Total("w", Decimal("3.00"), Decimal("7.00"), Decimal("4.00")),)
    added = Total("w", None, Decimal("7.00"), Decimal("7.00"))
    assert found.subtotals == (Subtotals(20, 0, 2, (added,)),)


def test_a_table_of_summary_rows_alone_needs_no_column_that_says_so(spark: SparkSession) -> None:
    rows = [row(1, Decimal("1.00")), row(2, Decimal("2.00"))]
    kinds = RowKinds(lines=False, aggregates=(20,))
    found = compared(spark, "k integer; v decimal(9,2)", rows, rows[:1], kinds)
    total = Total("v", Decimal("3.00"), Decimal("1.00"), Decimal("-2.00"))
    assert (found.subtotals, found.mixed) == ((Subtotals(20, 2, 1, (total,)),), False)
    assert found.totals == (Total("v", None, None, None),)


def test_rows_that_cannot_be_told_apart_are_added_up_and_that_is_said(spark: SparkSession) -> None:
    rows = [row(1, Decimal("1.00")), row(2, Decimal("1.00"))]
    kinds = RowKinds(aggregates=(20,))
    found = compared(spark, "k integer; v decimal(9,2)", rows, rows, kinds)
    assert (found.mixed, found.subtotals) == (True, ())
    assert found.totals == (Total("v", Decimal("2.00"), Decimal("2.00"), Decimal("0.00")),)


def test_levels_of_one_aggregate_are_never_added_up(spark: SparkSession) -> None:
    kinds = RowKinds(aggregates=(20,), levels={20: LevelKinds(("line", "all"), "v")})
    before = [booked(1, "a", "3.00"), booked(2, "line", "1.00", 20), booked(3, "line", "2.00", 20)]
    after = [booked(1, "a", "7.00"), booked(2, "line", "5.00", 20), booked(3, "line", "2.00", 20)]
    before.append(booked(4, "all", "3.00", 20))
    after.append(booked(4, "all", "7.00", 20))
    found = compared(spark, LINES_AND_SUMMARIES, before, after, kinds, group_by=("v",))
    total = Total("w", Decimal("3.00"), Decimal("7.00"), Decimal("4.00"))
    assert found.totals == (total,)
    assert found.subtotals == (
        Subtotals(20, 2, 2, (total,), "line"),
        Subtotals(20, 1, 1, (total,), "all"),
    )
    groups = found.groups
    assert groups is not None
    assert [(g.group["v"], g.seq, g.level) for g in groups.shown] == [
        ("a", None, None),
        ("all", 20, "all"),
        ("line", 20, "line"),
    ]


@pytest.mark.campaign
def test_levels_that_no_column_tells_are_said_to_be_mixed(spark: SparkSession) -> None:
    rows = [row(1, Decimal("1.00")), row(2, Decimal("1.00"))]
    kinds = RowKinds(False, (20,), {20: LevelKinds(("line", "all"))})
    found = compared(spark, "k integer; v decimal(9,2)", rows, rows, kinds)
    assert (found.mixed, found.subtotals) == (True, ())
    one = RowKinds(False, (20,), {20: LevelKinds(("all",))})
    found = compared(spark, "k integer; v decimal(9,2)", rows, rows, one)
    total = Total("v", Decimal("2.00"), Decimal("2.00"), Decimal("0.00"))
    assert (found.mixed, found.subtotals) == (False, (Subtotals(20, 2, 2, (total,), "all"),))
