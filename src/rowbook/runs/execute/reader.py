"""Reading for a run: from a dataset through its resolver to its rows."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.engine.loading.declared_columns import accepted_periods
from rowbook.engine.loading.load import load
from rowbook.engine.loading.value_checks import explain_all
from rowbook.engine.session.sizing import SMALL, in_one_task
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import located, source_places
from rowbook.sources import registry
from rowbook.sources.raw import Raw

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class WorkspaceReader:
    """Reads what the workspace's resolvers say. What must stay open as long as its frames are used
    is in `held`."""

    def __init__(self, spark: SparkSession, request: Request, held: ExitStack) -> None:
        self._spark = spark
        self._request = request
        self._held = held
        self._read: list[tuple[Dataset, list[Raw]]] = []

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        """See Reader."""
        places = located(dataset, self._request)
        context = self._request.context
        periods = accepted_periods(context, places)
        found = source_places(dataset, self._request, places)
        if not with_ids:
            found = [registry.without_ids(place) for place in found]
        raws = list(registry.read(self._spark, found, self._held))
        self._read.append((dataset, raws))
        loaded = load(dataset, raws, context, keep_deleted=keep_deleted, periods=periods)
        sizes = [each.size for place in found for each in registry.contents(place)]
        small = all(sizes) and sum(sizes) <= SMALL
        return in_one_task(loaded.frame) if small else loaded.frame

    def bad_values(self) -> tuple[Diagnostic, ...]:
        """See Reader."""
        return explain_all(self._read)
