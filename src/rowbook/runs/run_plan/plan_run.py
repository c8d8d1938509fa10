"""From what is asked for to what a run of it would do: no Spark, no rows, no trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.definitions.workspace_files import read_workspace
from rowbook.engine.strategy.describe import describe
from rowbook.engine.strategy.stages import Situation
from rowbook.engine.strategy.strategy import decide
from rowbook.errors import RowbookError
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.project_version import chosen_request
from rowbook.runs.prepare.request import Request, request
from rowbook.runs.prepare.table_versions import with_tables
from rowbook.runs.prepare.targets import rewriting
from rowbook.runs.run_plan.plan_model import RunPlan
from rowbook.runs.run_plan.planned_reads import planned_read
from rowbook.runs.run_plan.planned_steps import planned_columns, planned_steps
from rowbook.runs.workspace_check_with_store import has_no_store

if TYPE_CHECKING:
    from rowbook.store import Store


def plan_run(
    root: Path, project: str, period: str, as_of: str | None = None, *, draft: bool = False
) -> RunPlan:
    """What `run` would do: of the active version, or of the file as it is for a draft and where the
    project was never activated. No store is needed, and none is made."""
    store = _store(root)
    if store is None:
        return plan_of(request(root, project, period, as_of))
    with store:
        asked = chosen_request(root, store, project, period, as_of, draft=draft)
        return plan_of(_with_tables(asked, store))


def _store(root: Path) -> Store | None:
    files = read_workspace(root)
    if has_no_store(files):
        return None
    from rowbook.runs.workspace_store import find_workspace_store

    return find_workspace_store(files)


def plan_of(asked: Request) -> RunPlan:
    """The plan of a run that may start; RESOLVER_003 where no rule leads to a dataset."""
    plan, context = asked.plan, asked.context
    return RunPlan(
        asked.project_name,
        asked.version,
        plan.project.description,
        context.period.identifier,
        context.period.start,
        context.period.end,
        context.calendar.name,
        context.as_of,
        tuple(planned_read(each, asked) for each in used_datasets(plan)),
        planned_columns(plan.columns.fields.values()),
        tuple(planned_steps(asked)),
        plan.warnings,
        describe(decide(plan, Situation(rewrites=_rewrites(asked)))),
    )


def _rewrites(asked: Request) -> frozenset[int]:
    """The outputs that replace what is read, as far as that can be asked now."""
    try:
        return rewriting(asked)
    except (RowbookError, OSError):
        return frozenset()


def _with_tables(asked: Request, store: Store) -> Request:
    """With the table versions that a run would read; what cannot be asked now, each location says
    for itself. DATASET_014 is what the run would end with."""
    try:
        return with_tables(asked, store)
    except OSError:
        return asked
    except RowbookError as error:
        if error.diagnostics[0].code == "DATASET_014":
            raise
        return asked
