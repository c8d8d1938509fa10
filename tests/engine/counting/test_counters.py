"""Counts for the ledger: three ways to read the same marks, and that a lost mark is noticed."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.counting import counters
from rowbook.engine.counting.counters import (
    Added,
    Count,
    Entries,
    Flag,
    collect_all,
    count_rows,
    counter_fields,
    read_all,
)
from rowbook.engine.counting.observed import Observed, _adds_up, _stirred, _stirred_column
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.execution.working import Working
from rowbook.engine.strategy.options import Options
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER
from rowbook.planning.steps import OutputStep
from tests.engine.running import ListWriter, Rows, TableReader
from tests.support.small_plans import CONTEXT, plan_of

WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    columns:
      - {name: s, type: string}
      - {name: k, type: integer}
      - {name: c, type: string}
      - {name: x, type: integer}
---
dataset:
  name: extra
  main_table:
    name: e
    columns:
      - {name: k, type: integer}
---
project:
  name: p
  input_dataset_id: t
  operations:
"""
EXTRA: Rows = [{"k": k} for k in (1, 1, 2, 100)]


def update(selector: str, column: str, value: str) -> str:
    return (
        f'type: update, selector: "{selector}",'
        f' arguments: {{assignments: [{{column: {column}, expression: "{value}"}}]}}'
    )


def output(selector: str) -> str:
    return (
        f'type: output, selector: "{selector}",'
        " arguments: {destination: {location: {path: out}}, columns: [k]}"
    )


AGGREGATE = (
    "type: aggregate, arguments: {group_by: [s], aggregations: [{column: n, expression: COUNT(*)}]}"
)
APPEND = 'type: append, arguments: {source: {dataset_id: extra}, source_selector: "k < 100"}'


def started(spark: SparkSession, folder: Path, rows: Rows, *operations: str) -> Pipeline:
    text = "".join(
        f"    - {{seq: {seq}, name: op {seq}, {operation}}}\n"
        for seq, operation in enumerate(operations, start=1)
    )
    reader = TableReader(spark, {"t": rows, "extra": EXTRA})
    return Pipeline(plan_of(folder, WORKSPACE + text), CONTEXT, reader, ListWriter())


def ways(working: Working) -> list[dict[int, Count] | None]:
    """In a pass of its own, of collected rows, of collected marks, beside a job that writes."""
    fields = [*working.columns.fields.values(), *counter_fields(working.counters)]
    collected = count_rows(working.counters, collect(working.rows(CONTEXT), fields))
    observed = Observed(working.frame, working.counters)
    observed.frame.write.format("noop").mode("overwrite").save()
    counted = working.counters, working.frame
    return [read_all(*counted), collected, collect_all(*counted), observed.counts()]


MANY = 64
SUMS = tuple(update(f"k + 1 > {i} AND k < {i + 3}", "c", f"'{i}'") for i in range(MANY))
"""Each picks three rows; they are no table, and need more bits than a number has."""
LOOKUPS = tuple(update(f"k IN ({i}, {i + 1})", "x", f"{i}") for i in range(MANY))
"""Each picks two; they are more rules than bits, so entries are counted."""


@pytest.mark.some(1)
@pytest.mark.spark
@pytest.mark.parametrize("size", [50, 0], ids=["rows", "no rows"])
def test_all_ways_to_count_say_the_same(spark: SparkSession, tmp_path: Path, size: int) -> None:
    rows: Rows = [{"s": "ab"[k % 2], "k": k, "_deleted": k == 10} for k in range(size)]
    pipeline = started(spark, tmp_path, rows, *SUMS, *LOOKUPS, APPEND, AGGREGATE)
    working = pipeline.run(keep_all=True)
    assert {type(counter) for counter in working.counters} == {Flag, Entries, Added}
    assert len({c.name for c in working.counters if isinstance(c, Flag)}) == 2
    visible = {row["k"] for row in rows if not row["_deleted"]}
    expected = {0: Count(len(visible))}
    expected |= {i + 1: Count(len(visible & {i, i + 1, i + 2})) for i in range(MANY)}
    expected |= {i + MANY + 1: Count(len(visible & {i, i + 1})) for i in range(MANY)}
    expected[2 * MANY + 1] = Count(3, 3)
    expected[2 * MANY + 2] = Count(len(visible) + 3, 3 if size else 1)
    assert pipeline.counts == expected
    assert ways(working) == [expected] * 4


RANGES = tuple(update(f"k BETWEEN {i} AND {i + 2}", "x", f"{i}") for i in range(12))
"""A table of bits: a row meets up to three of them."""


