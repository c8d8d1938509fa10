"""The key of two tables: the first candidate that tells their rows apart."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.aligned import KeyCandidate, Side
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria
from tests.engine.compare.tables import counts, row, side

pytestmark = pytest.mark.spark


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ([1, 2, 3], ("k",)),
        ([1, 1, 3], ("v",)),
        ([1, None, 3], ("k",)),
        ([1, None, None], ("v",)),
    ],
)
def test_the_first_candidate_that_tells_rows_apart_is_the_key(
    spark: SparkSession, keys: list[int | None], chosen: tuple[str, ...]
) -> None:
    rows = [row(key, f"v{i}") for i, key in enumerate(keys)]
    both = side(spark, "k integer; v string", rows), side(spark, "k integer; v string", rows)
    candidates = [KeyCandidate(("x",)), KeyCandidate(("k",)), KeyCandidate(("v",))]
    assert compare_tables(*both, Criteria(), candidates).key == chosen


@pytest.mark.campaign
def test_a_loose_candidate_may_be_null_more_than_once(spark: SparkSession) -> None:
    before = [row(1, "a"), row(None, "b"), row(None, "c")]
    after = [row(1, "x"), row(None, "b"), row(None, "y")]
    both = side(spark, "k integer; v string", before), side(spark, "k integer; v string", after)
    found = compare_tables(*both, Criteria(), [KeyCandidate(("k",), loose=True)])
    assert (found.key, counts(found)) == (("k",), (1, 1, 1, 1))


def test_row_ids_are_a_key_only_where_some_are_the_same(spark: SparkSession) -> None:
    def of(*ids: str) -> Side:
        return side(spark, "_row_id string; v string", [{"_row_id": i, "v": "a"} for i in ids])

    candidates = [KeyCandidate(("_row_id",))]
    assert compare_tables(of("1", "2"), of("2", "3"), Criteria(), candidates).key == ("_row_id",)
    assert compare_tables(of("1", "2"), of("3", "4"), Criteria(), candidates).key == ()
