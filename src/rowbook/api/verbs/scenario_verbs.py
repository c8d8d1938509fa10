"""Scenarios of a workspace, run by the reference engine, on Spark, or by both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from rowbook.api.path_choice import parts_of
from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.scenarios import reference_execution
from rowbook.scenarios.engine_comparison import with_differences
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import ScenarioResult, run_scenarios
from rowbook.scenarios.scenario_run import ScenarioRun
from rowbook.scenarios.selection import select

if TYPE_CHECKING:
    from rowbook.api.client import Client

TestEngine: TypeAlias = Literal["reference", "spark", "both"]
Compute: TypeAlias = Callable[[ScenarioRun], Outcome]
Starting: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Around the start of Spark, which takes seconds."""


@dataclass(frozen=True, slots=True)
class ScenarioListeners:
    """Who hears of Spark's start, and of each scenario as it begins and ends."""

    on_start: Starting
    on_begin: Callable[[str], None]
    on_done: Callable[[ScenarioResult], None]


def run_workspace_scenarios(
    client: Client,
    paths: Sequence[str | Path],
    text: str,
    engine: TestEngine,
    watching: ScenarioListeners,
) -> tuple[ScenarioResult, ...]:
    files = client.open().files
    if files.workspace is None:
        raise RowbookError(*(d for d in files.diagnostics if _is_settings(d)))
    selected = select(files, parts_of(paths), text)
    if not selected:
        raise _nothing(files, paths, text)
    with _computation(client, engine, watching.on_start) as compute:

        def execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
            return compute(ScenarioRun.of(entry, setting))

        done, begin = watching.on_done, watching.on_begin
        return tuple(run_scenarios(selected, files, execute, done, begin))


@contextmanager
def _computation(client: Client, engine: TestEngine, starting: Starting) -> Iterator[Compute]:
    if engine == "reference":
        yield reference_execution.compute
        return
    with _on_spark(client, starting) as on_spark:
        if engine == "spark":
            yield on_spark
            return

        def on_both(run: ScenarioRun) -> Outcome:
            reference = reference_execution.compute(run)
            return with_differences(reference, on_spark(run), run.entry.place.at("name").position)

        yield on_both


@contextmanager
def _on_spark(client: Client, starting: Starting) -> Iterator[Compute]:
    """Spark starts when it is called for the first time."""
    from rowbook.scenarios import spark_execution

    if client.keeps_session:
        yield lambda run: spark_execution.compute(client.session.engine().spark, run)
        return
    opening = spark_execution.open_computation(client.root, client.engine, client.debug, starting)
    with opening as compute:
        yield compute


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
