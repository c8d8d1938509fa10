"""Stages on few rows at the driver: computed there with their counts, or left to Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.checking.local_checks import LocalChecks
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.engine.execution.driver.driver_stages import DriverStages
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import Situation, Stage
from rowbook.engine.strategy.strategy import decide
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import OutputStep
from rowbook.reference.loading.dataset_rows import LoadedRows, load
from tests.engine.strategy.deciding import APPEND, ENTRIES, JOINED, WORKSPACE, output
from tests.support.reference_run import source_of
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, total, update

TABLES: dict[str, list[dict[str, Any]]] = {
    "t": [{"s": "a", "k": "1", "m": 1, "c": "x"}, {"s": "b", "k": "2", "m": 2, "c": "y"}],
    "names": [{"code": "1", "label": "one"}, {"code": "2", "label": "two"}],
}
LEDGER_OF_TWO = {0: Count(2)}


class Driver:
    """Stages of one operation, on two rows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables = TABLES
        self.writes = True
        self.written: dict[int, list[dict[str, Any]]] = {}

    def after(
        self, operation: str, options: Options | None = None
    ) -> tuple[DriverRows | None, dict[int, Count]]:
        plan = plan_of(self.folder, WORKSPACE + numbered(operation))
        rows = DriverRows.started(
            self.loaded(plan.input, keep_deleted=True), plan, CONTEXT, with_ids=True
        )
        checks = LocalChecks(plan, CONTEXT, self.here)
        driver = DriverStages(checks, self.write, {0: Count(rows.visible)})
        situation = Situation(options or Options(local_rows=True), ending="rows")
        return driver.after(self.stage(decide(plan, situation).stages), rows), driver.counts

    def write(self, step: OutputStep, rows: Sequence[Mapping[str, Any]]) -> bool:
        if self.writes:
            self.written[step.seq] = [dict(row) for row in rows]
        return self.writes

    def stage(self, stages: tuple[Stage, ...]) -> Stage:
        return next(
            each for each in stages if each.kind in ("layer", "append", "aggregate", "output")
        )

    def loaded(self, dataset: Dataset, *, keep_deleted: bool = False) -> LoadedRows:
        return load(dataset, source_of(self.tables)(dataset), CONTEXT, keep_deleted=keep_deleted)

    def here(self, dataset: Dataset) -> LoadedRows | None:
        return self.loaded(dataset) if dataset.name in self.tables else None


@pytest.fixture
def driver(tmp_path: Path) -> Driver:
    return Driver(tmp_path)


def column(rows: DriverRows | None, name: str) -> list[object]:
    assert rows is not None
    return [row[name] for row in rows.working.rows]


def test_an_update_is_computed_and_counted(driver: Driver) -> None:
    rows, counts = driver.after(JOINED)
    assert column(rows, "c") == ["one", "two"]
    assert counts == {0: Count(2), 1: Count(2)}


def test_a_delete_marks_rows(driver: Driver) -> None:
    rows, counts = driver.after(delete("m = 1"))
    assert column(rows, "_deleted") == [True, False]
    assert counts == {0: Count(2), 1: Count(1)}


@pytest.mark.parametrize("operation", [APPEND, ENTRIES])
def test_an_append_adds_rows(driver: Driver, operation: str) -> None:
    rows, counts = driver.after(operation)
    assert column(rows, "s") == ["a", "b", "a", "b"]
    assert counts == {0: Count(2), 1: Count(2, 2)}


def test_a_total_adds_a_row_for_each_group(driver: Driver) -> None:
    rows, counts = driver.after(total("s", "n"))
    assert column(rows, "s") == ["a", "b", "a", "b"]
    assert column(rows, "n") == [None, None, 1, 1]
    assert counts == {0: Count(2), 1: Count(2, 2)}


def test_an_output_is_written_and_leaves_rows_as_they_are(driver: Driver) -> None:
    rows, counts = driver.after(output())
    assert column(rows, "s") == ["a", "b"]
    assert driver.written == {1: [{"s": "a"}, {"s": "b"}]}
    assert counts == LEDGER_OF_TWO


def test_what_only_spark_can_write_is_left_to_it(driver: Driver) -> None:
    driver.writes = False
    assert driver.after(output()) == (None, LEDGER_OF_TWO)


def test_what_computes_much_is_left_to_spark(driver: Driver) -> None:
    few = Options(local_rows=True, local_values=3)
    assert driver.after(JOINED, few) == (None, LEDGER_OF_TWO)


def test_a_value_that_does_not_fit_is_left_to_spark(driver: Driver) -> None:
    assert driver.after(update("m", "m * 10000000000000000")) == (None, LEDGER_OF_TWO)


def test_a_second_match_is_left_to_spark(driver: Driver) -> None:
    driver.tables = {**TABLES, "names": [*TABLES["names"], {"code": "2", "label": "deux"}]}
    assert driver.after(JOINED) == (None, LEDGER_OF_TWO)


def test_a_dataset_that_spark_has_to_load_is_left_to_it(driver: Driver) -> None:
    driver.tables = {"t": TABLES["t"]}
    assert driver.after(JOINED) == (None, LEDGER_OF_TWO)
