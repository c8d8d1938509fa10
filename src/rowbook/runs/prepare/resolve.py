"""A run resolved: which tables it reads, in which state, and where its outputs go.

Decided once, before anything executes. Snapshot, session, reader, writer and plan read this value:
what one of them says of the data, the others mean too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.sizing import LOCAL, Volume
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import (
    accepted_periods,
    dated_periods,
    declared_columns,
    wanted_folders,
)
from rowbook.planning.definitions.lookup import Missing, Version
from rowbook.planning.resolution.destinations import check_own_file, fill_destination
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.planning.resolution.period_places import resolve_periods
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.period_history import PeriodHistory
from rowbook.runs.prepare.period_tables import with_presence
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.sandbox import sandbox_target
from rowbook.sources import registry
from rowbook.sources.addresses import TableAddress
from rowbook.sources.contents import Content, Keeping
from rowbook.sources.source import Extra, SourceTable, Target
from rowbook.sources.source_errors import ContentsChangedError, NotAskedError, NotPlainError
from rowbook.spark.row_pass import MOST_COLUMNS

if TYPE_CHECKING:
    from rowbook.store import Production, Store


_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """A table that a dataset's rows are read from, in the state that `contents` identify. Where it
    is not there, or cannot be asked, there is no table, and `failure` says why. Of one whose server
    was not asked (NotAskedError), nothing but the name is known."""

    location: ResolvedLocation
    table: SourceTable | None = None
    contents: tuple[Content, ...] = ()
    failure: RowbookError | OSError | None = None

    def source(self) -> SourceTable:
        """The table; raises why there is none."""
        if self.failure is not None:
            raise self.failure
        assert self.table is not None
        return self.table


FindTable: TypeAlias = Callable[[ResolvedLocation, tuple[str, ...]], ResolvedTable]
"""The table at a place, of rows of these periods."""


@dataclass(frozen=True, slots=True)
class ResolvedInput:
    """A dataset that is read. `periods` are those that its rows may have.

    Of a view, places without data are no `tables` but `empty`; `absent` are the periods that have
    none, `expected` those whose rows will tell, each with the identifiers that they may have, and
    `unready` those that are not as closed as it requires."""

    dataset: Dataset
    periods: tuple[str, ...]
    tables: tuple[ResolvedTable, ...]
    empty: tuple[ResolvedTable, ...] = ()
    absent: tuple[str, ...] = ()
    expected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unready: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[ResolvedTable, ...]:
        return (*self.tables, *self.empty)


@dataclass(frozen=True, slots=True)
class ResolvedOutput:
    """An output with its target; `rewrites`: it replaces files that the run itself reads, while it
    is at work."""

    step: OutputStep
    target: Target
    rewrites: bool

    @property
    def sheet(self) -> str | None:
        """Of the workbook that several outputs may be sheets of."""
        found: str | None = self.target.as_json().get("sheet")
        return found

    @property
    def sheet_key(self) -> str:
        """Excel does not tell sheets apart by case."""
        return (self.sheet or "").lower()

    def is_of_workbook(self, other: ResolvedOutput) -> bool:
        names = (each.target.as_json().get("file_name") for each in (self, other))
        same_folder = self.target.key == other.target.key
        return same_folder and self.sheet is not None and len(set(names)) == 1


@dataclass(frozen=True, slots=True)
class ResolvedRun:
    """All that a run reads and writes; the project's input is the first of `inputs`."""

    request: Request
    inputs: tuple[ResolvedInput, ...]
    outputs: tuple[ResolvedOutput, ...]

    def input(self, dataset: Dataset) -> ResolvedInput:
        wanted = dataset.id, dataset.version
        return next(e for e in self.inputs if (e.dataset.id, e.dataset.version) == wanted)

    def output(self, step: OutputStep) -> ResolvedOutput:
        return next(each for each in self.outputs if each.step.seq == step.seq)

    def published_with(self, output: ResolvedOutput) -> tuple[ResolvedOutput, ...]:
        """The outputs that become one file, in order, this one among them."""
        together = (each for each in self.outputs if output.is_of_workbook(each))
        return (output,) if output.sheet is None else tuple(together)

    @property
    def tables(self) -> tuple[ResolvedTable, ...]:
        return tuple(table for each in self.inputs for table in each.tables)

    @property
    def extras(self) -> frozenset[Extra]:
        found = _extras(
            (each.location for each in self.tables), (each.target for each in self.outputs)
        )
        tables = (each.table for each in self.tables if each.table is not None)
        return found.union(*map(registry.extras, tables))

    @property
    def rewrites(self) -> frozenset[int]:
        return frozenset(each.step.seq for each in self.outputs if each.rewrites)

    @property
    def passing(self) -> frozenset[int]:
        """Outputs whose rows can be written by Python as they pass. Of few rows evidence is taken
        as they are written, of all of them at once."""
        if self.volume.is_small:
            return frozenset()
        labels = Counter(each.target.label for each in self.outputs)
        return frozenset(
            each.step.seq
            for each in self.outputs
            if labels[each.target.label] == 1
            and len(each.step.written) <= MOST_COLUMNS
            and registry.can_begin(each.target)
        )

    @property
    def volume(self) -> Volume:
        return Volume.of(content.size for each in self.tables for content in each.contents)

    @property
    def is_small(self) -> bool:
        """All that is read is in files, and small; of a server's tables the size is not known."""
        known = [each.table for each in self.tables if each.table is not None]
        return self.volume.is_small and not any(map(registry.is_server, known))

    def options(self, settings: EngineSettings) -> Options:
        """How a run of so much data is computed in a session of these settings."""
        local = settings.sees_this_disk and self._has_local_rows
        return Options(few_rows=self.volume.is_few, local_rows=local)

    @property
    def _has_local_rows(self) -> bool:
        """All that is read is few rows, by what files say, and can be read without Spark."""
        if not self.volume.is_few:
            return False
        try:
            return has_few_rows(self.tables, LOCAL)
        except (NotPlainError, RowbookError, OSError):
            return False

    def input_after(
        self, dataset: Dataset, published: Iterable[int], keeping: Keeping | None = None
    ) -> ResolvedInput:
        """The same once outputs of the run are published: what they wrote is looked at again, as
        nobody else changed it. Tables that keep their versions are read as they were."""
        resolved, targets = self.input(dataset), self._targets(published)
        if any(_reads(each.table, target) for each in resolved.places for target in targets):
            history = self.request.history()
            return _resolve_input(dataset, self.request, history, None, keeping)
        return resolved

    def untouched_tables(self, published: Iterable[int]) -> tuple[SourceTable, ...]:
        """Those that none of these outputs wrote to."""
        targets = self._targets(published)
        tables = (each.table for each in self.tables if each.table is not None)
        return tuple(t for t in tables if not any(_reads(t, target) for target in targets))

    def with_fingerprints(self) -> ResolvedRun:
        """With the digests of what is read, as far as it can be looked at: several tables at
        once."""
        with ThreadPoolExecutor(_AT_ONCE, "input digests") as threads:
            found = iter(list(threads.map(_fingerprinted, self.tables)))
        return self.with_tables(lambda _: next(found))

    def with_tables(self, change: Callable[[ResolvedTable], ResolvedTable]) -> ResolvedRun:
        inputs = (replace(each, tables=tuple(map(change, each.tables))) for each in self.inputs)
        return replace(self, inputs=tuple(inputs))

    def _targets(self, published: Iterable[int]) -> list[Target]:
        seqs = frozenset(published)
        return [each.target for each in self.outputs if each.step.seq in seqs]


