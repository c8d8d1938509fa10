"""Rows that differ: of keys that stand once, of keys that stand twice, and of no key."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.aligned import KeyCandidate
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, Repeated
from tests.engine.compare.tables import compared, counts, row, side

pytestmark = pytest.mark.spark


def test_rows_of_a_key_that_stands_twice_are_compared_whole(spark: SparkSession) -> None:
    before = [row(1, "a"), row(1, "b"), row(1, "b"), row(2, "c"), row(None, "d")]
    after = [row(1, "b"), row(1, "x"), row(2, "e"), row(None, "f")]
    found = compared(spark, "k integer; v string", before, after)
    assert (found.repeated_before, found.repeated_after) == (Repeated(1, 3), Repeated(1, 2))
    assert counts(found) == (1, 2, 2, 1)
    assert [each.key["k"] for each in found.changed_rows] == [2, None]
    assert found.rows_only_before == (row(1, "a"), row(1, "b"))
    assert found.rows_only_after == (row(1, "x"),)


def test_a_row_that_is_there_more_often_is_shown_so_often(spark: SparkSession) -> None:
    found = compared(
        spark, "k integer; v string", [row(1, "a")] * 5 + [row(2, "b")] * 2, [row(1, "a")], key=()
    )
    assert counts(found) == (1, 0, 6, 0)
    assert found.rows_only_before == (*[row(1, "a")] * 4, *[row(2, "b")] * 2)
    cut = compared(
        spark, "k integer; v string", [row(1, "a")] * 5 + [row(2, "b")] * 2, [], key=(), limit=3
    )
    assert (cut.only_before, cut.rows_only_before) == (7, (row(1, "a"),) * 3)


def test_rows_that_are_matched_by_their_ids_are_shown_by_what_people_know(
    spark: SparkSession,
) -> None:
    columns = "_row_id string; k integer; v string; w string"
    before = [{"_row_id": "x", **row(7, "a", "b")}, {"_row_id": "y", **row(None, "a", "b")}]
    after = [{**each, "w": "c"} for each in before]
    both = side(spark, columns, before), side(spark, columns, after)
    candidates = [KeyCandidate(("_row_id",))]
    found = compare_tables(*both, Criteria(), candidates, natural_key=("k",))
    assert [(each.key, each.known_by) for each in found.changed_rows] == [
        ({"_row_id": "x"}, {"k": 7}),
        ({"_row_id": "y"}, {"v": "a"}),
    ]
