"""A workspace folder: which files belong to it, and what they define."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.models.calendar import CalendarDefinition
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.definitions.yaml.reader import parse, read_file
from rowbook.errors import Diagnostic, Position, RowbookError, reason
from rowbook.value_class import dataclass

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


def read_workspace(root: Path) -> WorkspaceFiles:
    """Read all definition files of a workspace. Never raises for what a file holds."""
    by_kind: dict[str, list[Entry[Any]]] = {}
    diagnostics: list[Diagnostic] = []
    incomplete: set[str] = set()
    unlisted: list[OSError] = []
    for path, shown in _files(root, unlisted):
        for kind, entry, found in _read(path, shown):
            diagnostics += found
            if entry is not None:
                by_kind.setdefault(str(kind), []).append(entry)
            else:
                incomplete.add(kind or "*")
    for error in unlisted:
        if not isinstance(error, FileNotFoundError):  # folders may be left out
            incomplete.add("*")
            diagnostics.append(_unlisted(error, root))
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


def _files(root: Path, unlisted: list[OSError]) -> Iterator[tuple[Path, str]]:
    """Every definition file and its name; `unlisted` gets why a folder cannot be looked into."""
    yield root / WORKSPACE_FILE, WORKSPACE_FILE
    for folder in (*FOLDERS, SCENARIO_FOLDER):
        found: list[Path] = []
        for parent, folders, names in os.walk(root / folder, onerror=unlisted.append):
            found += [Path(parent, n) for n in (*names, *folders) if n.endswith(_ENDINGS)]
        for path in sorted(found):
            yield path, path.relative_to(root).as_posix()


def _unlisted(error: OSError, root: Path) -> Diagnostic:
    folder = Path(error.filename).relative_to(root).as_posix()
    message = f"the folder cannot be looked into: {reason(error)}"
    hint = "let the user who runs this read the folder"
    return Diagnostic("YAML_001", message, Position(folder, 1, 1), hint)


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