def resolve_run(
    request: Request,
    store: Store | None = None,
    keeping: Keeping | None = None,
    *,
    connect: bool = True,
) -> ResolvedRun:
    """RESOLVER_003 where no rule leads to a dataset; data that is not there is an answer. What is
    there is kept as it is, where somebody is to read it. Without `connect` no server is asked about
    its tables.

    A dataset version that runs registered is tied to the data they wrote. The newest version reads
    its data as it is now. An older one, where a store can tell, reads what was there for it: tables
    that keep their versions are read as of then; of others the content must still be the one that
    was recorded (DATASET_014).
    """
    history = request.history()
    inputs = tuple(
        _resolve_input(each, request, history, store, keeping, connect=connect)
        for each in used_datasets(request.plan)
    )
    tables = [each.table for found in inputs for each in found.tables if each.table is not None]
    outputs = tuple(
        ResolvedOutput(
            step,
            target,
            not (request.is_draft or request.publishes_together)
            and any(registry.overlaps(target, table) for table in tables),
        )
        for step, target in resolve_targets(request)
    )
    _check_sheets(outputs)
    return ResolvedRun(request, inputs, outputs)


def _check_sheets(outputs: Sequence[ResolvedOutput]) -> None:
    """OUTPUT_009 where two that are filled in for the period are one sheet."""
    for place, output in enumerate(outputs):
        for other in outputs[:place]:
            if output.is_of_workbook(other) and output.sheet_key == other.sheet_key:
                message = f"{output.target.label} is also that of operation {other.step.seq}"
                hint = "give each output of the workbook its own sheet"
                raise RowbookError.of("OUTPUT_009", message, hint=hint)


