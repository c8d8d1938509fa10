"""Results of three scenarios: one passed, one failed, one could not run."""

from __future__ import annotations

from rowbook.errors import Diagnostic, Position
from rowbook.scenarios.runner import ScenarioResult
from tests.scenarios.samples import J1, ledger, rows_compared

MISMATCH = tuple(rows_compared("[{id: J1, amount: 10.55}]", ledger(J1)))
FAULT = Diagnostic("SCENARIO_002", "project 'x' is not defined", Position("s/a.yaml", 12, 3))
PASSED = ScenarioResult("all is well", "s/a.yaml", 2, "passed", (), (), 0.25)
FAILED = ScenarioResult("sums", "s/a.yaml", 7, "failed", MISMATCH, (), 2.04)
ERROR = ScenarioResult("no project", "s/b.yaml", 1, "error", (), (FAULT,), 0.0)
RESULTS = [PASSED, FAILED, ERROR]


def describe(diagnostic: Diagnostic) -> list[str]:
    return [str(diagnostic), "    a hint"]
