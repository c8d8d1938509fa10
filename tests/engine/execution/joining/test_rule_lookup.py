"""Tables of rules on frames: that a table changes nothing."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.strategy.options import Options
from tests.engine.random_rules import DATASET, random_rows, random_rules
from tests.engine.running import ListWriter, Rows, TableReader, run
from tests.support.reference_run import bag, refer
from tests.support.small_plans import numbered, plan_of, update

SEEDS = 2
WAYS = {
    "one by one": Options(layers=False, rule_tables=False),
    "layers": Options(rule_tables=False),
    "tables": Options(smallest_table=1),
    "tables of two": Options(smallest_table=2),
}


@pytest.mark.some(2)
@pytest.mark.spark
@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_rules_mean_the_same_whichever_way_they_are_computed(
    spark: SparkSession, tmp_path: Path, seed: int, options: Options
) -> None:
    pick = random.Random(seed)
    operations = random_rules(pick)
    rows = random_rows(pick)
    plan = plan_of(tmp_path, DATASET + operations)
    expected, writer = refer(plan, {"t": rows}), ListWriter()
    found, pipeline = run(plan, TableReader(spark, {"t": rows}), options=options, writer=writer)
    assert bag(found) == bag(expected.rows), operations
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == expected.counts, operations
    for seq, written in expected.outputs.items():
        assert bag(writer.rows[seq]) == bag(written), operations


OVERFLOWING: Rows = [{"s": "b", "n": 2**63 - 1}, {"s": "a", "n": 1}]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("selector", "rows"),
    [
        ("s = 'a' AND n + 1 = 2", OVERFLOWING),
        ("n + 1 = 2", [{**OVERFLOWING[0], "_deleted": True}, OVERFLOWING[1]]),
    ],
)
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(WAYS["layers"], id="layers"),
        pytest.param(WAYS["tables"], id="tables"),
    ],
)
def test_a_key_is_not_computed_for_rows_that_no_rule_asks(
    spark: SparkSession, tmp_path: Path, selector: str, rows: Rows, options: Options
) -> None:
    plan = plan_of(tmp_path, DATASET + numbered(update("c", "'v'", selector)))
    found, pipeline = run(plan, TableReader(spark, {"t": rows}), options=options)
    assert sorted((row["s"], row["c"]) for row in found) == [("a", "v"), ("b", None)]
    assert pipeline.counts[1].matched == 1


@pytest.mark.spark
def test_ranges_of_every_type_are_cut_where_they_begin_and_end(
    spark: SparkSession, tmp_path: Path
) -> None:
    moments = DATASET.replace(
        "      - {name: c,", "      - {name: z, type: timestamp}\n      - {name: c,"
    )
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    rules = (
        update("c", "'late'", "z > TIMESTAMP('2026-01-31T12:00:00Z')"),
        update("x", "1", "s BETWEEN 'a' AND 'b' OR s = '\ue000'"),
        update("y", "2", "m <= 0.10 OR m > 99.99"),
        update("n", "3", "d <= DATE('9999-12-31')"),
    )
    rows: Rows = [
        {"z": noon, "s": "b", "m": Decimal("0.10"), "d": date(2026, 1, 31)},
        {"z": noon + timedelta(microseconds=1), "s": "b\0", "m": Decimal("0.11")},
        {"z": None, "s": "\ue000", "m": Decimal("100.00")},
        {"z": noon - timedelta(days=1), "s": "", "m": None},
    ]
    plan = plan_of(tmp_path, moments + numbered(*rules))
    found, _ = run(plan, TableReader(spark, {"t": rows}), options=WAYS["tables"])
    assert bag(found) == bag(refer(plan, {"t": rows}).rows)
    assert sorted((row["s"], row["c"], row["x"], row["y"], row["n"]) for row in found) == [
        ("", None, None, None, None),
        ("b", None, 1, Decimal("2.00"), 3),
        ("b\0", "late", None, None, None),
        ("\ue000", None, 1, Decimal("2.00"), None),
    ]


@pytest.mark.spark
def test_rules_of_ranges_set_values_of_every_type_and_none(
    spark: SparkSession, tmp_path: Path
) -> None:
    more = DATASET.replace(
        "      - {name: c,", "      - {name: z, type: timestamp}\n      - {name: c,"
    )
    texts = ("''", "' one, two'", "NULL")
    values = {
        "c": texts,
        "b": ("TRUE", "FALSE", "NULL"),
        "x": ("9223372036854775807", "NULL", "-1"),
        "y": ("0.01", "-9999999999999999.99", "NULL"),
        "d": ("DATE('0001-01-01')", "NULL", "DATE('9999-12-31')"),
        "z": ("TIMESTAMP('2026-01-31T12:00:00.000001Z')", "NULL", "NULL"),
    }
    rules = [
        update(column, literals[i], f"n BETWEEN {10 * i} AND {10 * i + 4}")
        for i in range(3)
        for column, literals in values.items()
    ]
    rows: Rows = [{"n": n, "c": "before", "x": 5, "b": True} for n in (-1, 0, 4, 5, 12, 21, 25)]
    rows.append({"n": None, "c": "before"})
    plan = plan_of(tmp_path, more + numbered(*rules))
    found, pipeline = run(plan, TableReader(spark, {"t": rows}), options=WAYS["tables"])
    assert bag(found) == bag(refer(plan, {"t": rows}).rows)
    at = {row["n"]: row for row in found}
    assert [at[n]["c"] for n in (-1, 0, 4, 5, 12, 21, 25, None)] == [
        *("before", "", "", "before", " one, two", None, "before", "before"),
    ]
    assert [at[n]["x"] for n in (0, 5, 12, 21)] == [2**63 - 1, 5, None, -1]
    assert at[12]["y"] == Decimal("-9999999999999999.99")
    assert at[21]["d"] == date(9999, 12, 31)
    assert [pipeline.counts[1 + 6 * i].matched for i in range(3)] == [2, 1, 1]