def resolve_targets(request: Request) -> Iterator[tuple[OutputStep, Target]]:
    """Each output with where it goes, in order: to its destination, or into a draft's sandbox."""
    outputs = request.plan.outputs
    period, known = request.context.period, request.definitions
    filled = [fill_destination(step.destination, period, known) for step in outputs]
    for step in outputs:
        if PERIOD.name in step.written and step.mode == "replace":
            check_own_file(step.destination, period, request.context.calendar, known)
    for step, destination in zip(outputs, filled, strict=True):
        if request.is_draft:
            yield step, sandbox_target(destination, filled, request)
        else:
            yield step, registry.target_at(destination, request.definitions)


def resolved_outputs(request: Request) -> ResolvedRun:
    """Where outputs go that are computed already: nothing is read."""
    outputs = (ResolvedOutput(step, target, False) for step, target in resolve_targets(request))
    return ResolvedRun(request, (), tuple(outputs))


def extras_of(request: Request) -> frozenset[Extra]:
    """As those of the resolved run, without a look at any data."""
    locations = (
        location for each in used_datasets(request.plan) for location in locate(each, request)
    )
    return _extras(locations, (target for _, target in resolve_targets(request)))


def asks_spark(request: Request) -> bool:
    """Whether a session of Spark alone can say what is read, as a rule may have it."""
    overrides = request.plan.project.resolver_overrides
    resolvers = (
        resolver_for(each, overrides, request.definitions) for each in used_datasets(request.plan)
    )
    rules = (rule for each in resolvers if isinstance(each, Version) for rule in each.model.rules)
    return any(registry.asks_spark(rule.strategy.type) for rule in rules)


def _extras(locations: Iterable[ResolvedLocation], targets: Iterable[Target]) -> frozenset[Extra]:
    read = (registry.extras_of_kind(each.format) for each in locations)
    return frozenset[Extra]().union(*read, *map(registry.extras, targets))


def _resolve_input(
    dataset: Dataset,
    request: Request,
    history: PeriodHistory,
    store: Store | None,
    keeping: Keeping | None,
    *,
    connect: bool = True,
) -> ResolvedInput:
    recorded = _recorded(dataset, store) if store is not None else ()

    def find(location: ResolvedLocation, periods: tuple[str, ...]) -> ResolvedTable:
        return _TableFinder(dataset, periods, request, recorded, keeping, connect).resolve(location)

    return resolve_input(dataset, request, history, find)


