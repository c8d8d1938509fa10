"""Replays of small projects, and figures of what they write."""

from __future__ import annotations

from dataclasses import replace

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.expressions.scope import Scope, Table
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.proof.explain_figure import ExplainOptions, RunLabel, explain_figure
from rowbook.proof.explanation import Explanation
from rowbook.proof.figure import Figure
from rowbook.proof.replay import Replay
from rowbook.runs.tables.row_condition import row_condition
from tests.support.reference_run import Tables, source_of
from tests.support.small_plans import CONTEXT

LABEL = RunLabel("run", "p", 1, "2026-01", "out")


def with_output(plan: ProjectPlan) -> ProjectPlan:
    """With an output of all columns behind all operations, seq 1000."""
    columns = plan.steps[-1].columns if plan.steps else plan.columns
    destination = DestinationDefinition.model_validate({"location": {"path": "all"}})
    names = tuple(columns.fields)
    step = OutputStep(1000, "all", None, (), columns, destination, names, False, "replace", None)
    return replace(plan, steps=(*plan.steps, step))


def replay_of(plan: ProjectPlan, tables: Tables, context: RunContext = CONTEXT) -> Replay:
    return Replay(plan, context, source_of(tables, context))


def figure_of(replay: Replay, seq: int, column: str, where: str | None = None) -> Figure:
    step = replay.step_at(seq).step
    assert isinstance(step, OutputStep)
    fields = [step.columns.fields[name] for name in step.written]
    return Figure(replay, seq, column, row_condition(where, Scope(Table.of(fields), "output")))


def explained(replay: Replay, seq: int, column: str, where: str | None = None) -> Explanation:
    return explain_figure(figure_of(replay, seq, column, where), LABEL, ExplainOptions())
