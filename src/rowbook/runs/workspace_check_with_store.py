"""A workspace checked together with its store: datasets that runs registered have no file. The
store is imported only where there is one: commands that do without shall not wait for it."""

from __future__ import annotations

from pathlib import Path

from rowbook.definitions.models.workspace import StoreDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.workspace_check import CheckedWorkspace, check_workspace


def check_with_store(root: Path) -> CheckedWorkspace:
    """As `check_workspace`; datasets and versions that no file has are looked for in the store."""
    return check_workspace(root, stored_for)


def stored_for(files: WorkspaceFiles) -> Definitions | None:
    """What was applied; None where there is no store."""
    if has_no_store(files):
        return None
    from rowbook.runs.workspace_store import find_workspace_store, stored_definitions

    store = find_workspace_store(files)
    if store is None:
        return None
    with store:
        return stored_definitions(store, files)


def has_no_store(files: WorkspaceFiles) -> bool:
    """Whether there surely is no store: it is not at the usual place, and no other was named."""
    usual = StoreDefinition().url
    named = files.workspace.model.store.url if files.workspace else usual
    return named == usual and not (files.root / usual.removeprefix("sqlite:///")).exists()
