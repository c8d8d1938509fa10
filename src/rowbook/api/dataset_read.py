"""A dataset's rows without a project: asked for as a run that loads them and does nothing else."""

from __future__ import annotations

from rowbook.definitions.models.project import InlineProject
from rowbook.errors import RowbookError
from rowbook.planning.datasets import typed
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.project_plan import ProjectPlan
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, new_context

_CODES = {"unknown": "DATASET_007", "version": "DATASET_008", "disabled": "DATASET_009"}


def request_dataset(
    workspace: OpenWorkspace,
    dataset: str,
    version: int | None,
    calendar: str,
    period: str,
    as_of: str | None,
) -> Request:
    """A draft without operations. The dataset is the files'; one that no file has, the store's.
    Faults of definitions are raised together."""
    checked = workspace.checked
    faults = [d for d in checked.of_definitions if d.severity == "error"]
    if faults:
        raise RowbookError(*faults)
    definitions = checked.known
    found, counted = definitions.dataset(dataset, version), definitions.calendar(calendar)
    if isinstance(found, Missing):
        raise RowbookError.of(_CODES[found.reason], found.message, hint=found.hint)
    if isinstance(counted, Missing):
        raise RowbookError.of("PERIOD_002", counted.message, hint=counted.hint)
    project = InlineProject(input_dataset_id=found.model.name)
    read = typed(found)
    plan = ProjectPlan(project, read, counted, read.working_columns(), ())
    context = new_context("", counted, period, as_of, None)
    return Request(workspace.root, workspace.settings, definitions, {}, plan, context)
