"""A part of a past run's rows, found by Spark among many and replayed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from rowbook.engine.loading.load import load
from rowbook.engine.proof.subset_reading import SubsetReading
from rowbook.engine.session.session import Engine
from rowbook.expressions.folding import FALSE, either
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import RowCondition
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AppendStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.proof.backward.backward_condition import Question, rows_behind
from rowbook.proof.backward.birth_values import loaded_values
from rowbook.proof.backward.carried_condition import CarriedCondition
from rowbook.proof.backward.restricted_input import reads_input_again
from rowbook.proof.replay import Replay
from rowbook.reference.loading.dataset_rows import PlainTable, SourceTables
from rowbook.reference.subset.row_subset import ALL_ROWS, BirthCondition, RowSubset
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.prepare.period_tables import plain_tables
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.engine_choice import choose_for_tables
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.preview.spark_preview import opened_session
from rowbook.runs.proof.many_rows_error import ManyRowsError
from rowbook.sources import registry
from rowbook.sources.source_errors import NotPlainError
from rowbook.spark.causes import is_spark_failure

MOST_ROWS = 2_000
"""Rows of the input, or of a dataset that is appended, that are replayed here."""

MOST_JOINED = 100_000
"""Rows of a dataset that is joined; of these all are needed."""


def replay_part(
    resolved: ResolvedRun,
    plan: ProjectPlan,
    questions: Callable[[ProjectPlan], Iterable[Sequence[Question]]],
    use: SparkUse,
    resources: ExitStack,
) -> Replay:
    """Of the rows of the first question that there are rows of, else of the last."""
    session = opened_session(resolved, use, resources)
    reading, found = SparkSubset(resolved, plan, session, resources), None
    for each in questions(plan):
        found = reading.replay(each)
        if found.sources:
            break
    assert found is not None
    return found


@dataclass(slots=True)
class SparkSubset:
    """Reads for replays of a run."""

    resolved: ResolvedRun
    plan: ProjectPlan
    session: Engine
    resources: ExitStack
    _whole: dict[tuple[str, int], SourceTables] = field(default_factory=dict)

    def replay(self, questions: Sequence[Question]) -> Replay:
        """Of the rows that questions are about. ManyRowsError where they are too many."""
        context = self.resolved.request.context
        subset = rows_behind(self.plan, context, questions)
        tables = {
            (each.id, each.version): self._tables(each, subset) for each in used_datasets(self.plan)
        }
        return Replay(self.plan, context, lambda each: tables[each.id, each.version], subset)

    def _tables(self, dataset: Dataset, subset: RowSubset) -> SourceTables:
        birth = _birth(self.plan, dataset, subset)
        if birth is None:
            return self._all(dataset)
        try:
            found = self.reading(dataset).rows(self.as_loaded(dataset, birth), MOST_ROWS)
        except Exception as error:
            if not is_spark_failure(error):
                raise
            raise ManyRowsError(f"dataset '{dataset.name}' cannot be searched") from error
        return self._source(dataset, found, MOST_ROWS, subset.reasons)

    def _all(self, dataset: Dataset) -> SourceTables:
        """Of a dataset that is joined, or looked at as a whole."""
        key = dataset.id, dataset.version
        if key not in self._whole:
            self._whole[key] = self._read_all(dataset)
        return self._whole[key]

    def _read_all(self, dataset: Dataset) -> SourceTables:
        resolved = self.resolved.input(dataset)
        tables = [each.source() for each in resolved.tables]
        size = sum(content.size for each in resolved.tables for content in each.contents)
        if choose_for_tables(tables, size, None, MOST_JOINED).engine == "reference":
            try:
                return plain_tables(resolved)
            except NotPlainError:
                pass
        found = None
        if dataset.unpivot is None:
            found = self.reading(dataset).rows(ALL_ROWS, MOST_JOINED)
        return self._source(dataset, found, MOST_JOINED, ())

    def _source(
        self, dataset: Dataset, found: PlainTable | None, most: int, reasons: Sequence[str]
    ) -> SourceTables:
        if found is None:
            why = f" ({'; '.join(reasons)})" if reasons else ""
            raise ManyRowsError(f"more than {most:,} rows of dataset '{dataset.name}'{why}")
        return SourceTables((found,), self.resolved.input(dataset).periods)

    def reading(self, dataset: Dataset) -> SubsetReading:
        resolved, context = self.resolved.input(dataset), self.resolved.request.context
        spark = self.session.spark
        raws = registry.read(spark, [each.source() for each in resolved.tables], self.resources)
        loaded = load(
            dataset,
            raws,
            context,
            keep_deleted=True,
            periods=resolved.periods,
            checked=False,
        )
        origin = raws[0].origin if len(raws) == 1 else f"dataset '{dataset.name}'"
        reader = RunReader(lambda: spark, self.resolved, self.resources)
        return SubsetReading(
            dataset,
            loaded,
            context,
            lambda other: reader.read(other, keep_deleted=False, with_ids=False),
            origin,
        )

    def as_loaded(self, dataset: Dataset, birth: BirthCondition) -> BirthCondition:
        """The input's rows get system columns when they start."""
        if dataset != self.plan.input:
            return birth
        names = self.reading(dataset).loaded.fields
        context, fields = self.resolved.request.context, self.plan.columns.fields
        values = loaded_values(dataset, names, fields, context)
        return CarriedCondition(birth.condition, birth.joins).with_values(values).birth


def _birth(plan: ProjectPlan, dataset: Dataset, subset: RowSubset) -> BirthCondition | None:
    """Which rows of a dataset are needed; None where all are: it is joined, or expectations look at
    groups of its rows."""
    if dataset.unpivot is not None:
        return None
    key = dataset.id, dataset.version
    joined = [join.dataset for step in plan.steps for join in step.joins]
    joined += [each for expectation in plan.expectations for each in expectation.reads]
    for each in plan.expectations:
        if each.point.dataset is not None and (
            each.whole or not isinstance(each.condition, RowCondition)
        ):
            joined.append(each.point.dataset)
    if key in {(each.id, each.version) for each in joined}:
        return None
    if dataset == plan.input:
        return None if reads_input_again(plan) else subset.input
    births = [
        subset.appended.get(step.seq, ALL_ROWS)
        for step in plan.steps
        if isinstance(step, AppendStep) and step.source == dataset
    ]
    condition = either(FALSE, *(each.condition for each in births))
    return BirthCondition(condition, tuple(join for each in births for join in each.joins))
