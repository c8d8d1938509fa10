"""Rows made from rows on Spark: ids and counts, however the rows are cut up."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from tests.engine.running import ListWriter, Rows, TableReader, run
from tests.support.reference_run import bag, refer
from tests.support.small_plans import CONTEXT, numbered, plan_of

pytestmark = pytest.mark.spark

WORKSPACE = """
dataset:
  name: costs
  main_table:
    name: c
    columns:
      - {name: pool, type: string}
      - {name: unit, type: string}
      - {name: amount, type: "decimal(18,2)"}
---
dataset:
  name: shares
  main_table:
    name: s
    columns:
      - {name: pool, type: string}
      - {name: unit, type: string}
      - {name: weight, type: "decimal(9,3)"}
---
project:
  name: p
  input_dataset_id: costs
  operations:
"""
JOIN = "joins: [{alias: s, dataset_id: shares, on: %s, many: true%s}]"
BY_POOL = JOIN % ('"c.pool = s.pool"', "%s")
SPREAD = 'spread: {column: amount, weight: "s.weight", scale: 2}'
UNIT = "assignments: [{column: unit, expression: s.unit}]"
OUTPUT = "type: output, arguments: {destination: {location: {path: out}}, columns: [unit, amount]}"


def entries(*parts: str, source: str = "working") -> str:
    return f"type: append, arguments: {{source: {source}, {', '.join(parts)}}}"


COSTS: Rows = [
    {"pool": pool, "unit": None, "amount": None if amount is None else Decimal(amount)}
    for pool, amount in (
        *(("A", "100.00"), ("A", "100.00"), ("A", "-0.05"), ("B", "7.77")),
        *(("B", None), ("C", "1.00"), (None, "2.00")),
    )
]
SHARES: Rows = [
    {"pool": pool, "unit": unit, "weight": Decimal(weight)}
    for pool, unit, weight in (
        *(("A", "u1", "1"), ("A", "u2", "1"), ("A", "u3", "1"), ("A", "u3", "1")),
        *(("B", "u1", "-0.5"), ("B", "u2", "-0.001"), ("B", "u4", "0")),
    )
]
TABLES = {"costs": COSTS, "shares": SHARES}
OPERATIONS = (
    entries(BY_POOL % ", unmatched: keep", SPREAD, UNIT),
    entries(BY_POOL % ", unmatched: drop", UNIT, "source_selector: unit IS NULL"),
    entries(JOIN % ("s.weight > c.amount", ", unmatched: keep"), UNIT),
    entries(BY_POOL % ", unmatched: drop", SPREAD, UNIT, source="{dataset_id: costs}"),
)


@pytest.mark.some(1)
@pytest.mark.parametrize("partitions", [1, 3])
def test_entries_are_the_same_however_rows_are_cut_up(
    spark: SparkSession, tmp_path: Path, partitions: int
) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(*OPERATIONS))
    expected = refer(plan, TABLES)
    reader = TableReader(spark, TABLES, lambda frame: frame.repartition(partitions))
    rows, pipeline = run(plan, reader)
    assert bag(rows) == bag(expected.rows)
    assert len({row["_row_id"] for row in rows}) == len(rows)
    assert {s: (c.matched, c.added) for s, c in pipeline.counts.items() if s} == expected.counts
    assert expected.counts[2] == (9, 18)


def test_entries_are_the_same_without_ids(spark: SparkSession, tmp_path: Path) -> None:
    """Where nobody reads ids, rows have none: the parts of a spread need them all the same."""
    operations = (OPERATIONS[1], OPERATIONS[3], OUTPUT)
    plan = plan_of(tmp_path, WORKSPACE + numbered(*operations))
    expected, writer = refer(plan, TABLES), ListWriter()
    pipeline = Pipeline(plan, CONTEXT, TableReader(spark, TABLES), writer)
    pipeline.run()
    assert bag(writer.rows[3]) == bag(expected.outputs[3])
    counts = {s: (c.matched, c.added) for s, c in pipeline.counts.items() if s}
    assert counts == expected.counts


FAILING = [
    (
        entries(BY_POOL % "", UNIT),
        "JOIN_007  operation 1 'op 1': join 's' to dataset 'shares': 2 rows without a match: key C"
        " (1 row), key NULL (1 row)",
    ),
    (
        entries(JOIN % ("s.weight > 99", ""), UNIT),
        "JOIN_007  operation 1 'op 1': join 's' to dataset 'shares': 7 rows without a match",
    ),
    (
        entries(
            JOIN % ("TRUE", ""), SPREAD, UNIT, "source_selector: amount = 1",
            source="{dataset_id: costs}",
        ),
        "RUN_012  operation 1 'op 1': 'amount' cannot be spread over 's': C, NULL, 1.00: weights"
        " are positive and negative",
    ),
]  # fmt: skip


@pytest.mark.some(2)
@pytest.mark.parametrize(("operation", "message"), FAILING)
def test_what_fails_is_told_in_full_and_nothing_is_written(
    spark: SparkSession, tmp_path: Path, operation: str, message: str
) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(operation, OUTPUT))
    writer = ListWriter()
    with pytest.raises(RowbookError) as reference:
        refer(plan, TABLES)
    assert [str(each) for each in reference.value.diagnostics] == [message]
    with pytest.raises(RowbookError) as found:
        run(plan, TableReader(spark, TABLES), writer=writer, options=Options(few_rows=True))
    assert [str(each) for each in found.value.diagnostics] == [message]
    assert writer.rows == {}


COPYING = (
    "type: update, selector: \"pool = 'A'\", arguments: {assignments:"
    " [{column: unit, expression: \"'x'\"}]}",
    "type: append, arguments: {source: working,"
    ' assignments: [{column: amount, expression: "-amount"}]}',
    "type: append, arguments: {source: working, source_selector: \"unit = 'x' AND amount > 0\"}",
    "type: delete, selector: \"pool = 'B'\"",
    'type: append, arguments: {source: working, source_selector: "amount < 0", assignments:'
    ' [{column: pool, expression: "CONCAT(pool, unit)"}]}',
)
"""Entries from entries, of rows that carry marks; some are deleted on the way."""


def test_copies_are_the_entries_that_a_pass_of_their_own_makes(
    spark: SparkSession, tmp_path: Path
) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(*COPYING, OUTPUT))
    found = []
    for copies in (True, False):
        writer = ListWriter()
        reader = TableReader(spark, TABLES)
        rows, pipeline = run(plan, reader, writer=writer, options=Options(copies=copies))
        assert bag(rows) == bag(refer(plan, TABLES).rows)
        found.append((pipeline.counts, [bag(each) for each in writer.rows.values()]))
    assert found[0] == found[1]
    assert [pipeline.counts[seq].added > 0 for seq in (2, 3, 5)] == [True] * 3


def _parts(rows: list[dict[str, Any]]) -> list[Decimal]:
    return [row["amount"] for row in rows if row["_operation_seq"]]


AMOUNTS = ("0", "0.01", "-0.01", "-123456789.12", "1")
WIDE_WEIGHTS = ("0.3333333333", "0.1", "12345.6789", "0.0000000001")


@pytest.mark.some(1)
@pytest.mark.parametrize("lists", [True, False], ids=["lists", "rows together"])
@pytest.mark.parametrize(
    ("types", "most", "weights"),
    [
        (("decimal(18,2)", "decimal(9,3)"), "9999999999999999.99", ("0.333", "0.1", "123456.789")),
        (("decimal(18,2)", "decimal(38,20)"), "9999999999999999.99", WIDE_WEIGHTS),
        (("decimal(38,6)", "decimal(9,3)"), "99999999999999999999.99", ("0", "0.1", "123456.789")),
        (("decimal(38,6)", "decimal(38,20)"), "1e21", WIDE_WEIGHTS),
    ],
)
def test_parts_add_up_on_spark_for_wide_amounts_and_weights(
    spark: SparkSession,
    tmp_path: Path,
    types: tuple[str, str],
    most: str,
    weights: tuple[str, ...],
    lists: bool,
) -> None:
    amount, weight = types
    text = WORKSPACE.replace("decimal(18,2)", amount).replace("decimal(9,3)", weight)
    plan = plan_of(tmp_path, text + numbered(entries(BY_POOL % "", SPREAD, UNIT)))
    amounts = (*AMOUNTS, most)
    costs: Rows = [{"pool": "A", "unit": None, "amount": Decimal(each)} for each in amounts]
    shares: Rows = [
        {"pool": "A", "unit": f"u{i}", "weight": Decimal(each)} for i, each in enumerate(weights)
    ]
    tables = {"costs": costs, "shares": shares}
    rows, _ = run(plan, TableReader(spark, tables), options=Options(spread_lists=lists))
    assert bag(rows) == bag(refer(plan, tables).rows)
    assert sum(_parts(rows)) == sum(map(Decimal, amounts))
    assert len(_parts(rows)) == len(amounts) * len(weights)


@pytest.mark.campaign
def test_an_amount_that_is_too_large_to_spread_is_an_overflow(
    spark: SparkSession, tmp_path: Path
) -> None:
    text = WORKSPACE.replace("decimal(18,2)", "decimal(38,2)")
    plan = plan_of(tmp_path, text + numbered(entries(BY_POOL % "", SPREAD, UNIT)))
    tables: dict[str, Rows] = {
        "costs": [{"pool": "A", "unit": None, "amount": Decimal("1e33")}],
        "shares": [{"pool": "A", "unit": u, "weight": Decimal(10**5)} for u in "xy"],
    }
    message = "RUN_001  operation 1 'op 1': a value of column 'amount' does not fit decimal(38,2)"
    assert refer_overflow(plan, tables) == message
    with pytest.raises(RowbookError) as found:
        run(plan, TableReader(spark, tables))
    assert [str(each) for each in found.value.diagnostics] == [message]


def refer_overflow(plan: Any, tables: Any) -> str:
    with pytest.raises(RowbookError) as found:
        refer(plan, tables)
    (only,) = found.value.diagnostics
    return str(only)
