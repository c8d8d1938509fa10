"""Rowbook from Python: a workspace with the verbs of the command line, and typed results.

    from rowbook import Workspace

    with Workspace.open("examples/close") as close:
        result = close.run("monthly_close", "2026-01", draft=True)

docs/python-api.md shows all of it.
"""

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
from rowbook.engine.compared import (
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
from rowbook.errors import Diagnostic, Position, RowbookError, Snippet
from rowbook.periods import Period
from rowbook.runs.activating import ActivationResult
from rowbook.runs.applying import ChangePlan, ProjectConflict
from rowbook.runs.changes import Change
from rowbook.runs.comparing import ComparedRun, OutputDifference, RunDifference
from rowbook.runs.differences import Difference
from rowbook.runs.output_pairs import UnmatchedOutput
from rowbook.runs.period_status import PeriodLine
from rowbook.runs.plan import (
    Column,
    Found,
    PlannedLocation,
    PlannedRead,
    PlannedStep,
    PlannedUse,
    PlannedValue,
    PlannedWrite,
    RunPlan,
)
from rowbook.runs.registry import DatasetDetails, DatasetVersion
from rowbook.runs.result import LedgerEntry, OutputResult, RunResult

__all__ = [
    "ActivationResult",
    "Applied",
    "CellChange",
    "Change",
    "ChangePlan",
    "ChangedRow",
    "Column",
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
    "PlannedLocation",
    "PlannedRead",
    "PlannedStep",
    "PlannedUse",
    "PlannedValue",
    "PlannedWrite",
    "Position",
    "Production",
    "Project",
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
    "TableDifference",
    "Total",
    "UnmatchedOutput",
    "Validation",
    "Workspace",
]
