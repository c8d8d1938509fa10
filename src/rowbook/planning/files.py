"""The workspace's files as the definitions that planning asks for (drafts, validate, scenarios)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from rowbook.definitions.dataset import DatasetDefinition
from rowbook.definitions.datasource import DatasourceDefinition
from rowbook.definitions.folder import WorkspaceFiles
from rowbook.definitions.loading import Entry
from rowbook.definitions.model import Entity, canonical_id
from rowbook.definitions.resolver import ResolverDefinition
from rowbook.errors import suggestion
from rowbook.periods import GREGORIAN, Calendar
from rowbook.planning.calendars import read_calendar
from rowbook.planning.findings import Findings
from rowbook.planning.known import Missing, Shelf, Version
from rowbook.planning.locations import Boundary

E = TypeVar("E", bound=Entity)


@dataclass(frozen=True, slots=True)
class Definitions:
    """Answers `Known`: from files (a dataset in a file has the version it states, or 1), or from
    what was recorded."""

    boundary: Boundary
    datasets: Shelf[DatasetDefinition]
    datasources: Shelf[DatasourceDefinition]
    resolvers: Shelf[ResolverDefinition]
    calendars: dict[str, Calendar | None]
    """By name and id; None for one whose definition is faulty."""
    default: Version[ResolverDefinition] | Missing | None
    uncertain: frozenset[str]

    def dataset(self, reference: str, version: int | None) -> Version[DatasetDefinition] | Missing:
        """See Known."""
        return self.datasets.find(reference, version)

    def datasource(self, reference: str) -> Version[DatasourceDefinition] | Missing:
        """See Known."""
        return self.datasources.find(reference)

    def resolver(self, reference: str) -> Version[ResolverDefinition] | Missing:
        """See Known."""
        return self.resolvers.find(reference)

    def default_resolver(self) -> Version[ResolverDefinition] | Missing | None:
        """See Known."""
        return self.default

    def calendar(self, reference: str) -> Calendar | Missing:
        """See Known."""
        key = reference if reference in self.calendars else canonical_id(reference)
        found = self.calendars.get(key)
        if found is not None:
            return found
        names = tuple(self.calendars)
        return Missing(
            "unknown",
            f"calendar '{reference}' is not defined",
            suggestion(reference, names, "calendars"),
            uncertain=key in self.calendars or bool(self.uncertain & {"calendar", "*"}),
        )

    @property
    def levels(self) -> frozenset[str]:
        """The levels of all calendars."""
        return frozenset(
            level.name
            for calendar in self.calendars.values()
            if calendar
            for level in calendar.levels
        )


def file_definitions(
    files: WorkspaceFiles,
    findings: Findings,
    inline: Sequence[Version[DatasetDefinition]] = (),
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
    for entry in files.calendars:
        calendar = read_calendar(entry.model, entry.place, findings)
        for key in (entry.model.name, entry.model.identity):
            calendars.setdefault(key, calendar)
    workspace = files.workspace.model if files.workspace else None
    return Definitions(
        Boundary(files.root, workspace.allowed_locations if workspace else ()),
        Shelf("dataset", (*inline, *datasets), uncertain=may_lack("dataset")),
        Shelf("datasource", versions(files.datasources), uncertain=may_lack("datasource")),
        resolvers,
        calendars,
        _default(files, resolvers, findings),
        uncertain,
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
