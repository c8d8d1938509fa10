"""The lives of rows in a run of the past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.backward_condition import Question, RowQuestion
from rowbook.proof.backward.row_questions import id_condition, rows_with_values
from rowbook.proof.row_life import RowLife, RowTrace
from rowbook.proof.row_search import FoundLife, RowQuery, find_lives, unknown_row
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.proof.earlier_runs import EarlierRuns
from rowbook.runs.proof.run_replay import RunReplay, replayed_run
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """Which rows; at most `limit` of them are told, None: all."""

    row: str
    dataset: str | None = None
    limit: int | None = None
    accept_changed_input: bool = False


def trace_rows(
    workspace: OpenWorkspace, run_id: str, request: TraceRequest, use: SparkUse
) -> RowTrace:
    query = RowQuery.parse(request.row)

    def questions(plan: ProjectPlan) -> Iterator[Sequence[Question]]:
        """By its id, a row is looked for where it is read before all that made rows are."""
        if query.row_id is None:
            yield tuple(rows_with_values(plan, query.values))
            return
        condition = id_condition(query.row_id)
        yield (RowQuestion(CheckPoint("input"), condition, onward=True),)
        yield (RowQuestion(CheckPoint("end"), condition),)

    accepted = request.accept_changed_input
    with ExitStack() as resources:
        run = resources.enter_context(
            replayed_run(workspace, run_id, None, questions, use, accept_changed_input=accepted)
        )
        before = EarlierRuns(workspace, use, resources, accept_changed_input=accepted)
        found = find_lives(run.replay, query, request.dataset)
        rows = [_with_earlier(each, run, before) for each in found[: request.limit]]
        if not found:
            rows = [unknown_row(run.replay, query, request.dataset)]
        past = run.past.run
        return RowTrace(
            past.id,
            past.project_name,
            past.project_version,
            past.period,
            tuple(rows),
            max(len(found) - len(rows), 0),
            run.inputs,
            (*run.warnings, *([run.part] if run.part else [])),
        )


def _with_earlier(found: FoundLife, run: RunReplay, before: EarlierRuns) -> RowLife:
    """With the lives that the row had in the runs that produced it."""
    life = found.tell()
    if found.source is None:
        return life
    return replace(life, earlier=before.traces(found.source, run))
