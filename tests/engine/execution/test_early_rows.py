"""Outputs that are begun before totals are made: that it changes no row, no count and no error."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from tests.engine.counting.test_by_group import WORKSPACE, random_project
from tests.engine.random_levels import random_rows
from tests.engine.running import EarlyListWriter, Rows, TableReader
from tests.support.reference_run import bag, refer
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, total, update

pytestmark = pytest.mark.spark

SEEDS = 4
EVERY = frozenset(range(1, 100))
APPEND = "type: append, arguments: {source: {dataset_id: more}}"


def output(columns: str, selector: str = "TRUE") -> str:
    return (
        f'type: output, selector: "{selector}", arguments:'
        f" {{destination: {{location: {{path: out}}}}, columns: [{columns}]}}"
    )


def check(
    spark: SparkSession, folder: Path, text: str, tables: dict[str, Rows], options: Options
) -> list[int]:
    """Compares with the reference; gives the outputs that were begun."""
    plan = plan_of(folder, text)
    writer = EarlyListWriter(folder, EVERY)
    reader = TableReader(spark, tables)
    pipeline = Pipeline(plan, CONTEXT, reader, writer, options=options, early=writer)
    pipeline.run()
    expected = refer(plan, tables)
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == (expected.counts if options.ledger else {}), text
    for seq, wanted in expected.outputs.items():
        assert bag(writer.rows[seq]) == bag(wanted), (seq, text)
    return list(writer.begun)


def tables(pick: random.Random) -> dict[str, Rows]:
    more = [{**row, "_deleted": False} for row in random_rows(pick)]
    return {"t": random_rows(pick), "more": more}


@pytest.mark.parametrize("options", [Options(), Options(ledger=False)], ids=["ledger", "none"])
def test_a_close_is_the_same(spark: SparkSession, tmp_path: Path, options: Options) -> None:
    operations = (
        delete("i = 3"),
        update("c", "'z'", "k = 1"),
        update("m", "m * 2", "level IS NULL AND b"),
        update("c", "'v'", "i > 0 AND level IS NULL"),
        update("k", "5", "c = 'z'"),
        APPEND,
        total("s, k", "r", "SUM(m)"),
        total("s", "q", "COUNT(*)", "r IS NULL"),
        delete("r > 2"),
        output("s, k, b, c, i, m, r, _row_id", "q IS NULL"),
        output("s, k, r, q", "q IS NOT NULL OR r IS NOT NULL"),
    )
    given = tables(random.Random(5))
    assert len(given["t"]) > 5
    assert check(spark, tmp_path, WORKSPACE + numbered(*operations), given, options) == [10]


def test_groups_may_have_nothing_left_to_count(spark: SparkSession, tmp_path: Path) -> None:
    operations = (
        update("m", "m * 2"),
        update("m", "m * 3", "s = 'a'"),
        delete("m < 0"),
        total("s", "m", "SUM(m)"),
        output("s, k, m"),
    )
    text = WORKSPACE + numbered(*operations)
    assert check(spark, tmp_path, text, tables(random.Random(5)), Options()) == [5]


def test_random_closes_are_the_same(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    pick = random.Random(seed)
    _, _, operations = random_project(pick).partition("  operations:\n")
    for columns in ("s, k, b, c, i, m, _row_id", "s, r, m"):
        plain = "type: output, arguments: {destination: {location: {path: out}}}"
        operations = operations.replace(plain, output(columns), 1)
    check(spark, tmp_path, WORKSPACE + operations, tables(pick), Options())


def test_what_fails_is_traced_to_its_operation(spark: SparkSession, tmp_path: Path) -> None:
    operations = (
        update("i", "i * 9223372036854775807", "k = 1"),
        update("c", "'x'", "i > 1"),
        total("s", "r"),
        output("s, i, c"),
    )
    plan = plan_of(tmp_path, WORKSPACE + numbered(*operations))
    reader = TableReader(spark, {"t": [{"s": "a", "k": 1, "i": 7}], "more": []})
    writer = EarlyListWriter(tmp_path, EVERY)
    with pytest.raises(RowbookError) as failed:
        Pipeline(plan, CONTEXT, reader, writer, early=writer).run()
    (diagnostic,) = failed.value.diagnostics
    assert (diagnostic.code, diagnostic.operation and diagnostic.operation.seq) == ("RUN_001", 1)
