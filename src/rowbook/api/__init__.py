"""Rowbook from Python: a workspace with the verbs of the command line, and typed results.

    from rowbook import Workspace

    with Workspace.open("examples/close") as close:
        result = close.run("monthly_close", "2026-01", draft=True)

docs/python-api.md shows all of it.
"""

from rowbook.api.plan import Column, PlannedRead, PlannedStep, PlannedWrite, RunPlan
from rowbook.api.results import Applied, RunDetails, Validation
from rowbook.api.workspace import Workspace
from rowbook.catalog import (
    PeriodState,
    Production,
    Project,
    ProjectVersion,
    Resumption,
    Run,
)
from rowbook.errors import Diagnostic, Position, RowbookError, Snippet
from rowbook.periods import Period
from rowbook.runs.activating import ActivationResult
from rowbook.runs.applying import ChangePlan, ProjectConflict
from rowbook.runs.changes import Change
from rowbook.runs.differences import Difference
from rowbook.runs.period_status import PeriodLine
from rowbook.runs.registry import DatasetDetails, DatasetVersion
from rowbook.runs.result import LedgerEntry, OutputResult, RunResult

__all__ = [
    "ActivationResult",
    "Applied",
    "Change",
    "ChangePlan",
    "Column",
    "DatasetDetails",
    "DatasetVersion",
    "Diagnostic",
    "Difference",
    "LedgerEntry",
    "OutputResult",
    "Period",
    "PeriodLine",
    "PeriodState",
    "PlannedRead",
    "PlannedStep",
    "PlannedWrite",
    "Position",
    "Production",
    "Project",
    "ProjectConflict",
    "ProjectVersion",
    "Resumption",
    "RowbookError",
    "Run",
    "RunDetails",
    "RunPlan",
    "RunResult",
    "Snippet",
    "Validation",
    "Workspace",
]
