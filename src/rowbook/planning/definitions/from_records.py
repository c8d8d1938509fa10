"""Definitions that were recorded, in the store or in a run's snapshot, for planning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.calendar import CalendarDefinition
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.recording import entry_of, recorded_name
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.periods import GREGORIAN, Calendar
from rowbook.planning.calendars import read_calendar
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing, Shelf, Version
from rowbook.planning.findings import Findings
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class RecordedDefinition:
    kind: str
    version: int
    content: dict[str, Any]

    @property
    def name(self) -> str:
        return recorded_name(self.content, self.kind)

    def entry(self) -> Entry[Any]:
        return entry_of(self.content, f"{self.kind} {self.name} version {self.version}")


def recorded_definitions(
    recorded: Iterable[RecordedDefinition],
    boundary: Boundary,
    *,
    default_resolver: str | None,
    pins: Mapping[str, int] | None = None,
) -> Definitions:
    """What was recorded, as planning asks for it. Several versions of a dataset may be given; of
    the other kinds the newest counts. `pins` are dataset versions by id, for references that name
    none. A dataset whose newest version is disabled is disabled in all of them."""
    datasets: list[Version[DatasetDefinition]] = []
    datasources: list[Version[DatasourceDefinition]] = []
    resolvers: list[Version[ResolverDefinition]] = []
    calendars: dict[str, Calendar | None] = {GREGORIAN.name: GREGORIAN}
    places: dict[str, Place] = {}
    findings = Findings()
    found = sorted(recorded, key=lambda each: (each.kind, each.name, each.version))
    for each in found:
        entry = each.entry()
        match entry.model:
            case DatasetDefinition() as dataset:
                datasets.append(Version(dataset, each.version, entry.place))
            case DatasourceDefinition() as source:
                datasources.append(Version(source, each.version, entry.place))
            case ResolverDefinition() as resolver:
                resolvers.append(Version(resolver, each.version, entry.place))
            case CalendarDefinition() as calendar:
                read = read_calendar(calendar, entry.place, findings)
                calendars |= {calendar.name: read, calendar.identity: read}
                places |= {calendar.name: entry.place, calendar.identity: entry.place}
    if findings.failed:
        raise RowbookError(*findings.diagnostics)
    shelf = Shelf("resolver", resolvers, uncertain=False)
    return Definitions(
        boundary,
        Shelf("dataset", _without_disabled(datasets), uncertain=False, pins=pins),
        Shelf("datasource", _newest(datasources), uncertain=False),
        shelf,
        calendars,
        _default(shelf, resolvers, default_resolver),
        frozenset(),
        calendar_places=places,
    )


def _without_disabled(
    datasets: list[Version[DatasetDefinition]],
) -> list[Version[DatasetDefinition]]:
    newest = {each.model.identity: each for each in datasets}
    return [
        Version(each.model.model_copy(update={"status": "disabled"}), each.version, each.place)
        if newest[each.model.identity].model.status == "disabled"
        else each
        for each in datasets
    ]


def _newest(versions: list[Version[DatasourceDefinition]]) -> list[Version[DatasourceDefinition]]:
    """A data source that was disabled is so, whatever it was before."""
    return list({each.model.identity: each for each in versions}.values())


def _default(
    shelf: Shelf[ResolverDefinition],
    resolvers: list[Version[ResolverDefinition]],
    reference: str | None,
) -> Version[ResolverDefinition] | Missing | None:
    if reference is not None:
        return shelf.find(reference)
    newest = {each.model.identity: each for each in resolvers}
    return next((each for each in newest.values() if each.model.is_default), None)