def resolve_input(
    dataset: Dataset, request: Request, history: PeriodHistory, find: FindTable
) -> ResolvedInput:
    wanted = read_periods(dataset, request.context)
    locations = locate(dataset, request)
    periods = accepted_periods(wanted.identifiers, locations)
    if dataset.period_from:
        dated_periods(request.context, periods)
    tables = tuple(find(location, periods) for location in locations)
    resolved = ResolvedInput(dataset, periods, tables)
    if dataset.origin is None:
        return resolved
    return with_presence(resolved, wanted, request.context, history)


def locate(dataset: Dataset, request: Request) -> tuple[ResolvedLocation, ...]:
    definitions, context = request.definitions, request.context
    found = resolver_for(dataset, request.plan.project.resolver_overrides, definitions)
    if found is None or isinstance(found, Missing):
        raise RowbookError.of("RESOLVER_005", f"no resolver for dataset '{dataset.name}'")
    return resolve_periods(dataset, context, found.model, definitions)


@dataclass(frozen=True, slots=True)
class _TableFinder:
    dataset: Dataset
    periods: tuple[str, ...]
    request: Request
    recorded: tuple[Production, ...]
    keeping: Keeping | None
    connect: bool

    def resolve(self, location: ResolvedLocation) -> ResolvedTable:
        dataset, request = self.dataset, self.request
        try:
            table = registry.find_table(table_address(dataset, location, self.periods, request))
            asks_server = registry.is_server(table) and not registry.asks_spark(table.kind)
            if asks_server and not self.connect:
                return ResolvedTable(location, table, failure=NotAskedError())
            table = registry.pin(table, _contents_of(table, self.recorded), self.keeping)
            return ResolvedTable(location, table, registry.contents(table))
        except ContentsChangedError as changed:
            raise _replaced(dataset, changed.names) from None
        except (RowbookError, OSError) as error:
            return ResolvedTable(location, failure=error)


def table_address(
    dataset: Dataset, location: ResolvedLocation, periods: tuple[str, ...], request: Request
) -> TableAddress:
    """Of rows of these periods."""
    version = request.tables.get((dataset.id, location.location))
    declared = declared_columns(dataset, by_position=False, partitions=())
    names = tuple(source for _, source in declared)
    folders = wanted_folders(dataset, periods)
    return registry.table_address(location, request.definitions, folders, version, names)


def has_few_rows(tables: Iterable[ResolvedTable], most: int) -> bool:
    """Whether there are no more than that. NotPlainError where only Spark can tell."""
    rows = 0
    for each in tables:
        rows += registry.count_plain(each.source(), most - rows)
        if rows > most:
            return False
    return True


def _fingerprinted(resolved: ResolvedTable) -> ResolvedTable:
    if resolved.table is None or all(each.digest for each in resolved.contents):
        return resolved
    return replace(resolved, contents=registry.fingerprint(resolved.table))


def _recorded(dataset: Dataset, store: Store) -> tuple[Production, ...]:
    """What runs wrote for an older version, newest first; nothing of the newest one."""
    identity = dataset.origin.id if dataset.origin else dataset.id
    latest = store.definitions.get("dataset", identity)
    if latest is None or latest.version <= dataset.version:
        return ()
    return store.definitions.productions(identity, dataset.version)


def _contents_of(table: SourceTable, produced: Sequence[Production]) -> tuple[Content, ...] | None:
    """As they were last recorded of a table, where each period has its own; else of the dataset."""
    here = (each for each in produced if each.data["location"] == table.label)
    last = next(here, produced[0] if produced else None)
    if last is None:
        return None
    return tuple(Content.from_json(each) for each in last.data["contents"])


def _replaced(dataset: Dataset, changed: Sequence[str]) -> RowbookError:
    return RowbookError.of(
        "DATASET_014",
        f"version {dataset.version} of dataset '{dataset.name}' is not the newest, and its data was"
        f" replaced since: {changed[0]}"
        + (f" and {len(changed) - 1} more" if len(changed) > 1 else ""),
    )


def _reads(table: SourceTable | None, target: Target) -> bool:
    """Whether a table holds what was written to a target; one that was not there may."""
    if table is None:
        return True
    is_same = table.label == target.label and table.version is None
    return is_same or registry.overlaps(target, table)
