"""A workspace for as long as one command takes: its files are read once, its store is opened once.

The store is imported only where it is used: commands that do without shall not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.definitions.models.workspace import StoreDefinition, WorkspaceDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.engine_folders import folder_faults
from rowbook.planning.definitions.from_files import Definitions, file_definitions
from rowbook.planning.definitions.from_records import RecordedDefinition, recorded_definitions
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.findings import Findings
from rowbook.planning.workspace_check import CheckedWorkspace, check_files
from rowbook.trust.claims import state_links
from rowbook.trust.decision import Trust, check_trust

if TYPE_CHECKING:
    from rowbook.store import DefinitionVersion, Store, StoreAddress
    from rowbook.store.active_versions import ActiveVersions
    from rowbook.store.seals.signatures import SigningKey


class OpenWorkspace:
    """What its settings claim beyond its folder is used only where `trust` says so; see
    `check_trust`."""

    def __init__(
        self, root: Path, files: WorkspaceFiles | None = None, *, trust: Trust = False
    ) -> None:
        self.root = root
        self._trust = trust
        if files is not None:
            self.files = files
        self._store: Store | None = None

    def __enter__(self) -> OpenWorkspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    @cached_property
    def files(self) -> WorkspaceFiles:
        return read_workspace(self.root)

    def check_trust(self) -> None:
        """WORKSPACE_006 where settings are not trusted, WORKSPACE_005 where folders of the engine
        are outside; before anything but checking files."""
        check_trust(self.root, self.settings, self._trust)
        if self.settings is not None:
            for fault in folder_faults(self.settings.engine, self.boundary):
                message = f"engine.{fault.key}: {fault.message}"
                raise RowbookError.of("WORKSPACE_005", message, hint=fault.hint)

    @property
    def settings(self) -> WorkspaceDefinition | None:
        """What rowbook.yaml says; None where it cannot be read."""
        return self.files.workspace.model if self.files.workspace else None

    @property
    def boundary(self) -> Boundary:
        return Boundary.of(self.root, self.settings)

    @cached_property
    def checked(self) -> CheckedWorkspace:
        """The files checked. Datasets and versions that no file has (runs register such) are looked
        for in the store."""
        return check_files(self.files, lambda: self._applied)

    def checked_among(self, drafts: Sequence[RecordedDefinition]) -> CheckedWorkspace:
        """The files checked as of now, with what drafts write instead of the datasets of its name:
        datasets, and the resolvers and data sources that lead to them."""
        datasets = [each for each in drafts if each.kind == "dataset"]
        ways = [each for each in drafts if each.kind != "dataset"]
        inline = [Version(e.entry().model, e.version, e.entry().place) for e in datasets]
        return check_files(self.files, lambda: self.applied_definitions(also=ways), inline)

    @cached_property
    def definitions(self) -> Definitions:
        """What the files define, and what was applied beyond that; nothing is checked."""
        return file_definitions(self.files, Findings(), stored=lambda: self._applied)

    @property
    def store(self) -> Store:
        """The store, made if it is not there."""
        if self._store is None:
            from rowbook.store import open_store

            self._store = open_store(*self._address(), key=self._seal_key)
        return self._store

    def find_store(self) -> Store | None:
        """The store; None if there is none yet."""
        if self._store is None and not self._is_storeless():
            from rowbook.store import find_store

            self._store = find_store(*self._address(), key=self._seal_key)
        return self._store

    def active_versions(self) -> ActiveVersions | None:
        """Which versions run. Where the store is not open it is asked as a file at its usual place
        alone, which takes no time and no trust; None where there is none, or it cannot be read."""
        if self._store is not None:
            return self._store.projects.all_active()
        usual, definition = StoreDefinition(), self.settings and self.settings.store
        if definition != usual or self._is_storeless() or any(state_links(self.root)):
            return None
        from rowbook.store.active_versions import active_versions_in

        return active_versions_in(self._usual_store)

    def applied_versions(self) -> tuple[DefinitionVersion, ...]:
        """What was applied: every version of every dataset, the latest of the other kinds."""
        store = self.find_store()
        if store is None:
            return ()
        return (
            *store.definitions.versions("dataset"),
            *store.definitions.latest("datasource"),
            *store.definitions.latest("resolver"),
            *store.definitions.latest("calendar"),
        )

    def applied_definitions(
        self, pins: Mapping[str, int] | None = None, also: Iterable[RecordedDefinition] = ()
    ) -> Definitions:
        """What was applied, for planning, and `also` what is about to be. `pins` are dataset
        versions by id, for references that name none."""
        versions = [
            RecordedDefinition(each.kind, each.version, each.content)
            for each in self.applied_versions()
        ]
        default = self.settings.default_resolver_id if self.settings else None
        return recorded_definitions(
            [*versions, *also], self.boundary, default_resolver=default, pins=pins
        )

    @cached_property
    def _applied(self) -> Definitions | None:
        return None if self.find_store() is None else self.applied_definitions()

    def _is_storeless(self) -> bool:
        """Whether there surely is no store: it is not at the usual place, and no other is named."""
        usual = StoreDefinition().url
        named = self.settings.store.url if self.settings else usual
        return named == usual and not self._usual_store.exists()

    @property
    def _usual_store(self) -> Path:
        return self.root / StoreDefinition().url.removeprefix("sqlite:///")

    def _seal_key(self) -> SigningKey | None:
        """SEAL_001 where there is to be one, and it cannot be used."""
        if self.files.workspace is None or self.settings is None or self.settings.seals.key is None:
            return None
        from rowbook.runs.prepare.seal_key import read_seal_key

        self.check_trust()
        return read_seal_key(self.settings.seals.key, self.files.workspace.place, self.root)

    def _address(self) -> tuple[StoreAddress, str | None]:
        from rowbook.sources.credentials import read_secret
        from rowbook.store import store_address

        definition = self.settings.store if self.settings else StoreDefinition()
        if definition != StoreDefinition() or any(state_links(self.root)):
            self.check_trust()
        reference = definition.credential_ref
        secret = read_secret(reference, self.root) if reference else None
        return store_address(definition.url, self.root), secret
