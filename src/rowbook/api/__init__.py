"""Rowbook from Python: a workspace with the verbs of the command line, and typed results.

    from rowbook import Workspace

    with Workspace.open("examples/close") as close:
        result = close.run("monthly_close", "2026-01", draft=True)

docs/python-api.md shows all of it.
"""

from rowbook.api.results import Applied, RunDetails, Validation
from rowbook.api.workspace import Workspace
from rowbook.engine.compare.difference import (
    CellChange,
    ChangedRow,
    Criteria,
    Groups,
    GroupTotals,
    Repeated,
    RetypedColumn,
    TableDifference,
    Total,
)
from rowbook.engine.strategy.describe import StageDescription
from rowbook.errors import Diagnostic, Position, RowbookError, Snippet
from rowbook.periods import Period
from rowbook.runs.compare.compare_runs import ComparedRun, OutputDifference, RunDifference
from rowbook.runs.compare.output_pairs import UnmatchedOutput
from rowbook.runs.execute.result import LedgerEntry, OutputResult, RunResult
from rowbook.runs.run_plan.plan_model import (
    Found,
    PlannedColumn,
    PlannedLocation,
    PlannedRead,
    PlannedStep,
    PlannedUse,
    PlannedValue,
    PlannedWrite,
    RunPlan,
)
from rowbook.runs.versions.activation import ActivationResult
from rowbook.runs.versions.application import ChangePlan, ProjectConflict
from rowbook.runs.versions.changes import Change
from rowbook.runs.versions.dataset_registry import DatasetDetails, DatasetVersion
from rowbook.runs.versions.definition_differences import Difference
from rowbook.runs.versions.period_status import PeriodLine
from rowbook.store import (
    PeriodState,
    Production,
    Project,
    ProjectChange,
    ProjectVersion,
    Resumption,
    Run,
)

__all__ = [
    "ActivationResult",
    "Applied",
    "CellChange",
    "Change",
    "ChangePlan",
    "ChangedRow",
    "ComparedRun",
    "Criteria",
    "DatasetDetails",
    "DatasetVersion",
    "Diagnostic",
    "Difference",
    "Found",
    "GroupTotals",
    "Groups",
    "LedgerEntry",
    "OutputDifference",
    "OutputResult",
    "Period",
    "PeriodLine",
    "PeriodState",
    "PlannedColumn",
    "PlannedLocation",
    "PlannedRead",
    "PlannedStep",
    "PlannedUse",
    "PlannedValue",
    "PlannedWrite",
    "Position",
    "Production",
    "Project",
    "ProjectChange",
    "ProjectConflict",
    "ProjectVersion",
    "Repeated",
    "Resumption",
    "RetypedColumn",
    "RowbookError",
    "Run",
    "RunDetails",
    "RunDifference",
    "RunPlan",
    "RunResult",
    "Snippet",
    "StageDescription",
    "TableDifference",
    "Total",
    "UnmatchedOutput",
    "Validation",
    "Workspace",
]
