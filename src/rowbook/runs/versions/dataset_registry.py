"""The datasets in the store: what they are, their versions, and which runs produced them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.errors import RowbookError, suggestion
from rowbook.planning.definitions.from_records import RecordedDefinition
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.store import DefinitionVersion, Production, Run, Store


@dataclass(frozen=True, slots=True)
class DatasetVersion:
    """A version of a dataset, read; `produced_by` is the run whose output made it."""

    recorded: DefinitionVersion
    definition: DatasetDefinition
    produced_by: Run | None

    @property
    def status(self) -> str:
        return self.definition.status


@dataclass(frozen=True, slots=True)
class DatasetDetails:
    """A dataset at a version; all its versions, newest first; what runs wrote for it, newest first,
    and those runs by id."""

    selected: DatasetVersion
    versions: tuple[DatasetVersion, ...]
    productions: tuple[Production, ...]
    runs: Mapping[str, Run]


def list_datasets(workspace: OpenWorkspace) -> tuple[DatasetVersion, ...]:
    store = workspace.find_store()
    if store is None:
        return ()
    return tuple(_read(store, each) for each in store.definitions.latest("dataset"))


def dataset_details(workspace: OpenWorkspace, name: str, version: int | None) -> DatasetDetails:
    """DATASET_007 and DATASET_008 where it is not in the store."""
    store = workspace.find_store()
    if store is None:
        hint = "nothing was applied yet: run `rowbook apply`"
        raise RowbookError.of("DATASET_007", f"dataset '{name}' is not in the store", hint=hint)
    latest = store.definitions.get("dataset", name)
    if latest is None:
        raise _unknown(store, name)
    recorded = store.definitions.versions("dataset", latest.id)
    versions = tuple(_read(store, each) for each in reversed(recorded))
    wanted = latest.version if version is None else version
    selected = next((each for each in versions if each.recorded.version == wanted), None)
    if selected is None:
        known = ", ".join(str(each.version) for each in recorded)
        message = f"dataset '{name}' has no version {version}"
        raise RowbookError.of("DATASET_008", message, hint=f"versions: {known}")
    productions = store.definitions.productions(latest.id)
    runs = {each.run_id: store.runs.get(each.run_id) for each in productions}
    return DatasetDetails(selected, versions, productions, runs)


def _read(store: Store, recorded: DefinitionVersion) -> DatasetVersion:
    definition: DatasetDefinition = (
        RecordedDefinition(recorded.kind, recorded.version, recorded.content).entry().model
    )
    run = store.runs.get(recorded.produced_by) if recorded.produced_by else None
    return DatasetVersion(recorded, definition, run)


def _unknown(store: Store, name: str) -> RowbookError:
    names = tuple(each.name for each in store.definitions.latest("dataset"))
    hint = suggestion(name, names, "datasets")
    return RowbookError.of("DATASET_007", f"dataset '{name}' is not in the store", hint=hint)
