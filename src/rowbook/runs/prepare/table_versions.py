"""Which state of its data a run reads: that of the dataset version it was told to use.

A version that runs registered is tied to the data they wrote. The newest version of a dataset reads
its data as it is now. An older one reads what was there for it: tables that keep their own versions
are read as of then; of others the content must still be the one that was recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import located, source_places
from rowbook.sources import registry
from rowbook.sources.delta.delta_table import DeltaTable
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import partition_of
from rowbook.sources.source import Content, SourceTable

if TYPE_CHECKING:
    from rowbook.store import Store


def with_tables(request: Request, store: Store) -> Request:
    """The same request with the table versions that it reads, decided now, so that all of a run
    sees one state. DATASET_014 where an older dataset version's data is no longer there."""
    tables: dict[tuple[str, str], int] = {}
    for dataset in used_datasets(request.plan):
        recorded = _recorded(dataset, store)
        places = located(dataset, request)
        try:
            found = source_places(dataset, request, places)
            for where, place in zip(places, found, strict=True):
                if isinstance(place, DeltaTable):
                    (content,) = recorded if recorded is not None else registry.contents(place)
                    tables[dataset.id, where.location] = int(content.version or 0)
                elif recorded is not None:
                    _check(dataset, place, recorded)
        except RowbookError as error:
            if error.diagnostics[0].code != "DATASOURCE_006":
                raise
            # Nothing there: loading it will say so.
    return replace(request, tables=tables)


def tables_of(snapshot: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """The table versions that a run read, by its snapshot."""
    return {
        (dataset["id"], place["location"]): place["table_version"]
        for dataset in snapshot["datasets"]
        for place in dataset["locations"]
        if "table_version" in place
    }


def _recorded(dataset: Dataset, store: Store) -> tuple[Content, ...] | None:
    """What a run wrote last for an older version of a dataset; None for the newest version, and for
    one that no run wrote."""
    latest = store.definitions.get("dataset", dataset.id)
    if latest is None or latest.version <= dataset.version:
        return None
    produced = store.definitions.productions(dataset.id, dataset.version)
    if not produced:
        return None
    return tuple(Content.from_json(each) for each in produced[0].data["contents"])


def _check(dataset: Dataset, place: SourceTable, recorded: Iterable[Content]) -> None:
    before = {each.name: each for each in _wanted(place, recorded)}
    now = {each.name: each for each in registry.contents(place)}
    if before == now:
        return
    changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    raise RowbookError.of(
        "DATASET_014",
        f"version {dataset.version} of dataset '{dataset.name}' is not the newest, and its data was"
        f" replaced since: {changed[0]}"
        + (f" and {len(changed) - 1} more" if len(changed) > 1 else ""),
    )


def _wanted(place: SourceTable, recorded: Iterable[Content]) -> Iterator[Content]:
    """Of files in folders of periods, those of the periods that are read."""
    for each in recorded:
        folders = (partition_of(part) for part in each.name.split("/")[:-1])
        values = dict(found for found in folders if found)
        wants = isinstance(place, FileTable) and all(
            values[column] in wanted for column, wanted in place.only.items() if column in values
        )
        if wants or not isinstance(place, FileTable):
            yield each
