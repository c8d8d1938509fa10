"""Reading for a run: from a dataset through its resolver to its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.engine.checks import explain_all
from rowbook.engine.loading import accepted_periods, load, wanted_folders
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.known import Missing
from rowbook.planning.resolvers import resolver_for
from rowbook.planning.resolving import Located, resolve
from rowbook.runs.request import Request
from rowbook.sources.places import place_of
from rowbook.sources.raw import Raw
from rowbook.sources.reading import read_places

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class WorkspaceReader:
    """Reads what the workspace's resolvers say."""

    def __init__(self, spark: SparkSession, request: Request) -> None:
        self._spark = spark
        self._request = request
        self._read: list[tuple[Dataset, list[Raw]]] = []

    def read(self, dataset: Dataset, *, keep_deleted: bool) -> DataFrame:
        """See Reader."""
        context, known = self._request.context, self._request.workspace.known
        located = self._located(dataset)
        periods = accepted_periods(context, located)
        folders = wanted_folders(dataset, periods)
        places = [place_of(each, known, folders) for each in located]
        raws = list(read_places(self._spark, places))
        self._read.append((dataset, raws))
        loaded = load(dataset, raws, context, keep_deleted=keep_deleted, periods=periods)
        return loaded.frame

    def bad_values(self) -> tuple[Diagnostic, ...]:
        """See Reader."""
        return explain_all(self._read)

    def _located(self, dataset: Dataset) -> tuple[Located, ...]:
        request = self._request
        known, plan = request.workspace.known, request.plan
        found = resolver_for(dataset, plan.project.resolver_overrides, known)
        if found is None or isinstance(found, Missing):
            raise RowbookError.of("RESOLVER_005", f"no resolver for dataset '{dataset.name}'")
        context = request.context
        return resolve(dataset, context.period, context.calendar, found.model, known)
