"""The datasets of a run, each loaded once: here, where they are few rows, or by Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from rowbook.engine.loading.local_dataset import local_frame
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.sizing import in_one_task
from rowbook.engine.strategy.stages import StartStage
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import LoadedRows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Reader(Protocol):
    @property
    def spark(self) -> SparkSession: ...

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        """Mapped, checked, filtered; `with_ids`: with what tells rows apart, if that is known."""
        ...

    def read_here(
        self, dataset: Dataset, *, keep_deleted: bool, most: int | None = None
    ) -> LoadedRows | None:
        """The same rows without Spark; None where only Spark can read them, or has to say what is
        wrong with them, or where there are more than `most`."""
        ...

    @property
    def input(self) -> ReadInput: ...


_FEW = 2_000
"""Rows that Python reads in less time than Spark takes for a job."""


class RunDatasets:
    """Of a run that starts so. Those that are joined or appended come without deleted rows."""

    def __init__(self, reader: Reader, start: StartStage) -> None:
        self._reader, self._start = reader, start
        self.looked_at: Callable[[Dataset, LoadedRows], LoadedRows] | None = None
        """What is left of rows that are loaded here, once expectations looked at them."""
        self._frames: dict[tuple[str, int], DataFrame] = {}
        self._read: dict[tuple[str, int], LoadedRows | None] = {}
        self._rows: dict[tuple[str, int], LoadedRows | None] = {}
        self._few: dict[tuple[str, int], LoadedRows | None] = {}

    def input(self, dataset: Dataset) -> DataFrame | LoadedRows:
        """The project's input, with deleted rows."""
        rows = self._reader.read_here(dataset, keep_deleted=True) if self._start.local else None
        if rows is not None:
            return rows
        return self._reader.read(dataset, keep_deleted=True, with_ids=self._start.with_ids)

    def load(self, dataset: Dataset) -> DataFrame:
        key = dataset.id, dataset.version
        if key not in self._frames:
            rows, with_ids = self.load_here(dataset), self._start.with_ids
            if rows is None:
                frame = self._reader.read(dataset, keep_deleted=False, with_ids=with_ids)
            else:
                frame = in_one_task(local_frame(self._reader.spark, rows, with_ids=with_ids))
            self._frames[key] = frame
        return self._frames[key]

    def load_here(self, dataset: Dataset) -> LoadedRows | None:
        """None where Spark loads it."""
        key = dataset.id, dataset.version
        if self._start.local and key not in self._rows:
            rows = self._rows[key] = self._read_here(dataset)
            if rows is not None and self.looked_at is not None:
                self._rows[key] = self.looked_at(dataset, rows)
        return self._rows.get(key)

    def load_few(self, dataset: Dataset) -> LoadedRows | None:
        """The same of a dataset of few rows, whoever has the others."""
        key = dataset.id, dataset.version
        if key not in self._few:
            self._few[key] = self._reader.read_here(dataset, keep_deleted=False, most=_FEW)
        return self._few[key]

    def are_here(self, datasets: Iterable[Dataset]) -> bool:
        """Whether these can be loaded without Spark."""
        return self._start.local and all(self._read_here(each) is not None for each in datasets)

    def _read_here(self, dataset: Dataset) -> LoadedRows | None:
        key = dataset.id, dataset.version
        if key not in self._read:
            self._read[key] = self._reader.read_here(dataset, keep_deleted=False)
        return self._read[key]

    def forget(self) -> None:
        """What was loaded, as data was replaced."""
        self._frames.clear()
        self._rows.clear()
        self._read.clear()
        self._few.clear()
