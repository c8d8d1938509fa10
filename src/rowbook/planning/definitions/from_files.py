"""The workspace's files as the definitions that planning asks for (drafts, validate, scenarios)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeVar

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.entity import Entity, canonical_id
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import suggestion
from rowbook.locations.boundary import Boundary
from rowbook.periods import GREGORIAN, Calendar
from rowbook.planning.calendars import read_calendar
from rowbook.planning.definitions.lookup import Missing, Shelf, Version
from rowbook.planning.definitions.views import view_of
from rowbook.planning.findings import Findings
from rowbook.value_class import dataclass

E = TypeVar("E", bound=Entity)


def nothing_stored() -> Definitions | None:
    return None


@dataclass(frozen=True, slots=True)
class Definitions:
    """Answers `Known`: from files (a dataset in a file has the version it states, or 1), or from
    what was recorded. Files may hand on what they do not have to `stored`, what was applied or
    registered by runs; it is asked only then, because opening the store takes time."""

    boundary: Boundary
    datasets: Shelf[DatasetDefinition]
    datasources: Shelf[DatasourceDefinition]
    resolvers: Shelf[ResolverDefinition]
    calendars: dict[str, Calendar | None]
    """By name and id; None for one whose definition is faulty."""
    default: Version[ResolverDefinition] | Missing | None
    uncertain: frozenset[str]
    stored: Callable[[], Definitions | None] = nothing_stored
    calendar_places: Mapping[str, Place] = field(default_factory=dict)
    checks_views: bool = False
    """What is wrong with views is found where they stand."""

    def dataset(self, reference: str, version: int | None) -> Version[DatasetDefinition] | Missing:
        latest = self.declared(reference, None)
        if isinstance(latest, Missing) or latest.model.of is None:
            return latest if version is None else self.declared(reference, version)
        is_reported = self.checks_views and not isinstance(self.datasets.find(reference), Missing)
        other = self.declared(latest.model.of, version)
        return view_of(latest, other, is_reported=is_reported)

    def declared(self, reference: str, version: int | None) -> Version[DatasetDefinition] | Missing:
        """As it stands there: of a view only what that says itself, by its own versions."""
        if version is not None:
            return self._dataset_version(reference, version)
        found = self.datasets.find(reference)
        stored = self._stored_for(found)
        return _known_or(found, stored.declared(reference, None)) if stored else found

    def datasource(self, reference: str) -> Version[DatasourceDefinition] | Missing:
        found = self.datasources.find(reference)
        stored = self._stored_for(found)
        return _known_or(found, stored.datasource(reference)) if stored else found

    def resolver(self, reference: str) -> Version[ResolverDefinition] | Missing:
        found = self.resolvers.find(reference)
        stored = self._stored_for(found)
        return _known_or(found, stored.resolver(reference)) if stored else found

    def default_resolver(self) -> Version[ResolverDefinition] | Missing | None:
        return self.default

    def calendar(self, reference: str) -> Calendar | Missing:
        key = reference if reference in self.calendars else canonical_id(reference)
        found = self.calendars.get(key)
        if found is not None:
            return found
        names = tuple(self.calendars)
        missing = Missing(
            "unknown",
            f"calendar '{reference}' is not defined",
            suggestion(reference, names, "calendars"),
            uncertain=key in self.calendars or bool(self.uncertain & {"calendar", "*"}),
        )
        stored = self._stored_for(missing)
        other = stored.calendar(reference) if stored else missing
        return missing if isinstance(other, Missing) else other

    def calendar_place(self, reference: str) -> Place | None:
        """Where a calendar is defined; None for gregorian, and for one that is not known."""
        key = reference if reference in self.calendar_places else canonical_id(reference)
        if key in self.calendar_places or key in self.calendars:
            return self.calendar_places.get(key)
        stored = self.stored()
        return stored.calendar_place(reference) if stored else None

    @property
    def levels(self) -> frozenset[str]:
        return frozenset(
            level.name
            for calendar in self.calendars.values()
            if calendar
            for level in calendar.levels
        )

    def _dataset_version(
        self, reference: str, version: int
    ) -> Version[DatasetDefinition] | Missing:
        """A version that is named. What a file has without stating a version is the next one of
        those that are stored, and the first where none is."""
        found, draft = self.datasets.find(reference, version), self.datasets.find(reference)
        if not isinstance(found, Missing) and found.model.version is not None:
            return found
        if isinstance(draft, Missing) and (draft.reason == "disabled" or draft.uncertain):
            return draft
        stored = self.stored()
        latest = stored.declared(reference, None) if stored else found
        if stored is None or (isinstance(latest, Missing) and latest.reason == "unknown"):
            return found
        is_next = not isinstance(latest, Missing) and version == latest.version + 1
        if is_next and not isinstance(draft, Missing) and draft.model.version is None:
            return replace(draft, version=version)
        return stored.declared(reference, version)

    def _stored_for(self, found: object) -> Definitions | None:
        """What is stored, where the files do not know something, and could be read."""
        if not isinstance(found, Missing) or found.reason != "unknown" or found.uncertain:
            return None
        return self.stored()


def _known_or(here: Version[E] | Missing, there: Version[E] | Missing) -> Version[E] | Missing:
    """What is stored; where that is unknown too, the files' answer names what they have."""
    return here if isinstance(there, Missing) and there.reason == "unknown" else there


