"""The input of a past run as the run read it: from where it was read, or from evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from rowbook.errors import RowbookError, reason
from rowbook.locations.removal import evidence_folder, kept_input_folder
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.planning.used_datasets import used_datasets
from rowbook.reference.loading.dataset_rows import SourceTables, load
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import new_run_id
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import (
    ResolvedInput,
    ResolvedRun,
    ResolvedTable,
    resolve_input,
    table_address,
)
from rowbook.runs.prepare.run_snapshot import request_again, snapshot_of
from rowbook.sources import registry
from rowbook.sources.addresses import TableAddress
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Presence, Recall
from rowbook.sources.source import SourceTable
from rowbook.sources.source_errors import NotPlainError
from rowbook.store import JsonObject, RunRecord


@dataclass(frozen=True, slots=True)
class PastPlace:
    """A place that a past run read. `presence` says what is there now; `from_evidence`: contents
    of then are taken from what was kept. One that is not `at_hand` cannot be read as it was."""

    dataset: str
    location: str
    presence: Presence
    from_evidence: bool
    contents: tuple[Content, ...]
    changes: tuple[str, ...] = ()
    at_hand: bool = True


@dataclass(frozen=True, slots=True)
class PastInput:
    """`resolved` is what to read: each table as it was, and where that cannot be had (`missing`),
    as it is now, if it is there at all. Its outputs are none: it is for reading. Of `grown` places
    all rows of then are there among others: whether these take part in anything is seen by who
    computes with the tables as they are `now`."""

    resolved: ResolvedRun
    places: tuple[PastPlace, ...]
    now: ResolvedRun
    grown: frozenset[tuple[str, str]] = frozenset()

    @property
    def missing(self) -> tuple[PastPlace, ...]:
        return tuple(each for each in self.places if not each.at_hand)

    @property
    def is_as_read(self) -> bool:
        return not self.missing

    def without_growth(self) -> PastInput:
        """Once it was seen that other rows of grown places take part in nothing."""
        places = tuple(
            replace(each, presence="other bytes, same rows")
            if (each.dataset, each.location) in self.grown
            else each
            for each in self.places
        )
        return replace(self, places=places, grown=frozenset())


def past_input(
    workspace: OpenWorkspace, record: RunRecord, resources: ExitStack, *, quick: bool = False
) -> PastInput:
    """Of a run that began (else RUN_005); of one that was resumed on other input, that. What must
    stay while it is read is in `resources`. Content is digested again, unless `quick`: then a file
    of the same size, time and inode is believed to be the same."""
    run_id = record.run.id
    snapshot = snapshot_of(workspace.store, run_id, "read nothing")
    request = request_again(workspace, snapshot, run_id)
    folder = kept_input_folder(workspace.root, new_run_id(at_present()))
    evidence = Evidence(
        ContentFolder(evidence_folder(workspace.root), folder), Keeping(resources, folder), quick
    )
    recorded = _by_place(input_of(record, snapshot))
    history, inputs = request.history(), list[ResolvedInput]()
    places, grown = list[PastPlace](), dict[tuple[str, str], SourceTable]()
    for dataset in used_datasets(request.plan):
        finder = _TableRecall(dataset, request, evidence, recorded, places, grown)
        found = resolve_input(dataset, request, history, finder.find)
        inputs.append(replace(found, unready=()))
    now = [
        replace(each, tables=tuple(_as_now(each.dataset.name, t, grown) for t in each.tables))
        for each in inputs
    ]
    return PastInput(
        ResolvedRun(request, tuple(inputs), ()),
        tuple(places),
        ResolvedRun(request, tuple(now), ()),
        frozenset(grown),
    )


def _as_now(
    dataset: str, then: ResolvedTable, grown: Mapping[tuple[str, str], SourceTable]
) -> ResolvedTable:
    table = grown.get((dataset, then.location.location))
    return then if table is None else replace(then, table=table, contents=registry.contents(table))


def input_of(record: RunRecord, snapshot: Mapping[str, Any]) -> Sequence[JsonObject]:
    """What a run read, as it is recorded: a resumption may have accepted other input."""
    accepted = [each.accepted_input for each in record.resumptions if each.accepted_input]
    found: Sequence[JsonObject] = (accepted[-1] if accepted else snapshot)["datasets"]
    return found


def _by_place(datasets: Sequence[JsonObject]) -> dict[tuple[str, str], JsonObject]:
    return {
        (each["name"], place["location"]): place for each in datasets for place in each["locations"]
    }


@dataclass(frozen=True, slots=True)
class _TableRecall:
    """Finds the tables of a dataset as they were; each is noted in `places`, and in `grown` with
    what is there now, where that has all rows of then and others."""

    dataset: Dataset
    request: Request
    evidence: Evidence
    recorded: Mapping[tuple[str, str], JsonObject]
    places: list[PastPlace]
    grown: dict[tuple[str, str], SourceTable]

    def find(self, location: ResolvedLocation, periods: tuple[str, ...]) -> ResolvedTable:
        name, label = self.dataset.name, location.location
        recorded = self.recorded.get((name, label))
        if recorded is None or "missing" in recorded:
            return _nothing(location, f"there was no data at {label} when the run read it")
        contents = tuple(Content.from_json(each) for each in recorded["contents"])
        address = table_address(self.dataset, location, periods, self.request)
        recall, now = self._recall(address, contents), None
        presence = recall.presence
        if presence != "same":
            now = self._as_now(address)
        if recall.table and now and presence == "changed":
            before, after = self._rows(recall.table, periods), self._rows(now, periods)
            if before is not None and before == after:
                presence = "other bytes, same rows"
            elif before is not None and after is not None and before <= after:
                self.grown[name, label] = now
        self.places.append(
            PastPlace(
                name,
                label,
                presence,
                recall.from_evidence,
                contents,
                recall.changes,
                recall.table is not None,
            )
        )
        if recall.table is not None:
            return ResolvedTable(location, recall.table, contents)
        if now is None:
            return _nothing(location, "; ".join(recall.changes))
        return ResolvedTable(location, now, registry.contents(now))

    def _recall(self, address: TableAddress, contents: tuple[Content, ...]) -> Recall:
        try:
            return registry.recall(address, contents, self.evidence)
        except (RowbookError, OSError) as error:
            return Recall("missing", None, (reason(error),))

    def _as_now(self, address: TableAddress) -> SourceTable | None:
        try:
            return registry.pin(registry.find_table(address), None, self.evidence.keeping)
        except (RowbookError, OSError):
            return None

    def _rows(self, table: SourceTable, periods: tuple[str, ...]) -> Counter[object] | None:
        """What the run reads of it; None where that cannot be said without Spark."""
        try:
            tables = SourceTables(registry.read_plain([table]), periods)
            loaded = load(self.dataset, tables, self.request.context, keep_deleted=True)
        except (NotPlainError, RowbookError, OSError):
            return None
        return Counter(tuple(row[name] for name in loaded.fields) for row in loaded.rows)


def _nothing(location: ResolvedLocation, why: str) -> ResolvedTable:
    return ResolvedTable(location, failure=RowbookError.of("DATASOURCE_006", why))
