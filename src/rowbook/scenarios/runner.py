"""Running scenarios, one after the other: a fault in one does not keep the others from running."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Literal, TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ExpectedResult, Matching, ScenarioDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.findings import Findings
from rowbook.planning.scenarios import ScenarioSetting, set_up
from rowbook.scenarios.compare import compare, is_met
from rowbook.scenarios.errors import Faults, find_faults, is_within
from rowbook.scenarios.mismatch import Mismatch
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.row_files import read_files
from rowbook.scenarios.selection import Selected, Unread, name_of, position_of

Status = Literal["passed", "failed", "error"]
Execute: TypeAlias = Callable[[Entry[ScenarioDefinition], ScenarioSetting], Outcome]
"""Runs a scenario's project, which has a plan, on the scenario's input."""


class NoSessionError(RowbookError):
    """Spark did not start: no scenario can be run, and none is at fault."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """`failed`: it ran, or its definitions were refused, and that is not what it expects; `error`:
    it could not be run, or engines do not agree on it. `trace` is for the developers of Rowbook."""

    status: Status
    mismatches: tuple[Mismatch, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    trace: str = ""


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    name: str
    file: str
    line: int
    status: Status
    mismatches: tuple[Mismatch, ...]
    diagnostics: tuple[Diagnostic, ...]
    duration: float
    trace: str = ""


def run_scenarios(
    scenarios: Sequence[Selected],
    files: WorkspaceFiles,
    execute: Execute,
    on_done: Callable[[ScenarioResult], None] = lambda result: None,
    on_begin: Callable[[str], None] = lambda name: None,
) -> list[ScenarioResult]:
    """Run them in their order; `on_begin` and `on_done` hear of each as it begins and ends.
    `execute` is not called where errors of the definitions decide; its NoSessionError ends all."""
    results: list[ScenarioResult] = []
    for scenario in scenarios:
        on_begin(name_of(scenario))
        start = monotonic()
        verdict = _guarded(scenario, files, execute)
        position = position_of(scenario)
        result = ScenarioResult(
            name_of(scenario),
            position.file,
            position.line,
            verdict.status,
            verdict.mismatches,
            verdict.diagnostics,
            monotonic() - start,
            verdict.trace,
        )
        results.append(result)
        on_done(result)
    return results


def _guarded(scenario: Selected, files: WorkspaceFiles, execute: Execute) -> _Verdict:
    try:
        if isinstance(scenario, Unread):
            return _judge_unread(scenario)
        return _judge(scenario, files, execute)
    except NoSessionError:
        raise
    except Exception as error:
        hint = "this is a fault of Rowbook, not of your files; --debug shows where"
        message = f"{type(error).__name__}: {error}"
        diagnostic = Diagnostic("INTERNAL", message, position_of(scenario), hint)
        return _Verdict("error", (), (diagnostic,), traceback.format_exc())


def _judge_unread(scenario: Unread) -> _Verdict:
    if scenario.expected is None:
        return _Verdict("error", (), scenario.diagnostics)
    outcome = Outcome(errors=scenario.diagnostics)
    expectation = ExpectedResult(error=scenario.expected)
    return _verdict(compare(expectation, Matching(), outcome, scenario.place), outcome)


def _judge(entry: Entry[ScenarioDefinition], files: WorkspaceFiles, execute: Execute) -> _Verdict:
    model = entry.model
    setting = set_up(entry, files, Findings())
    faults = find_faults(entry, files, setting)
    if faults.own:
        if _expects(entry, faults):
            return _Verdict("passed")
        return _Verdict("error", (), (*faults.own, *faults.reported))
    if faults.reported or setting is None or setting.planned.plan is None:
        outcome = Outcome(errors=faults.reported)
        return _verdict(compare(model.expect, model.match, outcome, entry.place), outcome)
    try:
        written = read_files(model.expect, entry.place, setting.known.boundary)
    except RowbookError as error:
        return _Verdict("error", (), error.diagnostics)
    outcome = _executed(entry, setting, execute)
    if outcome.differences:
        message = "the reference engine and Spark do not give the same"
        fault = Diagnostic("SCENARIO_006", message, position_of(entry))
        return _Verdict("error", outcome.differences, (fault,))
    keys = setting.planned.plan.input.definition.natural_key_columns
    return _verdict(
        compare(model.expect, model.match, outcome, entry.place, written, keys), outcome
    )


def _expects(entry: Entry[ScenarioDefinition], faults: Faults) -> bool:
    """Whether its own faults are the error that it expects. The expectation must be sound."""
    expected = entry.model.expect.error
    unsound = [entry.place.at(key) for key in ("expect", "match")]
    if expected is None or any(is_within(d, place) for d in faults.own for place in unsound):
        return False
    return is_met(expected, (*faults.own, *faults.reported))


def _executed(
    entry: Entry[ScenarioDefinition], setting: ScenarioSetting, execute: Execute
) -> Outcome:
    try:
        return execute(entry, setting)
    except NoSessionError:
        raise
    except RowbookError as error:
        return Outcome(errors=error.diagnostics)


def _verdict(mismatches: Sequence[Mismatch], outcome: Outcome) -> _Verdict:
    if not mismatches:
        return _Verdict("passed")
    return _Verdict("failed", tuple(mismatches), outcome.errors)
