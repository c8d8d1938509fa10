"""Totals of two tables side by side, of all rows and of groups."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.difference import Total
from tests.engine.compare.tables import compared, row

pytestmark = pytest.mark.spark


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
