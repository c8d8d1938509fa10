"""The store of a workspace: opened as its rowbook.yaml says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rowbook.definitions.models.workspace import StoreDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.locations.boundary import Boundary
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.from_records import RecordedDefinition, recorded_definitions
from rowbook.sources.credentials import read_secret
from rowbook.store import (
    DefinitionVersion,
    Store,
    StoreAddress,
    find_store,
    open_store,
    store_address,
)


def open_workspace_store(files: WorkspaceFiles) -> Store:
    """The store, made if it is not there."""
    address, password = _address(files)
    return open_store(address, password)


def find_workspace_store(files: WorkspaceFiles) -> Store | None:
    """The store; None if there is none yet."""
    address, password = _address(files)
    return find_store(address, password)


def boundary_of(files: WorkspaceFiles) -> Boundary:
    """Where a workspace's data may be."""
    workspace = files.workspace.model if files.workspace else None
    return Boundary(files.root, workspace.allowed_locations if workspace else ())


def applied_versions(store: Store | None) -> tuple[DefinitionVersion, ...]:
    """What was applied: every version of every dataset, the latest of the other kinds."""
    if store is None:
        return ()
    return (
        *store.definitions.versions("dataset"),
        *store.definitions.latest("datasource"),
        *store.definitions.latest("resolver"),
        *store.definitions.latest("calendar"),
    )


def stored_definitions(
    store: Store | None,
    files: WorkspaceFiles,
    pins: Mapping[str, int] | None = None,
    also: Iterable[RecordedDefinition] = (),
) -> Definitions:
    """What was applied, for planning, and `also` what is about to be. `pins` are dataset versions
    by id, for references that name none."""
    found = [
        RecordedDefinition(each.kind, each.version, each.content)
        for each in applied_versions(store)
    ]
    workspace = files.workspace.model if files.workspace else None
    return recorded_definitions(
        [*found, *also],
        boundary_of(files),
        default_resolver=workspace.default_resolver_id if workspace else None,
        pins=pins,
    )


def _address(files: WorkspaceFiles) -> tuple[StoreAddress, str | None]:
    settings = files.workspace.model.store if files.workspace else StoreDefinition()
    address = store_address(settings.url, files.root)
    reference = settings.credential_ref
    return address, read_secret(reference, files.root) if reference else None
