"""What the shell offers after Tab: names from the workspace. No Spark, no store over a network, and
where anything is wrong no words at all."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import typer

from rowbook.definitions.workspace_root import find_workspace

if TYPE_CHECKING:
    from rowbook.definitions.workspace_files import WorkspaceFiles
    from rowbook.store import Run

_Offer: TypeAlias = tuple[str, str]
"""A word and what is said beside it, in shells that show it."""
_VARIABLE = "_ROWBOOK_COMPLETE"


def words_typed() -> list[str] | None:
    """The whole words after `rowbook` while a shell asks for completions; None when it does not."""
    if _VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    try:
        words = shlex.split(line)
    except ValueError:  # a quote that is still open
        words = line.split()
    return words[1:] if line.endswith(" ") else words[1:-1]


def projects(context: typer.Context, incomplete: str) -> list[_Offer]:
    """Projects in files."""
    return _offers(context, incomplete, _projects)


def datasets(context: typer.Context, incomplete: str) -> list[_Offer]:
    """Datasets in files."""
    return _offers(context, incomplete, _datasets)


def periods(context: typer.Context, incomplete: str) -> list[_Offer]:
    """Periods that were run, and the months of this year and the last."""
    return _offers(context, incomplete, _periods)


def runs(context: typer.Context, incomplete: str) -> list[_Offer]:
    """The newest runs."""
    return _offers(context, incomplete, _runs)


def _offers(
    context: typer.Context, incomplete: str, find: Callable[[WorkspaceFiles], Iterator[_Offer]]
) -> list[_Offer]:
    from rowbook.definitions.workspace_files import read_workspace

    try:
        folder = context.params.get("folder")
        found = dict(find(read_workspace(find_workspace(Path(folder or ".")))))
    except Exception:  # whatever it is, a shell that waits for words is no place to say it
        return []
    return [
        (word, " ".join(said.split()))
        for word, said in found.items()
        if word.startswith(incomplete)
    ]


def _projects(files: WorkspaceFiles) -> Iterator[_Offer]:
    for entry in files.projects:
        yield entry.model.name, entry.model.description or ""


def _datasets(files: WorkspaceFiles) -> Iterator[_Offer]:
    for entry in files.datasets:
        yield entry.model.name, entry.model.description or ""


def _periods(files: WorkspaceFiles) -> Iterator[_Offer]:
    from rowbook.runs.prepare.lease_clock import at_present

    for run in _newest(files):
        yield run.period, f"{run.project_name} {run.status}"
    this_year = at_present().year
    for year in (this_year - 1, this_year):
        for month in range(1, 13):
            yield f"{year}-{month:02}", ""


def _runs(files: WorkspaceFiles) -> Iterator[_Offer]:
    for run in _newest(files):
        yield run.id, f"{run.project_name} {run.period} {run.status}"


def _newest(files: WorkspaceFiles) -> tuple[Run, ...]:
    from rowbook.runs.open_workspace import OpenWorkspace

    url = files.workspace.model.store.url if files.workspace else ""
    if not url.startswith("sqlite:"):
        return ()
    with OpenWorkspace(files.root, files) as workspace:
        store = workspace.find_store()
        return tuple(store.runs.newest(limit=50)) if store else ()
