"""Rows at a step of a project, or of a dataset: as a frame, or computed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rowbook.definitions.models.project import InlineProject
from rowbook.errors import RowbookError
from rowbook.planning.columns import is_listed
from rowbook.planning.datasets import typed
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.parameter_values import GivenParameters
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.period_history import history_of
from rowbook.runs.prepare.request import Request, new_context, request_draft
from rowbook.runs.preview import preview_rows as previews
from rowbook.runs.preview.engine_choice import EngineName, OnEngine
from rowbook.runs.preview.preview_rows import Preview, SparkUse
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowbook.api.client import Client, OnSession, OnStep, OnWait

_CODES = {"unknown": "DATASET_007", "version": "DATASET_008", "disabled": "DATASET_009"}


@dataclass(frozen=True, slots=True)
class PreviewListeners:
    """Who hears which engine it is, of Spark's start, of each operation on Spark, and of waiting
    for executors."""

    on_engine: OnEngine
    on_session: OnSession
    on_step: OnStep
    on_wait: OnWait


def request_preview(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    after: int | None,
    as_of: str | None,
    now: str | None,
    given: GivenParameters,
) -> Request:
    request = request_draft(workspace, project, period, as_of, now, given)
    seqs = [step.seq for step in request.plan.steps]
    if after is not None and after not in seqs:
        hint = f"seqs: {', '.join(map(str, seqs))}"
        raise RowbookError.of("USAGE_001", f"there is no operation {after}", hint=hint)
    return request


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
    history = partial(history_of, workspace, plan, definitions)
    return Request(
        workspace.root, workspace.settings, definitions, {}, plan, context, history=history
    )


def preview_frame(
    client: Client, request: Request, after: int | None, *, system: bool
) -> DataFrame:
    from rowbook.runs.preview import spark_preview

    names, frame = spark_preview.preview_frame(request, client.session.engine, after=after)
    return frame.select(*(name for name in names if system or is_listed(name)))


def preview_rows(
    client: Client,
    request: Request,
    after: int | None,
    limit: int,
    engine: EngineName | None,
    watching: PreviewListeners,
) -> Preview:
    use, named = spark_use(client, watching), engine_named(client, engine)
    return previews.preview_rows(request, named, use, watching.on_engine, after=after, limit=limit)


def spark_use(client: Client, watching: PreviewListeners) -> SparkUse:
    return SparkUse(
        client.engine,
        client.debug,
        watching.on_step,
        watching.on_session,
        watching.on_wait,
        session=client.session.lend if client.keeps_session else None,
    )


def engine_named(client: Client, engine: EngineName | None) -> EngineName | None:
    """A master, an endpoint or a session that the workspace was opened with asks for Spark."""
    return "spark" if engine is None and client.engine else engine
