"""Checking a whole workspace: every definition of every file, and what they say of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.errors import Diagnostic, in_order
from rowbook.locations.boundary import Boundary
from rowbook.locations.engine_folders import folder_faults
from rowbook.locations.jdbc_urls import JdbcUrlError, server_address
from rowbook.planning.datasources import check_credential, check_datasource, holds_secret
from rowbook.planning.definitions.dataset_check import check_dataset
from rowbook.planning.definitions.from_files import Definitions, file_definitions, nothing_stored
from rowbook.planning.definitions.lookup import Missing, Version
from rowbook.planning.findings import Findings
from rowbook.planning.project_plan import Planned, Surroundings, plan_project
from rowbook.planning.resolution.resolvers import check_resolver_definition
from rowbook.planning.scenarios import Shared, check_scenario
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class CheckedWorkspace:
    """A workspace's files, what they define, its projects planned, and all that was found."""

    files: WorkspaceFiles
    known: Definitions
    projects: dict[str, Planned]
    diagnostics: tuple[Diagnostic, ...]
    of_definitions: tuple[Diagnostic, ...]
    """Those of the diagnostics that are about the form of files, or about what `apply` records:
    everything but what projects and scenarios do."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "warning")


def check_workspace(root: Path) -> CheckedWorkspace:
    return check_files(read_workspace(root))


def check_files(
    files: WorkspaceFiles,
    stored: Callable[[], Definitions | None] = nothing_stored,
    inline: Sequence[Version[DatasetDefinition]] = (),
) -> CheckedWorkspace:
    """Check all that files define. `stored` gives what was applied before, and is asked only for
    what the files do not have; `inline` datasets stand in for those of their names."""
    findings = Findings()
    known = file_definitions(files, findings, inline, stored)
    _check_unique(files, findings)
    if files.workspace is not None:
        _check_settings(files.workspace, known.boundary, findings)
    registered = registered_by(files)
    for dataset in files.datasets:
        check_dataset(dataset.model, dataset.place, known, findings, registered)
        _check_resolver_reference(dataset, known, findings)
    for source in files.datasources:
        check_datasource(source.model, source.place, known, findings)
    for resolver in files.resolvers:
        check_resolver_definition(resolver.model, resolver.place, known, known.levels, findings)
    of_definitions = in_order((*files.diagnostics, *findings.diagnostics))
    among = Surroundings(known, registered_by=registered)
    projects: dict[str, Planned] = {}
    for project in files.projects:
        planned = plan_project(project, among)
        projects.setdefault(project.model.name, planned)
        findings.diagnostics += planned.diagnostics
    shared = Shared(known)
    for scenario in files.scenarios:
        check_scenario(scenario, files, findings, shared)
    found = in_order((*files.diagnostics, *findings.diagnostics))
    return CheckedWorkspace(files, known, projects, found, of_definitions)


def _check_resolver_reference(entry: Entry[Any], known: Definitions, findings: Findings) -> None:
    reference = entry.model.resolver_id
    if reference is None:
        return
    found = known.resolver(reference)
    if isinstance(found, Missing) and not found.uncertain:
        findings.add(entry.place.at("resolver_id"), "RESOLVER_001", found.message, found.hint)


def registered_by(files: WorkspaceFiles) -> dict[str, str]:
    """Datasets that the files' projects register when they run: name → project."""
    return {
        operation.arguments.register_as_dataset: project.model.name
        for project in files.projects
        for operation in project.model.operations
        if isinstance(operation, OutputOperation) and operation.arguments.register_as_dataset
    }


def _check_unique(files: WorkspaceFiles, findings: Findings) -> None:
    """Names and ids are unique in their kind; a dataset may stand once for each version, always
    with the same name and id."""
    kinds: tuple[Iterable[Entry[Any]], ...] = (
        files.datasets,
        files.datasources,
        files.resolvers,
        files.calendars,
        files.projects,
    )
    for entries in kinds:
        taken: dict[tuple[str, int], Entry[Any]] = {}
        first: dict[str, Entry[Any]] = {}
        for entry in entries:
            model = entry.model
            version = getattr(model, "version", None) or 1
            for key, what in (("name", model.name), ("id", model.identity)):
                other = taken.setdefault((what, version), entry)
                if _pair(first.setdefault(what, entry)) != _pair(entry):
                    other = first[what]
                if other is not entry:
                    where = other.place.at(key if other.place.at(key).exists else "name").position
                    message = f"{model.kind} {key} '{what}' is taken already at {where}"
                    place = entry.place.at(key if entry.place.at(key).exists else "name")
                    findings.add(place, "WORKSPACE_002", message)
                    break
    seen: dict[str, Entry[Any]] = {}
    for scenario in files.scenarios:
        other = seen.setdefault(scenario.model.name, scenario)
        if other is not scenario:
            where = other.place.at("name").position
            message = f"scenario name '{scenario.model.name}' is taken already at {where}"
            findings.add(scenario.place.at("name"), "WORKSPACE_002", message)


def _pair(entry: Entry[Any]) -> tuple[str, str]:
    return entry.model.name, entry.model.identity


def _check_settings(
    entry: Entry[WorkspaceDefinition], boundary: Boundary, findings: Findings
) -> None:
    for i, location in enumerate(entry.model.allowed_locations):
        if holds_secret(location):
            place = entry.place.at("allowed_locations", i)
            findings.add(place, "DATASOURCE_003", "the location holds a secret")
    engine, place = entry.model.engine, entry.place.at("engine")
    if engine.master is not None and engine.remote is not None:
        message = "an engine is a master or a remote endpoint, not both"
        findings.add(place.at("remote"), "WORKSPACE_005", message)
    if engine.remote is not None and holds_secret(engine.remote):
        findings.add(place.at("remote"), "DATASOURCE_003", "the endpoint holds a secret")
    elif engine.remote is not None and not engine.remote.startswith("sc://"):
        message = f"'{engine.remote}' is not a Spark Connect endpoint"
        findings.add(place.at("remote"), "WORKSPACE_005", message, "write sc://host:15002")
    if engine.checkpoint_dir is not None and holds_secret(engine.checkpoint_dir):
        findings.add(place.at("checkpoint_dir"), "DATASOURCE_003", "the location holds a secret")
    for fault in folder_faults(engine, boundary):
        findings.add(place.at(fault.key), "WORKSPACE_005", fault.message, fault.hint)
    store, place = entry.model.store, entry.place.at("store")
    if not store.url.startswith(("sqlite:///", "postgresql://")):
        message = f"'{store.url.partition(':')[0]}' is not a store that is supported"
        hint = "write sqlite:///… or postgresql://…"
        findings.add(place.at("url"), "WORKSPACE_005", message, hint)
    elif holds_secret(store.url):
        message = "the store's url holds a password"
        findings.add(place.at("url"), "DATASOURCE_003", message)
    check_credential(store.credential_ref, place.at("credential_ref"), findings)
    seals, place = entry.model.seals, entry.place.at("seals")
    check_credential(seals.key, place.at("key"), findings, "key")
    for i, credential in enumerate(entry.model.credentials):
        place = entry.place.at("credentials", i)
        check_credential(credential.ref, place.at("ref"), findings)
        try:
            server_address(credential.host)
        except JdbcUrlError:
            message = f"'{credential.host}' is not a server"
            findings.add(place.at("host"), "WORKSPACE_005", message, "write host:5432")
