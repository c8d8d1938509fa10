"""What a scenario's result depends on, and so which scenarios a change touches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.recording import content_of
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.planning.definitions.from_files import file_definitions
from rowbook.planning.findings import Findings
from rowbook.planning.scenarios import Shared, set_up
from rowbook.scenarios.selection import Selected, Unread, name_of
from rowbook.value_class import dataclass

ScenarioKey: TypeAlias = tuple[str, str, int]
"""A scenario by its file, its name, and its number among those of the same name."""

Footprint: TypeAlias = Mapping[str, str]
"""The text of each part that a scenario depends on, by what people call the part."""

_ITSELF = "the scenario itself"


@dataclass(frozen=True, slots=True)
class Touched:
    """Scenarios to run, and all parts that were changed."""

    scenarios: tuple[Selected, ...]
    reasons: tuple[str, ...]


def footprints(
    files: WorkspaceFiles, scenarios: Sequence[Selected]
) -> Mapping[ScenarioKey, Footprint]:
    shared = Shared(file_definitions(files, Findings()))
    surroundings = dict(_surroundings(files))
    found: dict[ScenarioKey, Footprint] = {}
    for key, scenario in _keyed(scenarios):
        own = {_ITSELF: scenario.place.document.source.text}
        if isinstance(scenario, Unread):
            found[key] = own
        else:
            used = _used(scenario, files, shared)
            found[key] = {**own, **surroundings, **dict(used)}
    return found


def touched(
    scenarios: Sequence[Selected],
    before: Mapping[ScenarioKey, Footprint],
    now: Mapping[ScenarioKey, Footprint],
) -> Touched:
    """Those whose footprint is not the one they last ran with; new ones too."""
    chosen: list[Selected] = []
    reasons: dict[str, None] = {}
    for key, scenario in _keyed(scenarios):
        old, new = before.get(key), now[key]
        if old == new:
            continue
        chosen.append(scenario)
        if old is None:
            reasons["new scenarios"] = None
        else:
            parts = (*new, *(part for part in old if part not in new))
            reasons |= dict.fromkeys(part for part in parts if old.get(part) != new.get(part))
    return Touched(tuple(chosen), tuple(reasons))


def _keyed(scenarios: Sequence[Selected]) -> Iterator[tuple[ScenarioKey, Selected]]:
    numbers: dict[tuple[str, str], int] = {}
    for scenario in scenarios:
        named = scenario.place.document.source.file, name_of(scenario)
        numbers[named] = numbers.get(named, 0) + 1
        yield (*named, numbers[named]), scenario


def _used(
    entry: Entry[ScenarioDefinition], files: WorkspaceFiles, shared: Shared
) -> Iterator[tuple[str, str]]:
    """Its project, and the datasets that this reads; all there are where it could not be
    planned."""
    setting = set_up(entry, files, Findings(), shared)
    if setting is not None and isinstance(setting.project.model, ProjectDefinition):
        name = setting.project.model.name
        project = next(each for each in files.projects if each.model.name == name)
        yield f"project {name}", _text(project)
    planned = setting is not None and setting.planned.plan is not None
    names = (*setting.used_names, *setting.used_views) if setting is not None else ()
    for dataset in files.datasets:
        if not planned or dataset.model.name in names:
            yield f"dataset {dataset.model.name}", _text(dataset)
    for file in _row_files(entry):
        yield file, _state_of(file, entry, files.root)


def _surroundings(files: WorkspaceFiles) -> Iterator[tuple[str, str]]:
    """What any project may depend on."""
    if files.workspace is not None:
        yield "rowbook.yaml", json.dumps(files.workspace.model.default_resolver_id)
    for calendar in files.calendars:
        yield f"calendar {calendar.model.name}", _text(calendar)
    for resolver in files.resolvers:
        yield f"resolver {resolver.model.name}", _text(resolver)


def _text(entry: Entry[Any]) -> str:
    """Comments and layout aside."""
    return json.dumps(content_of(entry), default=str)


def _row_files(entry: Entry[ScenarioDefinition]) -> list[str]:
    expect = entry.model.expect
    named = [each.file for each in entry.model.input.values()]
    named += [each.file for each in expect.outputs.values()]
    named += [each.file for each in (expect.working, expect.quarantined) if each is not None]
    return [file for file in named if file is not None]


def _state_of(file: str, entry: Entry[ScenarioDefinition], root: Path) -> str:
    """A file of rows stands beside the scenario, or is named from the workspace on."""
    beside = root / Path(entry.place.document.source.file).parent / file
    try:
        state = (beside if beside.exists() else root / file).stat()
    except OSError:
        return ""
    return f"{state.st_mtime_ns} {state.st_size}"
