"""Rowbook from Python: a workspace with the verbs of the command line, and typed results.

    from rowbook import Workspace

    with Workspace.open("examples/close") as close:
        result = close.run("monthly_close", "2026-01", draft=True)

docs/python-api.md shows all of it. Names are imported when they are asked for.
"""

TYPE_CHECKING = False  # as type checkers take it for true, without importing typing

if TYPE_CHECKING:
    from rowbook.api.definition_schema import json_schema as json_schema
    from rowbook.api.path_choice import workspace_of as workspace_of
    from rowbook.api.plan_picture import draw_plan as draw_plan
    from rowbook.api.results import Applied as Applied
    from rowbook.api.results import Deactivation as Deactivation
    from rowbook.api.results import Preview as Preview
    from rowbook.api.results import RunDetails as RunDetails
    from rowbook.api.results import RunStart as RunStart
    from rowbook.api.results import Validation as Validation
    from rowbook.api.shell_words import WordKind as WordKind
    from rowbook.api.shell_words import completion_words as completion_words
    from rowbook.api.spark_jars import JarList as JarList
    from rowbook.api.spark_jars import JarState as JarState
    from rowbook.api.spark_jars import fetch_missing_jars as fetch_missing_jars
    from rowbook.api.spark_jars import list_jars as list_jars
    from rowbook.api.workspace import Workspace as Workspace
    from rowbook.engine.compare.difference import CellChange as CellChange
    from rowbook.engine.compare.difference import ChangedRow as ChangedRow
    from rowbook.engine.compare.difference import Criteria as Criteria
    from rowbook.engine.compare.difference import Groups as Groups
    from rowbook.engine.compare.difference import GroupTotals as GroupTotals
    from rowbook.engine.compare.difference import Number as Number
    from rowbook.engine.compare.difference import Repeated as Repeated
    from rowbook.engine.compare.difference import RetypedColumn as RetypedColumn
    from rowbook.engine.compare.difference import Row as Row
    from rowbook.engine.compare.difference import TableDifference as TableDifference
    from rowbook.engine.compare.difference import Total as Total
    from rowbook.engine.strategy.describe import StageDescription as StageDescription
    from rowbook.errors import Diagnostic as Diagnostic
    from rowbook.errors import Position as Position
    from rowbook.errors import RowbookError as RowbookError
    from rowbook.errors import Snippet as Snippet
    from rowbook.periods import Period as Period
    from rowbook.planning.columns import is_listed as is_listed
    from rowbook.planning.columns import is_system as is_system
    from rowbook.runs.compare.compare_runs import ComparedRun as ComparedRun
    from rowbook.runs.compare.compare_runs import DraftFailedError as DraftFailedError
    from rowbook.runs.compare.compare_runs import OutputDifference as OutputDifference
    from rowbook.runs.compare.compare_runs import RunDifference as RunDifference
    from rowbook.runs.compare.output_pairs import UnmatchedOutput as UnmatchedOutput
    from rowbook.runs.execute.cleanup import Removal as Removal
    from rowbook.runs.execute.result import LedgerEntry as LedgerEntry
    from rowbook.runs.execute.result import OutputResult as OutputResult
    from rowbook.runs.execute.result import RunResult as RunResult
    from rowbook.runs.run_plan.plan_model import Found as Found
    from rowbook.runs.run_plan.plan_model import PlannedColumn as PlannedColumn
    from rowbook.runs.run_plan.plan_model import PlannedLocation as PlannedLocation
    from rowbook.runs.run_plan.plan_model import PlannedRead as PlannedRead
    from rowbook.runs.run_plan.plan_model import PlannedStep as PlannedStep
    from rowbook.runs.run_plan.plan_model import PlannedUse as PlannedUse
    from rowbook.runs.run_plan.plan_model import PlannedValue as PlannedValue
    from rowbook.runs.run_plan.plan_model import PlannedWrite as PlannedWrite
    from rowbook.runs.run_plan.plan_model import RunPlan as RunPlan
    from rowbook.runs.versions.activation import ActivationResult as ActivationResult
    from rowbook.runs.versions.application import ChangePlan as ChangePlan
    from rowbook.runs.versions.application import ProjectConflict as ProjectConflict
    from rowbook.runs.versions.changes import Change as Change
    from rowbook.runs.versions.dataset_registry import DatasetDetails as DatasetDetails
    from rowbook.runs.versions.dataset_registry import DatasetVersion as DatasetVersion
    from rowbook.runs.versions.definition_differences import Difference as Difference
    from rowbook.runs.versions.period_status import PeriodLine as PeriodLine
    from rowbook.scenarios.mismatch import CellDifference as CellDifference
    from rowbook.scenarios.mismatch import Mismatch as Mismatch
    from rowbook.scenarios.mismatch import RowPair as RowPair
    from rowbook.scenarios.mismatch import RowsDifference as RowsDifference
    from rowbook.scenarios.runner import ScenarioResult as ScenarioResult
    from rowbook.starter.creation import NewWorkspace as NewWorkspace
    from rowbook.starter.creation import init_workspace as init_workspace
    from rowbook.store import PeriodState as PeriodState
    from rowbook.store import Production as Production
    from rowbook.store import Project as Project
    from rowbook.store import ProjectChange as ProjectChange
    from rowbook.store import ProjectVersion as ProjectVersion
    from rowbook.store import Resumption as Resumption
    from rowbook.store import Run as Run
