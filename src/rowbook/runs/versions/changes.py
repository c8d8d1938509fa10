"""The definitions in files compared with those in the store: new, changed, as they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.recording import content_of
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.planning.definitions.from_records import RecordedDefinition
from rowbook.planning.findings import Findings
from rowbook.runs.versions.definition_differences import Difference, differences
from rowbook.store import Definition, DefinitionVersion, JsonObject, Kind, content_hash

_Key: TypeAlias = tuple[str, str]
"""Kind and id."""
_NEW = (Difference("new"),)


@dataclass(frozen=True, slots=True)
class Change:
    """A definition that becomes the version after `before` (0: it is new)."""

    kind: Kind
    id: str
    name: str
    content: JsonObject
    disabled: bool
    before: int
    differences: tuple[Difference, ...]

    @property
    def version(self) -> int:
        return self.before + 1

    @property
    def breaking(self) -> tuple[Difference, ...]:
        return tuple(each for each in self.differences if each.breaking)

    def definition(self) -> Definition:
        """For the store, which refuses it if its latest version is another one by then."""
        return Definition(
            self.kind, self.id, self.name, self.content, self.disabled, based_on=self.before
        )

    def recorded(self) -> RecordedDefinition:
        return RecordedDefinition(self.kind, self.version, self.content)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What applying the files would do; `without_file` are the latest versions of definitions that
    only the store has, which stay as they are."""

    changes: tuple[Change, ...]
    unchanged: int
    without_file: tuple[DefinitionVersion, ...]


def compare(
    files: WorkspaceFiles, applied: Sequence[DefinitionVersion], findings: Findings
) -> Comparison:
    """Compares by content. A dataset that states a version which it neither is nor becomes goes
    into the findings (DATASET_013)."""
    history: dict[_Key, list[DefinitionVersion]] = {}
    for version in applied:
        history.setdefault((version.kind, version.id), []).append(version)
    written: dict[_Key, list[Entry[Any]]] = {}
    definitions: Sequence[Entry[Any]]
    definitions = (*files.datasources, *files.resolvers, *files.calendars, *files.datasets)
    for entry in definitions:
        written.setdefault((entry.model.kind, entry.model.identity), []).append(entry)
    changes: list[Change] = []
    for key, entries in written.items():
        changes += _follow(entries, history.get(key, []), findings)
    without_file = tuple(each[-1] for key, each in history.items() if key not in written)
    count = sum(len(entries) for entries in written.values())
    return Comparison(tuple(changes), count - len(changes), without_file)


def changed_to(latest: DefinitionVersion, given: Definition) -> Change:
    model = RecordedDefinition(given.kind, latest.version + 1, given.content).entry().model
    return _change(model, given.content, latest.version, differences(_model(latest), model))


def _follow(
    entries: Sequence[Entry[Any]], history: Sequence[DefinitionVersion], findings: Findings
) -> list[Change]:
    """Versions of a dataset are taken in their order; one that states none is the first."""
    known = {each.version: each.content_hash for each in history}
    latest = max(known, default=0)
    before = _model(history[-1]) if history else None
    changes: list[Change] = []
    for entry in sorted(entries, key=lambda each: getattr(each.model, "version", None) or 1):
        stated: int | None = getattr(entry.model, "version", None)
        if stated is None and len(entries) > 1:
            stated = 1
        content = content_of(entry)
        hashed = content_hash(content)
        if stated is not None and not _is_due(entry, stated, hashed, known, findings):
            continue
        if hashed == known.get(latest if stated is None else stated):
            continue
        found = differences(before, entry.model) if before is not None else _NEW
        changes.append(_change(entry.model, content, latest, found))
        latest, before = latest + 1, entry.model
        known[latest] = hashed
    return changes


def _model(version: DefinitionVersion) -> Any:
    return RecordedDefinition(version.kind, version.version, version.content).entry().model


def _change(model: Any, content: JsonObject, before: int, found: tuple[Difference, ...]) -> Change:
    disabled = getattr(model, "status", "active") == "disabled"
    return Change(model.kind, model.identity, model.name, content, disabled, before, found)


def _is_due(
    entry: Entry[Any], stated: int, hashed: str, known: dict[int, str], findings: Findings
) -> bool:
    latest = max(known, default=0)
    if known.get(stated) == hashed:
        return True
    if stated == latest + 1 and known.get(latest) != hashed:
        return True
    name = f"dataset '{entry.model.name}' states version {stated}"
    if known.get(latest) == hashed:
        message, hint = f"{name}, but it equals version {latest}", f"state version {latest}"
    elif stated in known:
        message = f"{name}, which was applied with another content"
        hint = f"state version {latest + 1}, which it becomes"
    else:
        message = f"{name}, but it becomes version {latest + 1}"
        hint = f"state version {latest + 1}"
    place = entry.place.at("version")
    place = place if place.exists else entry.place.at("name")
    findings.add(place, "DATASET_013", message, f"{hint}, or leave `version` out")
    return False
