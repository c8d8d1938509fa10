"""Rows written and grouped as they pass: that it changes no row, no count and no group."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import OutputStep
from rowbook.sources.files.parquet.row_files import RowFiles
from rowbook.sources.source import BegunOutput
from tests.engine.random_counted import APPEND, OUTPUT, WORKSPACE, random_project
from tests.engine.random_levels import random_rows
from tests.engine.running import DEFAULT, ListWriter, Rows, TableReader
from tests.support.reference_run import bag, refer, seen_of
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, total, update

SEEDS = 4


class Passing:
    """Rows written as they pass, in folders of their own."""

    def __init__(self, plan: ProjectPlan, folder: Path, *, writes: bool = True) -> None:
        outputs = (s.seq for s in plan.steps if isinstance(s, OutputStep))
        self.seqs = frozenset(outputs if writes else ())
        self.begun: dict[int, BegunOutput] = {}
        self._folder = folder

    def begin(self, step: OutputStep) -> BegunOutput:
        folder = self._folder / f"{step.seq}"
        folder.mkdir()
        numbers = iter(range(100))

        def files() -> RowFiles:
            name = f"{next(numbers)}"
            return RowFiles(str(folder), name, "snappy", ".snappy.parquet", tuple(step.written))

        found = self.begun[step.seq] = BegunOutput(folder, files)
        return found

    def written(self, step: OutputStep, rows: int) -> None:
        self.begun[step.seq] = replace(self.begun[step.seq], rows=rows)

    def refusal(self, step: OutputStep, error: Exception) -> RowbookError | None:
        return None


def run(
    spark: SparkSession,
    plan: ProjectPlan,
    tables: dict[str, Rows],
    folder: Path,
    options: Options = DEFAULT,
    *,
    writes: bool = True,
) -> tuple[Pipeline, dict[int, Rows], int]:
    """The pipeline, the rows of outputs, and how many of these were written as they passed."""
    passing, writer = Passing(plan, folder, writes=writes), ListWriter()
    reader = TableReader(spark, tables)
    pipeline = Pipeline(plan, CONTEXT, reader, writer, options=options, passing=passing)
    pipeline.run()
    rows, passed = dict(writer.rows), 0
    outputs = {step.seq: step for step in plan.steps if isinstance(step, OutputStep)}
    for seq, begun in passing.begun.items():
        step = outputs[seq]
        fields = [step.columns.fields[name] for name in step.written]
        if list(begun.folder.iterdir()):
            early = collect(spark.read.parquet(str(begun.folder)), fields)
            rows[seq] = early + rows[seq]
            assert begun.rows == len(early)
        passed += begun.rows
    return pipeline, rows, passed


@pytest.mark.spark
def test_rows_and_counts_are_those_of_the_reference(
    spark: SparkSession, tmp_path: Path, seed: int
) -> None:
    pick = random.Random(seed)
    text = random_project(pick)
    plan = plan_of(tmp_path, text)
    more = [{**row, "_deleted": False} for row in random_rows(pick)]
    tables = {"t": random_rows(pick), "more": more}
    expected = refer(plan, tables)
    pipeline, rows, _ = run(spark, plan, tables, tmp_path, writes=seed % 3 != 2)
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == expected.counts, text
    visible = sum(not row["_deleted"] for row in tables["t"])
    assert pipeline.counts[0] == Count(visible)
    assert seen_of(pipeline.observations) == seen_of(expected.observations), text
    for seq, wanted in expected.outputs.items():
        assert bag(rows[seq]) == bag(wanted), (seq, text)


def rows_of(count: int) -> Rows:
    return [
        {"s": "ab"[i % 2], "k": i % 3, "i": i, "m": Decimal(i), "b": i == 5, "_deleted": i == 0}
        for i in range(count)
    ]


@pytest.mark.spark
def test_rows_are_written_before_others_come_to_them(spark: SparkSession, tmp_path: Path) -> None:
    steps = (APPEND, total("s", "n", "SUM(m)"), OUTPUT, OUTPUT)
    plan = plan_of(tmp_path, WORKSPACE + numbered(*steps))
    tables = {"t": rows_of(6), "more": [{"s": "a", "m": Decimal("0.50")}]}
    pipeline, rows, passed = run(spark, plan, tables, tmp_path)
    assert passed == 12
    assert bag(rows[3]) == bag(rows[4])
    assert {row["s"]: row["n"] for row in rows[3] if row["n"] is not None} == {
        "a": Decimal("6.50"),
        "b": Decimal("9.00"),
    }
    assert pipeline.counts[2] == Count(6, 2)


@pytest.mark.spark
def test_values_of_deleted_rows_are_not_added_up(spark: SparkSession, tmp_path: Path) -> None:
    """Row 5 is deleted and would overflow."""
    value = f"SUM(CASE WHEN i = 5 THEN i + {2**63 - 1} ELSE i END)"
    steps = (delete("i = 5"), total("s", "n", value), OUTPUT, OUTPUT)
    plan = plan_of(tmp_path, WORKSPACE + numbered(*steps))
    _, rows, passed = run(spark, plan, {"t": rows_of(8), "more": []}, tmp_path)
    assert passed == 12
    assert {row["s"]: row["n"] for row in rows[4] if row["n"] is not None} == {"a": 12, "b": 11}


@pytest.mark.spark
def test_sums_of_integers_are_exact_beyond_64_bits(spark: SparkSession, tmp_path: Path) -> None:
    steps = (total("s", "n", "SUM(i)"), OUTPUT, OUTPUT)
    plan = plan_of(tmp_path, WORKSPACE + numbered(*steps))
    large: Rows = [{"s": "a", "i": 2**63 - 1, "_deleted": False}] * 3
    _, rows, passed = run(spark, plan, {"t": large, "more": []}, tmp_path)
    assert passed == 6
    assert [row["n"] for row in rows[3] if row["n"] is not None] == [3 * (2**63 - 1)]


@pytest.mark.spark
def test_aggregates_and_outputs_of_some_rows_share_a_pass(
    spark: SparkSession, tmp_path: Path
) -> None:
    some = (
        'type: output, selector: "k = 1 OR n > 5", arguments: {destination: {location: {path: x}}}'
    )
    steps = (
        APPEND,
        total("s", "n", "SUM(m)"),
        total("k", "q", "COUNT(*)", "n IS NULL AND s = 'a'"),
        OUTPUT,
        some,
    )
    plan = plan_of(tmp_path, WORKSPACE + numbered(*steps))
    tables = {"t": rows_of(6), "more": [{"s": "a", "k": 1, "m": Decimal("0.50")}]}
    pipeline, rows, passed = run(spark, plan, tables, tmp_path)
    assert passed == 6 + 3
    assert {row["k"]: row["q"] for row in rows[4] if row["q"] is not None} == {1: 2, 2: 1}
    assert {row["i"] for row in rows[5]} == {1, 4, None}
    assert {row["n"] for row in rows[5]} == {None, Decimal("6.50"), Decimal("9.00")}
    assert [row["q"] for row in rows[5] if row["q"] is not None] == [2]
    assert len(rows[5]) == 6
    assert pipeline.counts[3] == Count(3, 2)


@pytest.mark.spark
@pytest.mark.parametrize("stored", [True, False])
def test_ids_are_those_of_rows_written_by_themselves(
    spark: SparkSession, tmp_path: Path, stored: bool
) -> None:
    written = OUTPUT.replace("}}}", "}}, columns: [_row_id, s, i]}")
    plan = plan_of(tmp_path, WORKSPACE + numbered(APPEND, total("s", "n"), written))
    ids = {"_row_id": "018d0000-0000-7000-8000-00000000000a"} if stored else {}
    tables = {"t": [*rows_of(6)[1:], {**rows_of(6)[0], "i": 9, **ids}], "more": rows_of(2)}
    found = []
    for number, options in enumerate((DEFAULT, Options(passed_rows=False))):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        found.append(run(spark, plan, tables, folder, options))
    assert [passed for *_, passed in found] == [7, 0]
    assert bag(found[0][1][3]) == bag(found[1][1][3])
    assert len({row["_row_id"] for row in found[0][1][3]}) == 9


@pytest.mark.spark
@pytest.mark.parametrize("claim", ["s <> 'a'", "i <> 3"])
def test_rows_at_fault_are_shown_though_nobody_else_reads_them_again(
    spark: SparkSession, tmp_path: Path, claim: str
) -> None:
    """Of groups by `s` the first is asked, of rows the second."""
    said = f'  expectations: [{{name: claim, that: "{claim} OR n > 0"}}]\n  operations:\n'
    text = WORKSPACE.replace("  operations:\n", said)
    plan = plan_of(tmp_path, text + numbered(total("s", "n"), OUTPUT))
    found = []
    for number, options in enumerate((DEFAULT, Options(passed_rows=False))):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        tables = {"t": rows_of(6), "more": []}
        pipeline, _, passed = run(spark, plan, tables, folder, options)
        found.append(seen_of(pipeline.observations))
        assert passed == (0 if number else 5)
    assert found[0] == found[1]
    ((_, seen),) = pipeline.observations
    assert seen.violated
    assert len(seen.samples) == seen.violated


@pytest.mark.spark
def test_an_overflow_is_said_of_the_operation_whose_groups_it_is_in(
    spark: SparkSession, tmp_path: Path
) -> None:
    steps = (total("s", "n"), total("k", "q", f"MAX_AGG(i * {2**62})", "n IS NULL"), OUTPUT)
    plan = plan_of(tmp_path, WORKSPACE + numbered(*steps))
    with pytest.raises(RowbookError, match="operation 2"):
        run(spark, plan, {"t": rows_of(8), "more": []}, tmp_path)


@pytest.mark.spark
def test_what_is_wrong_with_a_value_is_said_in_the_same_words(
    spark: SparkSession, tmp_path: Path
) -> None:
    steps = (update("i", f"i + {2**63 - 3}"), total("s", "n", "SUM(m)"), OUTPUT, OUTPUT)
    plan = plan_of(tmp_path, WORKSPACE + numbered(*steps))
    told = []
    for options in (DEFAULT, Options(passed_rows=False)):
        with pytest.raises(RowbookError) as found:
            run(spark, plan, {"t": rows_of(8), "more": []}, tmp_path, options)
        told.append(str(found.value))
    assert told[0] == told[1]
    assert told[0].startswith("RUN_001  operation 1")
