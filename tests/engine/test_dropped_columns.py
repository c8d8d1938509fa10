"""Runs that keep only columns that are still read, as real runs do: outputs and counts stay."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from tests.engine.random_projects import planned, random_tables
from tests.engine.running import ListWriter, Rows, TableReader
from tests.engine.test_random_projects import LoadingReader
from tests.support.reference_run import bag, refer, seen_of
from tests.support.small_plans import CONTEXT, plan_of

pytestmark = pytest.mark.spark

SEEDS = 2
WAYS = {
    "usual": Options(),
    "dropped at checkpoints alone": Options(narrow_rows=False, longest_plan=2),
    "short plans": Options(longest_plan=1),
    "all kept": Options(segments=False),
}

DATASET = """
dataset:
  name: t
  main_table:
    name: t
    columns:
      - {name: k, type: integer}
      - {name: m, type: "decimal(18,2)"}
      - {name: x, type: "decimal(18,2)"}
---
project:
  name: p
  input_dataset_id: t
  operations:
"""


@pytest.mark.some(1)
@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_outputs_and_counts_are_those_of_the_reference(
    spark: SparkSession, tmp_path: Path, seed: int, options: Options
) -> None:
    pick = random.Random(seed)
    while True:
        text, plan = planned(tmp_path, pick, length=4 + seed % 5)
        tables = random_tables(pick)
        try:
            expected = refer(plan, tables)
        except RowbookError:
            continue
        if expected.outputs and expected.overflow is None:
            break
    writer = ListWriter()
    pipeline = Pipeline(plan, CONTEXT, LoadingReader(spark, tables), writer, options=options)
    pipeline.run()
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == expected.counts, text
    for seq, wanted in expected.outputs.items():
        assert bag(writer.rows[seq]) == bag(wanted), (seq, text)
    assert seen_of(pipeline.observations) == seen_of(expected.observations), text


def update(seq: int, column: str, value: str, selector: str = "TRUE") -> str:
    return (
        f'    - {{seq: {seq}, name: op {seq}, type: update, selector: "{selector}",'
        f' arguments: {{assignments: [{{column: {column}, expression: "{value}"}}]}}}}\n'
    )


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(
    "unread",
    [
        pytest.param(update(3, "fresh", "m"), id="new"),
        pytest.param(update(3, "x", "m", "x > 1"), id="read by its own condition"),
        pytest.param(update(3, "x", "m"), id="old"),
    ],
)
def test_a_value_that_nobody_reads_needs_nothing(
    spark: SparkSession, tmp_path: Path, unread: str, options: Options
) -> None:
    output = (
        "    - {seq: 4, name: write, type: output,"
        " arguments: {destination: {location: {path: out}}, columns: [k]}}\n"
    )
    text = update(1, "k", "k + 1") + update(2, "k", "k + 1") + unread + output
    rows: Rows = [{"k": 1, "m": None, "x": 2}]
    writer, reader = ListWriter(), TableReader(spark, {"t": rows})
    plan = plan_of(tmp_path, DATASET + text)
    pipeline = Pipeline(plan, CONTEXT, reader, writer, options=options)
    pipeline.run()
    assert writer.rows == {4: [{"k": 3}]}
    assert pipeline.counts[3].matched == 1