@pytest.mark.spark
def test_marks_that_are_known_are_counted_to_the_last_beside_rows_without(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows: Rows = [{"k": k, "_deleted": k == 3} for k in (None, *range(20), *range(20))]
    working = started(spark, tmp_path, rows, *RANGES).run(keep_all=True)
    flags = [each for each in working.counters if isinstance(each, Flag) and each.seq]
    assert {each.marks for each in flags} == {14}  # 0, 0-1, 0-2, 1-3, …, 9-11, 10-11, 11
    expected = {0: Count(39)} | {i + 1: Count(4 if 1 <= i <= 3 else 6) for i in range(12)}
    assert ways(working) == [expected] * 4


@pytest.mark.spark
def test_marks_of_more_rows_than_expected_are_not_brought_here(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counters, "_COLLECTED", 2)
    pipeline = started(spark, tmp_path, [{"k": k} for k in range(3)], update("k > 0", "x", "1"))
    pipeline.options = Options(few_rows=True)
    working = pipeline.run()
    assert collect_all(working.counters, working.frame) is None
    assert pipeline.counts == {0: Count(3), 1: Count(2)}


@pytest.mark.spark
def test_a_rule_of_a_large_table_that_nothing_can_meet_counts_no_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    never = update("k = 1 AND k = 2", "x", "0")
    pipeline = started(spark, tmp_path, [{"k": 1}], *LOOKUPS, never)
    pipeline.run()
    assert pipeline.counts[MANY + 1] == Count(0)
    assert set(pipeline.counts) == set(range(MANY + 2))


@pytest.mark.some(2)
@pytest.mark.spark
@pytest.mark.parametrize(
    ("selector", "keep_all"),
    [
        *(("FALSE", True), ("1 > 2", False), ("k = NULL", True), ("k > 1", False)),
        pytest.param("FALSE", False, marks=pytest.mark.campaign),
        pytest.param("1 > 2", True, marks=pytest.mark.campaign),
        pytest.param("k = NULL", False, marks=pytest.mark.campaign),
        pytest.param("k > 1", True, marks=pytest.mark.campaign),
    ],
)
def test_rows_are_counted_beside_an_output_that_writes_few_or_none(
    spark: SparkSession, tmp_path: Path, selector: str, keep_all: bool
) -> None:
    rows: Rows = [{"s": "a", "k": k} for k in range(4)]
    steps = (update("k > 0", "c", "'v'"), APPEND, AGGREGATE, output(selector))
    pipeline = started(spark, tmp_path, rows, *steps)
    pipeline.run(keep_all=keep_all)
    assert pipeline.counts == {0: Count(4), 1: Count(3), 2: Count(3, 3), 3: Count(7, 2)}


@pytest.mark.spark
def test_operations_for_summaries_are_counted_beside_those_for_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows: Rows = [{"s": "ab"[k % 2], "k": k} for k in range(4)]
    steps = (
        *(update("k > 0", "c", "'v'"), AGGREGATE, update("n IS NOT NULL", "c", "'total'")),
        *(output("n IS NULL"), output("n > 1"), output("c = 'total'")),
    )
    pipeline = started(spark, tmp_path, rows, *steps)
    pipeline.run()
    assert pipeline.counts == {0: Count(4), 1: Count(3), 2: Count(4, 2), 3: Count(2)}


@pytest.mark.spark
@pytest.mark.parametrize("then", ["n IS NOT NULL", "k > 0"], ids=["summaries", "rows"])
def test_rows_that_only_summaries_are_added_to_are_counted_as_they_are_summarised(
    spark: SparkSession, tmp_path: Path, then: str
) -> None:
    known: list[dict[int, Count]] = []

    class Watching(ListWriter):
        def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
            known.append(dict(pipeline.counts))
            super().write(step, frame, local=local)

    rows: Rows = [{"s": "ab"[k % 2], "k": k, "_deleted": k == 4} for k in range(5)]
    steps = (update("k > 0", "c", "'v'"), AGGREGATE, update(then, "x", "1"))
    pipeline = started(spark, tmp_path, rows, *steps, output("k = 1"), output("n = 2"))
    pipeline.writer = Watching()
    pipeline.run()
    of_rows = {0: Count(4), 1: Count(3)}
    matched = 2 if then == "n IS NOT NULL" else 3
    assert pipeline.counts == of_rows | {2: Count(4, 2), 3: Count(matched)}
    assert known[0] == (of_rows if then == "n IS NOT NULL" else {})


@pytest.mark.some(2)
@pytest.mark.spark
@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("first", ["", 'selector: "k > 0", '], ids=["all rows", "some"])
def test_rows_that_come_to_others_are_counted_as_all_are_written(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    apart: bool,
) -> None:
    """No pass of its own counts them."""
    monkeypatch.delattr("rowbook.engine.execution.run_counts.read_all")
    rows: Rows = [{"s": "ab"[k % 2], "k": k, "_deleted": k == 4} for k in range(5)]
    update_x = f"type: update, {first}arguments: {{assignments: [{{column: x, expression: k}}]}}"
    entries = 'type: append, arguments: {source: working, source_selector: "k > 1"}'
    written = "type: output, arguments: {destination: {location: {path: out}}, columns: [n, k, x]}"
    steps = (update_x, entries, APPEND, AGGREGATE, written)
    pipeline = started(spark, tmp_path, rows, *steps)
    pipeline.options, writer = Options(piece_counts=apart), ListWriter()
    pipeline.writer = writer
    pipeline.run()
    assert pipeline.counts == {
        0: Count(4),
        1: Count(3 if first else 4),
        2: Count(2, 2),
        3: Count(3, 3),
        4: Count(9, 3),
    }
    assert len(writer.rows[5]) == 12


@pytest.mark.campaign
@pytest.mark.spark
def test_more_combinations_of_marks_than_expected_are_counted_another_way(
    spark: SparkSession, tmp_path: Path
) -> None:
    size = 5_000
    rows: Rows = [{"s": "a", "k": k} for k in range(size)]
    bits = [update(f"FLOOR(k / {2**i}) % 2 = 1", "c", f"'{i}'") for i in range(13)]
    pipeline = started(spark, tmp_path, rows, *bits, output("k < 3"))
    working = pipeline.run(keep_all=True)
    expected = {i + 1: Count(sum(k >> i & 1 for k in range(size))) for i in range(13)}
    expected[0] = Count(size)
    assert pipeline.counts == expected
    assert ways(working) == [expected, expected, expected, None]


@pytest.mark.spark
def test_metrics_that_never_come_are_not_waited_for(spark: SparkSession, tmp_path: Path) -> None:
    working = started(spark, tmp_path, [{"k": 1}], update("k > 0", "c", "'v'")).run(keep_all=True)
    began = time.monotonic()
    assert Observed(working.frame, working.counters).counts() is None
    assert time.monotonic() - began < 10


@pytest.mark.spark
@pytest.mark.parametrize("selector", ["TRUE", "FALSE"])
def test_a_month_without_rows_is_counted_at_once(
    spark: SparkSession, tmp_path: Path, selector: str
) -> None:
    pipeline = started(spark, tmp_path, [], update("k > 0", "c", "'v'"), output(selector))
    began = time.monotonic()
    pipeline.run()
    assert pipeline.counts == {0: Count(0), 1: Count(0)}
    assert time.monotonic() - began < 20


@pytest.mark.spark
def test_without_a_ledger_nothing_is_counted(spark: SparkSession, tmp_path: Path) -> None:
    steps = (update("k > 0", "c", "'v'"), APPEND, AGGREGATE, output("TRUE"))
    pipeline = started(spark, tmp_path, [{"k": 1}], *steps)
    pipeline.options = Options(ledger=False)
    assert pipeline.run().counters == ()
    assert pipeline.counts == {}


def histogram(pick: random.Random) -> dict[int, int]:
    marks = {pick.getrandbits(pick.choice((3, 12, 31, 32, 62))) for _ in range(pick.randint(2, 60))}
    return {mark: pick.randint(1, 10 ** pick.randint(1, 9)) for mark in marks}


def seen(marks: dict[int, int]) -> tuple[int, int]:
    """The rows of a histogram, and the hash of their marks."""
    return sum(marks.values()), sum(_stirred(mark) * rows for mark, rows in marks.items())


def test_a_histogram_adds_up_if_it_is_whole() -> None:
    pick = random.Random(1)
    assert _adds_up({}, 0, None)
    for _ in range(500):
        marks = histogram(pick)
        assert _adds_up(marks, *seen(marks)), marks


def test_a_histogram_that_lost_a_mark_is_refused() -> None:
    pick = random.Random(2)
    for _ in range(500):
        marks = histogram(pick)
        told = seen(marks)
        del marks[pick.choice(list(marks))]
        assert not _adds_up(marks, *told), marks


def test_a_histogram_that_took_a_mark_for_another_is_refused() -> None:
    pick = random.Random(3)
    for _ in range(500):
        marks = histogram(pick)
        if len(marks) < 2:
            continue
        told = seen(marks)
        lost, other = pick.sample(list(marks), 2)
        moved = pick.randint(1, marks[lost])
        marks[other] += moved
        marks[lost] -= moved
        assert not _adds_up(marks, *told), (marks, lost, other)


@pytest.mark.spark
def test_the_hash_of_marks_is_the_same_in_spark(spark: SparkSession) -> None:
    pick = random.Random(4)
    marks = [0, 1, 2**31 - 1, 2**31, 2**62 - 1, *(pick.getrandbits(62) for _ in range(200))]
    frame = frame_of(spark, [{"mark": mark} for mark in marks], [Field("mark", INTEGER)])
    found = frame.select("mark", _stirred_column(frame["mark"]).alias("stirred")).collect()
    assert {row["mark"]: row["stirred"] for row in found} == {m: _stirred(m) for m in marks}
