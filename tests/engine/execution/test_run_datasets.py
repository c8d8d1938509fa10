"""Datasets of a run: loaded once, here where they are few rows, else by Spark."""

from __future__ import annotations

from typing import Any, cast

from rowbook.engine.execution.run_datasets import RunDatasets
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.strategy.stages import StartStage
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import LoadedRows
from tests.sources.tables import dataset

ROWS = LoadedRows({}, [], (), [], unique=False)
GL = dataset("id string")


class FakeReader:
    """Says what it was asked for; `rows` is what can be read here."""

    spark: Any = None
    input = ReadInput()

    def __init__(self, rows: LoadedRows | None) -> None:
        self.rows = rows
        self.asked: list[tuple[str, bool]] = []

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> Any:
        self.asked.append(("spark", keep_deleted))
        return "a frame"

    def read_here(
        self, dataset: Dataset, *, keep_deleted: bool, most: int | None = None
    ) -> LoadedRows | None:
        self.asked.append(("here", keep_deleted))
        return self.rows


def test_few_rows_are_loaded_here_the_input_with_deleted_ones() -> None:
    reader = FakeReader(ROWS)
    datasets = RunDatasets(reader, StartStage(local=True))
    assert datasets.input(GL) is ROWS
    assert datasets.load_here(GL) is ROWS
    assert datasets.load_here(GL) is ROWS
    assert reader.asked == [("here", True), ("here", False)]


def test_what_cannot_be_read_here_is_read_by_spark() -> None:
    reader = FakeReader(None)
    datasets = RunDatasets(reader, StartStage(local=True))
    assert cast(str, datasets.input(GL)) == "a frame"
    assert datasets.load_here(GL) is None
    assert cast(str, datasets.load(GL)) == "a frame"
    assert cast(str, datasets.load(GL)) == "a frame"
    assert reader.asked == [("here", True), ("spark", True), ("here", False), ("spark", False)]


def test_a_run_that_does_not_start_here_never_asks_for_it() -> None:
    reader = FakeReader(ROWS)
    datasets = RunDatasets(reader, StartStage())
    datasets.input(GL)
    assert datasets.load_here(GL) is None
    assert reader.asked == [("spark", True)]


def test_what_was_loaded_is_loaded_again_after_data_was_replaced() -> None:
    reader = FakeReader(ROWS)
    datasets = RunDatasets(reader, StartStage(local=True))
    datasets.load_here(GL)
    datasets.forget()
    datasets.load_here(GL)
    assert reader.asked == [("here", False)] * 2


def test_few_rows_of_a_dataset_are_loaded_here_beside_many_of_others() -> None:
    reader = FakeReader(ROWS)
    datasets = RunDatasets(reader, StartStage())
    assert datasets.load_few(GL) is ROWS
    assert datasets.load_few(GL) is ROWS
    datasets.forget()
    datasets.load_few(GL)
    assert reader.asked == [("here", False), ("here", False)]
