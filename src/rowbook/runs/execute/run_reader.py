"""Reading for a run: from a dataset's resolved tables to its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowbook.engine.loading.load import find_absent, load
from rowbook.engine.loading.local_dataset import local_frame
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.sizing import SMALL, in_one_task
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.read_periods import absence
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.loading.dataset_rows import load as load_plain
from rowbook.reference.loading.period_presence import check_absent
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.period_tables import plain_tables
from rowbook.runs.prepare.resolve import ResolvedInput, ResolvedRun, has_few_rows
from rowbook.sources import registry
from rowbook.sources.contents import Keeping
from rowbook.sources.source_errors import NotPlainError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class RunReader:
    """Reads what the run was resolved to, and what its own outputs made of it since (`results`).
    Spark is asked for where it is needed. What must stay open as long as frames are used is in
    `resources`."""

    session: Callable[[], SparkSession]
    resolved: ResolvedRun
    resources: ExitStack
    results: Sequence[OutputResult] = ()
    input: ReadInput = field(default_factory=ReadInput)
    warn: Callable[[str], None] = lambda _: None

    @property
    def spark(self) -> SparkSession:
        return self.session()

    def read_here(
        self, dataset: Dataset, *, keep_deleted: bool, most: int | None = None
    ) -> LoadedRows | None:
        resolved = self._input(dataset)
        try:
            if most is not None and not has_few_rows(resolved.tables, most):
                return None
            context = self.resolved.request.context
            source = plain_tables(resolved)
            loaded = load_plain(dataset, source, context, keep_deleted=keep_deleted)
            self._say_absent(dataset, loaded.absent)
            return loaded
        except (NotPlainError, OSError):
            return None
        except RowbookError as error:  # what is wrong with a value, Spark says
            if error.has("RUN_011"):
                raise
            return None

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        resolved = self._input(dataset)
        context, periods = self.resolved.request.context, resolved.periods
        if not resolved.tables:
            rows = load_plain(dataset, plain_tables(resolved), context, keep_deleted=keep_deleted)
            self._say_absent(dataset, rows.absent)
            return local_frame(self.spark, rows, with_ids=with_ids)
        tables = [each.source() for each in resolved.tables]
        if not with_ids:
            tables = [registry.without_ids(table) for table in tables]
        raws = list(registry.read(self.spark, tables, self.resources))
        self.input.datasets.append((dataset, raws))
        absent = find_absent(dataset, raws, context, periods, resolved.expected)
        check_absent(dataset, absent)
        self._say_absent(dataset, absent)
        loaded = load(dataset, raws, context, keep_deleted=keep_deleted, periods=periods)
        sizes = [content.size for each in resolved.tables for content in each.contents]
        small = all(sizes) and sum(sizes) <= SMALL
        return in_one_task(loaded.frame) if small else loaded.frame

    def _say_absent(self, dataset: Dataset, absent: Sequence[str]) -> None:
        if finding := absence(dataset, absent):
            self.warn(finding.message)

    def _input(self, dataset: Dataset) -> ResolvedInput:
        published = (each.seq for each in self.results)
        held = self.resources.enter_context(ExitStack())
        keeping = Keeping(held, session=lambda: nullcontext(self.spark))
        resolved = self.resolved.input_after(dataset, published, keeping)
        check_absent(dataset, resolved.absent)
        return resolved