def file_definitions(
    files: WorkspaceFiles,
    findings: Findings,
    inline: Sequence[Version[DatasetDefinition]] = (),
    stored: Callable[[], Definitions | None] = nothing_stored,
) -> Definitions:
    """What the files define; `inline` datasets, a scenario's own, stand in for those of their name.
    Faults of calendars, and an unclear default resolver, go into the findings."""
    uncertain = files.incomplete

    def may_lack(kind: str) -> bool:
        return bool(uncertain & {kind, "*"})

    own = {d.model.name for d in inline}
    datasets = [v for v in versions(files.datasets) if v.model.name not in own]
    resolvers = Shelf("resolver", versions(files.resolvers), uncertain=may_lack("resolver"))
    calendars: dict[str, Calendar | None] = {GREGORIAN.name: GREGORIAN}
    places: dict[str, Place] = {}
    for entry in files.calendars:
        calendar = read_calendar(entry.model, entry.place, findings)
        for key in (entry.model.name, entry.model.identity):
            calendars.setdefault(key, calendar)
            places.setdefault(key, entry.place)
    workspace = files.workspace.model if files.workspace else None
    return Definitions(
        Boundary.of(files.root, workspace),
        Shelf("dataset", (*inline, *datasets), uncertain=may_lack("dataset")),
        Shelf("datasource", versions(files.datasources), uncertain=may_lack("datasource")),
        resolvers,
        calendars,
        _default(files, resolvers, findings),
        uncertain,
        stored,
        places,
        checks_views=True,
    )


def versions(entries: Sequence[Entry[E]]) -> list[Version[E]]:
    """Each definition at the version its file states, else 1."""
    return [Version(e.model, getattr(e.model, "version", None) or 1, e.place) for e in entries]


def _default(
    files: WorkspaceFiles, resolvers: Shelf[ResolverDefinition], findings: Findings
) -> Version[ResolverDefinition] | Missing | None:
    workspace = files.workspace
    if workspace is not None and workspace.model.default_resolver_id is not None:
        found = resolvers.find(workspace.model.default_resolver_id)
        if isinstance(found, Missing) and not found.uncertain:
            place = workspace.place.at("default_resolver_id")
            findings.add(place, "WORKSPACE_004", found.message, found.hint)
        return found
    marked = [entry for entry in files.resolvers if entry.model.is_default]
    for entry in marked[1:]:
        message = (
            f"resolvers '{marked[0].model.name}' and '{entry.model.name}' are both the default"
        )
        findings.add(entry.place.at("is_default"), "WORKSPACE_004", message)
    if marked:
        return Version(marked[0].model, 1, marked[0].place)
    if workspace is None or files.incomplete & {"resolver", "*"}:
        return Missing("unknown", "no default resolver was read", uncertain=True)
    return None
