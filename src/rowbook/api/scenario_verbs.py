"""Scenarios of a workspace, run all in one Spark session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.api.path_choice import parts_of
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import Diagnostic, RowbookError
from rowbook.scenarios.runner import Execute, ScenarioResult, run_scenarios
from rowbook.scenarios.selection import select

if TYPE_CHECKING:
    from rowbook.api.client import Client
    from rowbook.scenarios.execution import Starting


def run_workspace_scenarios(
    client: Client,
    paths: Sequence[str | Path],
    text: str,
    on_start: Starting,
    on_begin: Callable[[str], None],
    on_done: Callable[[ScenarioResult], None],
) -> tuple[ScenarioResult, ...]:
    files = client.open().files
    if files.workspace is None:
        raise RowbookError(*(d for d in files.diagnostics if _is_settings(d)))
    selected = select(files, parts_of(paths), text)
    if not selected:
        raise _nothing(files, paths, text)
    kept = _on_session(client) if client.keeps_session else None
    with kept or open_executor(client.root, client.engine, client.debug, on_start) as execute:
        return tuple(run_scenarios(selected, files, execute, on_done, on_begin))


def open_executor(
    root: Path, engine: str | None, debug: bool, starting: Starting
) -> AbstractContextManager[Execute]:
    """What runs scenarios. Spark starts when it is called for the first time."""
    from rowbook.scenarios.execution import open_executor as opened

    return opened(root, engine, debug, starting)


@contextmanager
def _on_session(client: Client) -> Iterator[Execute]:
    from rowbook.scenarios.execution import run_scenario

    yield lambda entry, setting: run_scenario(client.session.engine().spark, entry, setting)


def _is_settings(diagnostic: Diagnostic) -> bool:
    return diagnostic.position is not None and diagnostic.position.file == WORKSPACE_FILE


def _nothing(files: WorkspaceFiles, paths: Sequence[str | Path], text: str) -> RowbookError:
    where = f" in {', '.join(map(str, paths))}" if paths else ""
    if not files.scenarios:
        hint = "write one into the folder scenarios"
        return RowbookError.of("USAGE_001", "the workspace has no scenarios", hint=hint)
    named = f" whose name contains '{text}'" if text else ""
    hint = f"the workspace has {len(files.scenarios)}; rowbook test runs them all"
    return RowbookError.of("USAGE_001", f"there is no scenario{where}{named}", hint=hint)
