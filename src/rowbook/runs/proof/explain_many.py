"""Figures of so many rows that these are not replayed here: one pass of Spark over the rows that
could be in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.joining.unique_keys import JoinKeyProof
from rowbook.engine.proof.figure_pass import FigurePass, FigureQuestion, MixedFigureError
from rowbook.engine.strategy.checks.lookup_keys import uncertain_columns
from rowbook.engine.strategy.storage import summary_storage
from rowbook.expressions.bound import Bound, Column, columns
from rowbook.expressions.folding import FALSE, TRUE
from rowbook.expressions.implication import implied
from rowbook.planning.columns import ROW_ID
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import OutputStep
from rowbook.proof.backward.backward_condition import RowQuestion, rows_behind
from rowbook.proof.backward.join_keys import with_join_keys
from rowbook.proof.backward.pattern_explanation import ManyRows
from rowbook.proof.backward.plan_stretches import written_after
from rowbook.proof.explain_figure import RunLabel
from rowbook.proof.explanation import Explanation
from rowbook.reference.subset.row_subset import BirthCondition, RowSubset
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.preview.spark_preview import opened_session
from rowbook.runs.proof.many_rows_error import ManyRowsError
from rowbook.runs.proof.replay_choice import acted_plan
from rowbook.runs.proof.run_replay import RunAgain
from rowbook.runs.proof.spark_subset import SparkSubset
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowbook.runs.proof.explain_output import ExplainRequest


@dataclass(frozen=True, slots=True)
class ManyQuestion:
    """A figure of an output, and what it is explained by."""

    step: OutputStep
    where: Bound | None
    request: ExplainRequest
    label: RunLabel


def explain_many(run: RunAgain, question: ManyQuestion, use: SparkUse) -> Explanation:
    """ManyRowsError where more than a sum over rows has to be explained."""
    plan = acted_plan(run.resolved, run.record)
    context, step = run.resolved.request.context, question.step
    asked = RowQuestion(CheckPoint("output", step.seq), question.where or TRUE)
    subset = rows_behind(plan, context, [asked])
    _check_alone(subset)
    session = opened_session(run.resolved, use, run.resources)
    reading = SparkSubset(run.resolved, plan, session, run.resources)
    own = reading.reading(plan.input)
    candidates = _candidates(plan, subset, question.where)
    loaded = own.frame(reading.as_loaded(plan.input, BirthCondition(candidates)))
    reader = RunReader(lambda: session.spark, run.resolved, run.resources)
    compiler = Compiler(context, stored_ids=ROW_ID in loaded.columns)
    wide, keys = with_join_keys(plan)

    def load(dataset: Dataset) -> DataFrame:
        return reader.read(dataset, keep_deleted=False, with_ids=True)

    unique = JoinKeyProof.of(load, compiler, uncertain_columns(list(plan.steps)))
    environment = Environment(context, compiler, load, plan.input, unique_keys=unique)
    storage = summary_storage(session.executors)
    passed = FigurePass(wide, environment, loaded, subset, storage, keys)
    request = question.request
    naming = plan.input.definition.natural_key_columns or tuple(
        each.name for each in plan.input.business
    )
    try:
        found = passed.patterns(
            FigureQuestion(
                step.seq, request.column, question.where, request.group_by, request.limit, naming
            )
        )
    except MixedFigureError as cause:
        raise ManyRowsError(f"{cause}: very many rows") from cause
    kind = step.columns.fields[request.column].type
    many = ManyRows(plan, found, request.column, question.where, kind, own.origin)
    answer = many.explanation(question.label, found.value, by_columns=bool(request.group_by))
    warnings = (*run.warnings, _HOW, *_among(candidates))
    return replace(answer, inputs=run.inputs, warnings=warnings)


_HOW = "computed once more by Spark: too many rows to be replayed one by one"


def _among(candidates: Bound) -> tuple[str, ...]:
    names = ", ".join(sorted({name for _, name in columns(candidates)}))
    said = f"what is not in it is told of rows with the same {names}"
    return () if candidates == TRUE else (said,)


def _candidates(plan: ProjectPlan, subset: RowSubset, where: Bound | None) -> Bound:
    """Rows of the input that could be in a figure: those that have the asked values in columns that
    no operation writes."""
    asked = {name for _, name in columns(where)} if where is not None else set[str]()
    own = plan.input.readable.fields.keys() - written_after(plan, CheckPoint("input"))

    def is_kept(column: Column) -> bool:
        return column.source is None and column.name in own and column.name in asked

    return implied(subset.input.condition, is_kept).condition


def _check_alone(subset: RowSubset) -> None:
    """Groups of rows that windows or expectations look at would not be whole."""
    groups = (*subset.windows.values(), *subset.quarantines.values())
    if any(each != FALSE for each in groups):
        raise ManyRowsError(f"{'; '.join(subset.reasons)}: all of them")
