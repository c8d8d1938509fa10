"""Rounds over a workspace: one at once, then one for each save."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import RowbookError
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.runs.preview.engine_choice import choose_engine
from rowbook.scenarios import reference_execution
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import run_scenarios
from rowbook.scenarios.scenario_run import ScenarioRun
from rowbook.scenarios.selection import select
from rowbook.sources.source_errors import NotPlainError
from rowbook.value_class import dataclass
from rowbook.watch.events import (
    Checked,
    RoundEnd,
    RoundStart,
    RowsCompared,
    RowsCounted,
    RowsFailed,
    RowsLeftOut,
    ScenariosRun,
    WatchEvent,
)
from rowbook.watch.file_states import FileChange, changes_between, file_states, wait_for_change
from rowbook.watch.footprint import Footprint, ScenarioKey, footprints, touched
from rowbook.watch.row_effect import count_rows, first_change, row_effect

_UNCHANGED = "no operation changed"
_OUTPUT = "an output changes what is written, not the working dataset"


@dataclass(frozen=True, slots=True)
class WatchedProject:
    """A project whose rows are followed; `now` is the clock of all rounds, so that ids of rows are
    the same in each."""

    project: str
    period: str
    now: str
    given: GivenParameters = NOTHING_GIVEN

    @classmethod
    def of(
        cls, project: str | None, period: str | None, given: GivenParameters = NOTHING_GIVEN
    ) -> WatchedProject | None:
        """None for no project; USAGE_001 for a project without a period, and the other way round,
        and for values of parameters without both."""
        if project is not None and period is not None:
            now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
            return cls(project, period, now, given)
        if project is None and period is None and not given.values:
            return None
        missing = "a period" if period is None else "a project"
        hint = "name both to see rows, or neither"
        raise RowbookError.of("USAGE_001", f"{missing} is missing", hint=hint)


def watch(
    root: Path,
    open_workspace: Callable[[], OpenWorkspace],
    followed: WatchedProject | None,
    *,
    once: bool,
) -> Iterator[WatchEvent]:
    """A project or period that there is not is raised in the first round; from then on whatever is
    wrong is an event."""
    return _watch(root, _Rounds(open_workspace, followed), once=once)


def _watch(root: Path, rounds: _Rounds, *, once: bool) -> Iterator[WatchEvent]:
    states = file_states(root)
    changes: tuple[FileChange, ...] = ()
    while True:
        yield from rounds.next(changes)
        if once:
            return
        now = wait_for_change(root, states)
        changes, states = changes_between(states, now), now


class _Rounds:
    """What the next round is compared with: the footprints that scenarios last ran with, and the
    project as it was when it was last sound."""

    def __init__(
        self, open_workspace: Callable[[], OpenWorkspace], followed: WatchedProject | None
    ) -> None:
        self._open, self._followed = open_workspace, followed
        self._footprints: dict[ScenarioKey, Footprint] = {}
        self._request: Request | None = None
        self._is_first = True

    def next(self, changes: tuple[FileChange, ...]) -> Iterator[WatchEvent]:
        began = time.monotonic()
        yield RoundStart(changes)
        ok = True
        for event in self._looked_at():
            ok = ok and _is_ok(event)
            yield event
        self._is_first = False
        yield RoundEnd(ok, time.monotonic() - began)

    def _looked_at(self) -> Iterator[WatchEvent]:
        try:
            with self._open() as workspace:
                checked = workspace.checked
                found = Checked((*checked.errors, *checked.warnings))
                yield found
                if found.errors:
                    return
                yield self._scenarios(workspace.files)
                if self._followed is not None:
                    yield self._rows(workspace, self._followed)
        except RowbookError as error:
            if self._is_first:
                raise
            yield Checked(error.diagnostics)

    def _scenarios(self, files: WorkspaceFiles) -> ScenariosRun:
        scenarios = select(files)
        now: Mapping[ScenarioKey, Footprint] = footprints(files, scenarios)
        chosen = touched(scenarios, self._footprints, now)
        self._footprints = dict(now)
        results = run_scenarios(chosen.scenarios, files, _execute)
        reasons = () if self._is_first else chosen.reasons
        return ScenariosRun(tuple(results), len(scenarios), reasons)

    def _rows(self, workspace: OpenWorkspace, followed: WatchedProject) -> WatchEvent:
        project, period = followed.project, followed.period
        request = self._requested(workspace, followed)
        old, self._request = self._request, request
        operation = first_change(old, request) if old else None
        if old is not None and operation is None:
            return RowsLeftOut(project, period, _UNCHANGED)
        if operation is not None and operation.is_output:
            return RowsLeftOut(project, period, _OUTPUT, operation)
        try:
            resolved = resolve_run(request)
            check_run(resolved)
            choice = choose_engine(resolved, request.plan, None)
            if choice.engine != "reference":
                return RowsLeftOut(project, period, choice.reason, operation)
            if old is None or operation is None:
                return RowsCounted(project, period, count_rows(request))
            return RowsCompared(project, period, row_effect(old, request, operation))
        except NotPlainError as cause:
            return RowsLeftOut(project, period, str(cause), operation)
        except RowbookError as error:
            return RowsFailed(project, period, error.diagnostics)

    def _requested(self, workspace: OpenWorkspace, followed: WatchedProject) -> Request:
        named = followed.project, followed.period
        request = request_draft(workspace, *named, now=followed.now, given=followed.given)
        if self._request is None:
            return request
        context = replace(request.context, run_id=self._request.context.run_id)
        return replace(request, context=context)


def _execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
    return reference_execution.compute(ScenarioRun.of(entry, setting))


def _is_ok(event: WatchEvent) -> bool:
    match event:
        case Checked():
            return not event.errors
        case ScenariosRun():
            return event.ok
        case RowsFailed():
            return False
        case _:
            return True
