"""Runs the scenarios of small workspaces with an executor that stands in for Spark."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.expressions import types as t
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import ScenarioResult, run_scenarios
from rowbook.scenarios.selection import select
from tests.scenarios.samples import table, workspace, written

RESULT = written(table({"id": t.STRING, "amount": t.decimal(18, 2)}, ("J1", Decimal("1.00"))))


class Executor:
    """Gives one outcome, and remembers for which scenarios."""

    def __init__(self, outcome: Outcome | Callable[[], Outcome] = RESULT) -> None:
        self.outcome = outcome
        self.called: list[str] = []

    def __call__(self, entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
        assert setting.planned.plan is not None
        self.called.append(entry.model.name)
        return self.outcome if isinstance(self.outcome, Outcome) else self.outcome()


def run(files: WorkspaceFiles, execute: Executor | None = None) -> list[ScenarioResult]:
    return run_scenarios(select(files), files, execute or Executor())


def run_one(
    folder: Path, text: str, execute: Executor | None = None, **files: str
) -> ScenarioResult:
    (result,) = run(workspace(folder, text, **files), execute)
    return result


def codes(result: ScenarioResult) -> list[str]:
    return [d.code for d in result.diagnostics]