else:
    _NAMES = {
        "rowbook.api.shell_words": "WordKind completion_words",
        "rowbook.api.definition_schema": "json_schema",
        "rowbook.api.path_choice": "workspace_of",
        "rowbook.api.plan_picture": "draw_plan",
        "rowbook.api.results": "Applied Deactivation Preview RunDetails RunStart Validation",
        "rowbook.api.spark_jars": "JarList JarState fetch_missing_jars list_jars",
        "rowbook.api.workspace": "Workspace",
        "rowbook.engine.compare.difference": "CellChange ChangedRow Criteria GroupTotals "
        "Groups Number Repeated RetypedColumn Row TableDifference Total",
        "rowbook.engine.strategy.describe": "StageDescription",
        "rowbook.errors": "Diagnostic Position RowbookError Snippet",
        "rowbook.periods": "Period",
        "rowbook.planning.columns": "is_listed is_system",
        "rowbook.runs.compare.compare_runs": "ComparedRun DraftFailedError "
        "OutputDifference RunDifference",
        "rowbook.runs.compare.output_pairs": "UnmatchedOutput",
        "rowbook.runs.execute.cleanup": "Removal",
        "rowbook.runs.execute.result": "LedgerEntry OutputResult RunResult",
        "rowbook.runs.run_plan.plan_model": "Found PlannedColumn PlannedLocation PlannedRead "
        "PlannedStep PlannedUse PlannedValue PlannedWrite RunPlan",
        "rowbook.runs.versions.activation": "ActivationResult",
        "rowbook.runs.versions.application": "ChangePlan ProjectConflict",
        "rowbook.runs.versions.changes": "Change",
        "rowbook.runs.versions.dataset_registry": "DatasetDetails DatasetVersion",
        "rowbook.runs.versions.definition_differences": "Difference",
        "rowbook.runs.versions.period_status": "PeriodLine",
        "rowbook.scenarios.mismatch": "CellDifference Mismatch RowPair RowsDifference",
        "rowbook.scenarios.runner": "ScenarioResult",
        "rowbook.starter.creation": "NewWorkspace init_workspace",
        "rowbook.store": "PeriodState Production Project ProjectChange ProjectVersion "
        "Resumption Run",
    }
    _HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
    __all__ = sorted(_HOMES)

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module 'rowbook.api' has no attribute '{name}'")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
