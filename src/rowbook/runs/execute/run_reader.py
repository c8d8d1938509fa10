"""Reading for a run: from a dataset's resolved tables to its rows."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.engine.loading.load import load
from rowbook.engine.loading.value_checks import explain_all
from rowbook.engine.session.sizing import SMALL, in_one_task
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.runs.prepare.resolve import ResolvedOutput, ResolvedRun
from rowbook.sources.places import without_ids
from rowbook.sources.raw import Raw
from rowbook.sources.registry import read_all

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class RunReader:
    """Reads what the run was resolved to. What must stay open as long as its frames are used is in
    `resources`."""

    def __init__(self, spark: SparkSession, resolved: ResolvedRun, resources: ExitStack) -> None:
        self._spark = spark
        self._resolved = resolved
        self._resources = resources
        self._read: list[tuple[Dataset, list[Raw]]] = []

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        """See Reader."""
        resolved = self._resolved.input(dataset)
        context, periods = self._resolved.request.context, resolved.periods
        tables = [each.source() for each in resolved.tables]
        if not with_ids:
            tables = [without_ids(table) for table in tables]
        raws = list(read_all(self._spark, tables, self._resources))
        self._read.append((dataset, raws))
        loaded = load(dataset, raws, context, keep_deleted=keep_deleted, periods=periods)
        sizes = [content.size for each in resolved.tables for content in each.contents]
        small = all(sizes) and sum(sizes) <= SMALL
        return in_one_task(loaded.frame) if small else loaded.frame

    def renew(self, output: ResolvedOutput) -> None:
        """An output was written: what it replaced is from now on read as it is then."""
        self._resolved = self._resolved.after(output)

    def bad_values(self) -> tuple[Diagnostic, ...]:
        """See Reader."""
        return explain_all(self._read)
