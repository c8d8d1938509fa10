"""Reading for a run: from a dataset's resolved tables to its rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowbook.engine.loading.load import load
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.sizing import SMALL, in_one_task
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import LoadedRows, SourceTables
from rowbook.reference.loading.dataset_rows import load as load_plain
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.resolve import ResolvedInput, ResolvedRun
from rowbook.sources import registry
from rowbook.sources.source import Keeping, NotPlainError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class RunReader:
    """Reads what the run was resolved to, and what its own outputs made of it since (`results`).
    What must stay open as long as its frames are used is in `resources`."""

    spark: SparkSession
    resolved: ResolvedRun
    resources: ExitStack
    results: Sequence[OutputResult] = ()
    input: ReadInput = field(default_factory=ReadInput)

    def read_here(self, dataset: Dataset, *, keep_deleted: bool) -> LoadedRows | None:
        resolved = self._input(dataset)
        try:
            tables = registry.read_plain([each.source() for each in resolved.tables])
            source = SourceTables(tables, resolved.periods)
            context = self.resolved.request.context
            return load_plain(dataset, source, context, keep_deleted=keep_deleted)
        except (NotPlainError, RowbookError, OSError):
            return None

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        resolved = self._input(dataset)
        context, periods = self.resolved.request.context, resolved.periods
        tables = [each.source() for each in resolved.tables]
        if not with_ids:
            tables = [registry.without_ids(table) for table in tables]
        raws = list(registry.read(self.spark, tables, self.resources))
        self.input.datasets.append((dataset, raws))
        loaded = load(dataset, raws, context, keep_deleted=keep_deleted, periods=periods)
        sizes = [content.size for each in resolved.tables for content in each.contents]
        small = all(sizes) and sum(sizes) <= SMALL
        return in_one_task(loaded.frame) if small else loaded.frame

    def _input(self, dataset: Dataset) -> ResolvedInput:
        published = (each.seq for each in self.results)
        keeping = Keeping(self.resources.enter_context(ExitStack()))
        return self.resolved.input_after(dataset, published, keeping)
