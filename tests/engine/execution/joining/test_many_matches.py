"""Whether rows with the same keys have the same matches, so that one of these tells of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.joining.many_matches import MatchJoin, is_first, tells_first
from tests.support.local_frame import local_frame
from tests.support.small_plans import CONTEXT, numbered, plan_of

WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    columns: [{name: k, type: integer}, {name: b, type: boolean}]
---
dataset:
  name: names
  main_table:
    name: n
    columns: [{name: code, type: integer}, {name: rate, type: integer}]
---
project:
  name: p
  input_dataset_id: t
  operations:
"""


@pytest.mark.parametrize(
    ("condition", "tells"),
    [
        ("t.k = j.code", True),
        ("t.k = j.code AND t.b", True),
        ("t.k = j.code AND j.rate > 1", True),
        ("j.rate > 1", True),
        ("TRUE", True),
        ("t.k < j.code", False),
        ("t.k = j.code AND t.k < j.rate", False),
    ],
)
def test_a_condition_that_compares_for_equality_alone_tells(
    tmp_path: Path, condition: str, tells: bool
) -> None:
    append = (
        "type: append, arguments: {source: working, joins: [{alias: j, dataset_id: names,"
        f" on: {condition}, many: true}}]}}"
    )
    (step,) = plan_of(tmp_path, WORKSPACE + numbered(append)).steps
    assert tells_first(step.joins[0]) is tells


@pytest.mark.spark
def test_the_same_match_is_the_first_in_whatever_order_rows_come(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Else one that is computed again, in other parts, might count for no origin, or for two."""
    append = (
        "type: append, arguments: {source: working, joins: [{alias: j, dataset_id: names,"
        " on: j.rate > 1, many: true}]}"
    )
    (step,) = plan_of(tmp_path, WORKSPACE + numbered(append)).steps
    match = MatchJoin(step.joins[0], Compiler(CONTEXT), "operation 1", with_ids=False)
    rows = [(1, 5), (None, 7), (2, 5), (3, 1), (1, None)]
    frame = local_frame(spark, [(9, True)], "k bigint, b boolean")
    firsts = []
    for given in (rows, rows[::-1], sorted(rows, key=str)):
        joined = match.joined(frame, local_frame(spark, given, "code bigint, rate bigint"))
        found = joined.filter(is_first("j")).select("__j__code", "__j__rate").collect()
        firsts.append([tuple(row) for row in found])
    assert firsts == [[(None, 7)]] * 3
