"""A workspace folder: which files belong to it, and what they define."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowbook.definitions.calendar import CalendarDefinition
from rowbook.definitions.dataset import DatasetDefinition
from rowbook.definitions.datasource import DatasourceDefinition
from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.project import ProjectDefinition
from rowbook.definitions.resolver import ResolverDefinition
from rowbook.definitions.scenario import ScenarioDefinition
from rowbook.definitions.workspace import WorkspaceDefinition
from rowbook.definitions.yaml_reader import parse, read_file
from rowbook.errors import Diagnostic, RowbookError

WORKSPACE_FILE = "rowbook.yaml"
FOLDERS = ("datasets", "datasources", "resolvers", "calendars", "projects")
SCENARIO_FOLDER = "scenarios"
_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class WorkspaceFiles:
    """Everything the files of a workspace define; what is faulty is in `diagnostics` instead."""

    root: Path
    workspace: Entry[WorkspaceDefinition] | None
    datasets: tuple[Entry[DatasetDefinition], ...]
    datasources: tuple[Entry[DatasourceDefinition], ...]
    resolvers: tuple[Entry[ResolverDefinition], ...]
    calendars: tuple[Entry[CalendarDefinition], ...]
    projects: tuple[Entry[ProjectDefinition], ...]
    scenarios: tuple[Entry[ScenarioDefinition], ...]
    diagnostics: tuple[Diagnostic, ...]
    incomplete: frozenset[str]
    """Kinds of which a definition could not be read: a name not found may be one of those."""


def find_workspace(start: Path) -> Path:
    """The nearest folder from `start` upwards that has a rowbook.yaml (WORKSPACE_001)."""
    here = start.resolve()
    for folder in (here, *here.parents):
        if (folder / WORKSPACE_FILE).exists():
            return folder
    raise RowbookError.of("WORKSPACE_001", f"no {WORKSPACE_FILE} in {start} or above it")


def read_workspace(root: Path) -> WorkspaceFiles:
    """Read all definition files of a workspace. Never raises for what a file holds."""
    by_kind: dict[str, list[Entry[Any]]] = {}
    diagnostics: list[Diagnostic] = []
    incomplete: set[str] = set()
    for path, shown in _files(root):
        for kind, entry, found in _read(path, shown):
            diagnostics += found
            if entry is not None:
                by_kind.setdefault(str(kind), []).append(entry)
            else:
                incomplete.add(kind or "*")
    workspaces = by_kind.get("workspace", [])
    diagnostics += _second_workspaces(workspaces)
    if not workspaces and not diagnostics:
        raise RowbookError.of(
            "WORKSPACE_001",
            f"{WORKSPACE_FILE} has no 'workspace:' document",
            hint="start it with workspace: and its name",
        )
    return WorkspaceFiles(
        root,
        workspaces[0] if workspaces else None,
        tuple(by_kind.get("dataset", ())),
        tuple(by_kind.get("datasource", ())),
        tuple(by_kind.get("resolver", ())),
        tuple(by_kind.get("calendar", ())),
        tuple(by_kind.get("project", ())),
        tuple(by_kind.get("scenario", ())),
        tuple(diagnostics),
        frozenset(incomplete),
    )


def _files(root: Path) -> Iterator[tuple[Path, str]]:
    yield root / WORKSPACE_FILE, WORKSPACE_FILE
    for folder in (*FOLDERS, SCENARIO_FOLDER):
        found: list[Path] = []
        for parent, folders, names in os.walk(root / folder):
            found += [Path(parent, n) for n in (*names, *folders) if n.endswith(_ENDINGS)]
        for path in sorted(found):
            yield path, path.relative_to(root).as_posix()


def _read(
    path: Path, shown: str
) -> Iterable[tuple[str | None, Entry[Any] | None, tuple[Diagnostic, ...]]]:
    try:
        documents, diagnostics = parse(read_file(path, shown))
    except RowbookError as error:
        return [(None, None, error.diagnostics)]
    results: list[tuple[str | None, Entry[Any] | None, tuple[Diagnostic, ...]]] = []
    if diagnostics:
        results.append((None, None, diagnostics))
    for document in documents:
        loaded = load_document(document)
        results.append((loaded.kind, loaded.entry, loaded.diagnostics))
    return results


def _second_workspaces(workspaces: list[Entry[Any]]) -> Iterator[Diagnostic]:
    for entry in workspaces[1:]:
        yield entry.place.diagnostic(
            "YAML_009", "a workspace has one 'workspace:' document", hint="remove this one"
        )
