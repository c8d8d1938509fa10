"""Names of a workspace that a shell may offer: no Spark, no store over a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.definitions.workspace_root import find_workspace

if TYPE_CHECKING:
    from rowbook.store import Run

WordKind: TypeAlias = Literal["project", "dataset", "period", "run"]
_Word: TypeAlias = tuple[str, str]


def completion_words(kind: WordKind, folder: Path) -> dict[str, str]:
    """Words, and what is said beside each: projects and datasets in files, the newest runs, periods
    that were run and the months of this year and the last."""
    return dict(_FINDERS[kind](read_workspace(find_workspace(folder))))


def _names(entries: Sequence[Entry[Any]]) -> Iterator[_Word]:
    for entry in entries:
        yield entry.model.name, entry.model.description or ""


def _periods(files: WorkspaceFiles) -> Iterator[_Word]:
    from rowbook.runs.prepare.lease_clock import at_present

    for run in _newest(files):
        yield run.period, f"{run.project_name} {run.status}"
    this_year = at_present().year
    for year in (this_year - 1, this_year):
        for month in range(1, 13):
            yield f"{year}-{month:02}", ""


def _runs(files: WorkspaceFiles) -> Iterator[_Word]:
    for run in _newest(files):
        yield run.id, f"{run.project_name} {run.period} {run.status}"


def _newest(files: WorkspaceFiles) -> tuple[Run, ...]:
    from rowbook.runs.open_workspace import OpenWorkspace

    url = files.workspace.model.store.url if files.workspace else ""
    if not url.startswith("sqlite:"):
        return ()
    with OpenWorkspace(files.root, files) as workspace:
        store = workspace.find_store()
        return store.runs.newest(limit=50) if store is not None else ()


_FINDERS: Mapping[WordKind, Callable[[WorkspaceFiles], Iterator[_Word]]] = {
    "project": lambda files: _names(files.projects),
    "dataset": lambda files: _names(files.datasets),
    "period": _periods,
    "run": _runs,
}
