"""A plan on Spark: its strategy followed stage by stage, rows counted, failures explained.

Stages add to a lazy plan: row-wise ones layer by layer, others as rows that come to it. It is
computed where rows are written, and where the strategy says that something is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.counting.by_group import GroupCounts
from rowbook.engine.counting.counters import Count, count_rows, counter_fields
from rowbook.engine.counting.observed import Observed
from rowbook.engine.execution.append_rows import append
from rowbook.engine.execution.checking.expectation_checks import ExpectationChecks
from rowbook.engine.execution.checking.local_checks import LocalChecks
from rowbook.engine.execution.checking.row_marks import is_violated
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.engine.execution.driver.driver_stages import DriverStages, WriteHere
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.failures.failed_steps import FailedSteps
from rowbook.engine.execution.joining.unique_keys import JoinKeyProof
from rowbook.engine.execution.output_rows import (
    added_rows,
    counted_output,
    output,
    writes_all,
)
from rowbook.engine.execution.passed_groups import GroupPass, PassedGroups
from rowbook.engine.execution.row_wise import apply_layer
from rowbook.engine.execution.run_counts import RunCounts
from rowbook.engine.execution.run_datasets import Reader, RunDatasets
from rowbook.engine.execution.start_rows import start, start_here
from rowbook.engine.execution.summary import LevelFrames, aggregate
from rowbook.engine.execution.working import Working
from rowbook.engine.execution.writers import NoWriter, PassingWriter, Writer
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.session.sizing import in_one_task
from rowbook.engine.strategy.checks.check_columns import datasets_read
from rowbook.engine.strategy.checks.check_places import must_match
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    CheckpointStage,
    CheckStage,
    Ending,
    EndStage,
    Executors,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    StartStage,
    Storage,
    steps_of,
)
from rowbook.engine.strategy.storage import summary_storage
from rowbook.engine.strategy.strategy import Strategy, decide
from rowbook.errors import OperationRef, RowbookError
from rowbook.expectations.observation import Observation
from rowbook.expressions.scope import Field
from rowbook.planning.columns import ROW_ID
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import Expectation, ExpectationKey
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import AnyStep, OutputStep
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.losses import loss_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


Observations: TypeAlias = tuple[tuple[Expectation, Observation], ...]
"""Expectations whose point was reached, in the order of the plan, and what was seen of each."""


@dataclass(frozen=True, slots=True)
class Done:
    """An operation that is through. Operations are computed together: most of the time goes to the
    one that has the rows written or kept."""

    step: AnyStep
    duration_ms: int


@dataclass(slots=True)
class Pipeline:
    plan: ProjectPlan
    context: RunContext
    reader: Reader
    writer: Writer
    on_step: Callable[[AnyStep], None] = lambda _: None
    options: Options = field(default_factory=Options)
    written: frozenset[int] = frozenset()
    """Outputs that an earlier attempt of the run finished: they are not written again."""
    rewriting: frozenset[int] = frozenset()
    """Outputs that replace data which the run reads: all rows are computed before they are gone."""
    executors: Executors = field(default_factory=Executors)
    write_here: WriteHere = lambda *_: False
    passing: PassingWriter | None = None
    done: list[Done] = field(default_factory=list)
    _environment: Environment = field(init=False)
    _datasets: RunDatasets = field(init=False)
    _start: Working = field(init=False)
    _counting: RunCounts = field(init=False)
    _since: list[AnyStep] = field(default_factory=list)
    """The operations since the plan was last computed, and the rows they began with."""
    _levels: dict[int, LevelFrames] = field(default_factory=dict)
    _passed: dict[int | ExpectationKey, PassedGroups] = field(default_factory=dict)
    """Of aggregates and expectations that are still to come."""
    _checking: ExpectationChecks | LocalChecks | None = None
    _driver: DriverStages | None = None
    _is_local: bool = False
    """Rows are few, and here."""
    _at_work: AnyStep | None = None
    _began: float = 0.0

    def __post_init__(self) -> None:
        self._counting = RunCounts(lambda counts: self._checks.read(counts), self.options)

    @property
    def counts(self) -> dict[int, Count]:
        return self._counting.by_seq

    @property
    def observations(self) -> Observations:
        return () if self._checking is None else self._checking.observations

    @property
    def quarantined(self) -> dict[int, int]:
        """Visible rows that expectations took out after an operation, by its seq; 0: of the
        input."""
        return {} if self._checking is None else self._checking.quarantined

    def run(self, *, keep_all: bool = False) -> Working:
        """The final working dataset, to be computed by who wants it; with `keep_all` no column of
        it has been dropped on the way."""
        return self._on_spark(self._run("rows" if keep_all else "outputs"))

    def write_outputs(self) -> None:
        """As `run`, but few rows may never become Spark's."""
        self._run("outputs")

    def _run(self, ending: Ending) -> Working | DriverRows:
        strategy = self._decide(ending)
        rows = self._follow(strategy)
        self._count_last(rows, compute=strategy.end.compute)
        self._finish_checks(write=True)
        return rows

    def _count_last(self, rows: Working | DriverRows, *, compute: bool = False) -> None:
        """With `compute`, a project without outputs is run to see whether it runs."""
        if isinstance(rows, DriverRows):
            return
        try:
            if compute:
                rows.rows(self.context).write.format("noop").mode("overwrite").save()
            self._counting.of_working(rows)
        except Exception as error:
            raise self.explained(error, "the last operations") from error

    def check(self) -> Observations:
        """What is seen of expectations, with nothing written."""
        self._count_last(self._follow(self._decide("checks")))
        self._finish_checks(write=False)
        return self.observations

    def collected(self) -> tuple[tuple[Field, ...], list[dict[str, Any]]]:
        """As `run`, for few rows: brought here and counted here, in one job less or two."""
        working = self._on_spark(self._follow(self._decide("collect")))
        fields = tuple(working.columns.fields.values())
        try:
            rows = collect(working.rows(self.context), (*fields, *counter_fields(working.counters)))
            self._counting.note(count_rows(working.counters, rows))
        except Exception as error:
            raise self.explained(error, "the last operations") from error
        self._finish_checks(write=True)
        return fields, [{f.name: row[f.name] for f in fields} for row in rows]

    def preview(self, after: int | None) -> tuple[tuple[Field, ...], DataFrame]:
        """Columns and visible rows after an operation (None: the last), with nothing written."""
        working = self._on_spark(self._follow(self._decide("preview", after)))
        rows = working.rows(self.context).filter(not_deleted())
        return tuple(working.columns.fields.values()), rows

    def explained(self, error: Exception, doing: str | OperationRef) -> RowbookError:
        if isinstance(error, RowbookError) or not is_spark_failure(error):
            raise error
        start = self._start
        if self._is_local:  # the optimiser would compute all columns at once
            start = replace(start, frame=in_one_task(start.frame))
        failed = FailedSteps(self.plan, tuple(self._since), start, self._environment)
        return failed.explained(error, doing, self.reader.input)

    def _write_quarantine(self, step: OutputStep) -> None:
        checks = self._checks
        if not (isinstance(checks, LocalChecks) and self.write_here(step, checks.quarantine_rows)):
            self.writer.write(step, checks.quarantine(self.reader.spark), local=self._is_local)

    def _finish_checks(self, *, write: bool) -> None:
        step = self.plan.quarantine
        try:
            self._checks.finish(self.counts, self._load)
            if write and step is not None and step.seq not in self.written:
                self._write_quarantine(step)
        except Exception as error:
            if not is_spark_failure(error):
                raise
            raise self.explained(error, "rows taken out by expectations") from error

    def _decide(self, ending: Ending, after: int | None = None) -> Strategy:
        if must_match(self.plan):
            self.options = replace(self.options, ledger=True)
        elif ending == "checks":
            self.options = replace(self.options, ledger=False)
        situation = Situation(
            self.options,
            self.written,
            self.rewriting,
            ending,
            after,
            self.executors,
            self.passing.seqs if self.passing else frozenset(),
            workers=self.passing is not None,
        )
        return decide(self.plan, situation)

    def _follow(self, strategy: Strategy) -> Working | DriverRows:
        """The working dataset after all stages; what the last one asks for is left to callers."""
        first, *stages = strategy.stages
        layers = (each for each in stages if isinstance(each, LayerStage))
        self._counting.of_input = frozenset(seq for each in layers for seq in each.of_input)
        assert isinstance(first, StartStage)
        rows = self._started(first)
        for stage in stages:
            for step in (stage.before,) if isinstance(stage, CheckpointStage) else steps_of(stage):
                self._begin(step)
            after = self._after_here(stage, rows)
            rows = self._after(stage, self._on_spark(rows)) if after is None else after
        self._finish()
        return rows

    def _after_here(self, stage: Stage, rows: Working | DriverRows) -> DriverRows | None:
        """After a stage, where rows are few and here, and stay so."""
        driver = self._driver
        if driver is None:
            return None
        if isinstance(rows, Working):
            if not isinstance(stage, CheckStage | LayerStage | AppendStage):
                return None
            if rows.table is not None:
                self._counting.of_working(rows)
            elif isinstance(stage, CheckStage):
                rows = self._checkpoint(stage, rows)
            else:
                return None
            rows = DriverRows.of(rows, self.context)
        after = driver.after(stage, rows)
        if self.options.ledger:
            self._counting.by_seq |= driver.counts
        if after is None and isinstance(stage, AggregateStage):
            working = self._after(stage, self._on_spark(rows))
            self._counting.of_working(working)
            return rows.with_summaries(working)
        if after is not None and isinstance(stage, OutputStage) and stage.rewrites:
            self._forget()
        return after

    def _on_spark(self, rows: Working | DriverRows) -> Working:
        """What was computed here, Spark never has to compute again."""
        if isinstance(rows, DriverRows):
            rows = self._start = rows.on_spark(self.reader.spark)
            self._since.clear()
        return rows

    def _begin(self, step: AnyStep) -> None:
        if step is not self._at_work:
            self._finish()
            self.on_step(step)
            self._at_work, self._began = step, time.monotonic()

    def _finish(self) -> None:
        if self._at_work is not None:
            self.done.append(Done(self._at_work, int((time.monotonic() - self._began) * 1000)))
            self._at_work = None

    def _after(self, stage: Stage, working: Working) -> Working:
        self._since += steps_of(stage)
        match stage:
            case LayerStage():
                return apply_layer(working, stage, self._environment)
            case AggregateStage():
                return self._aggregated(stage, working)
            case AppendStage():
                return append(working, stage.step, self._environment, copies=stage.copies)
            case OutputStage():
                return working if stage.done else self._written(stage, working)
            case CheckStage():
                return self._checked(stage, working)
            case CheckpointStage():
                return self._checkpoint(stage, working, stage.dropped)
            case StartStage() | EndStage():
                return working

    def _started(self, stage: StartStage) -> Working | DriverRows:
        self._datasets = datasets = RunDatasets(self.reader, stage)
        self._is_local = stage.local
        storage = Storage("driver") if stage.local else summary_storage(self.executors)
        loaded, columns = datasets.input(self.plan.input), self.plan.columns
        stored = ROW_ID in (loaded.fields if isinstance(loaded, LoadedRows) else loaded.columns)
        self._environment = Environment(
            self.context,
            compiler := Compiler(self.context, stored_ids=stored),
            self._load,
            self.plan.input,
            self.options.ledger,
            self._load_here,
            lambda seq, working: self._checks.left(seq, working),
            self.options.spread_lists,
            JoinKeyProof.of(self._load, compiler, stage.uncertain, self._load_few),
            stage.never_null,
        )
        if isinstance(loaded, LoadedRows):
            rows = DriverRows.started(loaded, self.plan, self.context, with_ids=stage.with_ids)
            if datasets.are_here(datasets_read(self.plan)):
                local = LocalChecks(self.plan, self.context, datasets.load_here)
                self._checking, datasets.looked_at = local, local.looked_at
                self._driver = DriverStages(local, self.write_here, {0: Count(rows.visible)})
                return rows
        self._checking = ExpectationChecks(self.plan, self._environment, storage, self._with_ids)
        if isinstance(loaded, LoadedRows):
            self._start = start_here(self.reader.spark, rows, self._environment)
        else:
            self._start = start(
                loaded,
                self._environment,
                columns,
                with_ids=stage.with_ids,
                without=stage.dropped,
            )
        return self._start

    @property
    def _checks(self) -> ExpectationChecks | LocalChecks:
        assert self._checking is not None
        return self._checking

    def _load(self, dataset: Dataset) -> DataFrame:
        frame = self._datasets.load(dataset)
        try:
            return self._checks.loaded(dataset, frame)
        except Exception as error:
            raise self.explained(error, f"dataset '{dataset.name}'") from error

    def _load_here(self, dataset: Dataset) -> LoadedRows | None:
        """Those that expectations look at are loaded for Spark."""
        return None if self._checks.has(dataset) else self._datasets.load_here(dataset)

    def _load_few(self, dataset: Dataset) -> LoadedRows | None:
        if self.executors.apart or self._checks.has(dataset):
            return None
        return self._datasets.load_few(dataset)

    def _with_ids(self, seq: int) -> DataFrame:
        """The rows after an operation, computed once more."""
        again = Pipeline(
            only_quarantines(self.plan),
            self.context,
            self.reader,
            NoWriter(),
            options=replace(self.options, ledger=False, local_rows=False),
            executors=self.executors,
        )
        return again._on_spark(again._follow(again._decide("preview", seq))).frame

    def _checked(self, stage: CheckStage, working: Working) -> Working:
        """Rows that are taken out of the input are not there for whoever finds out what failed."""
        assert isinstance(self._checking, ExpectationChecks)
        try:
            levels = self._levels.get(stage.groups_of or 0)
            passed = {key: self._passed.pop(key) for key in set(stage.passed.values())}
            left = self._checking.look(stage, working, levels, passed)
        except Exception as error:
            raise self.explained(error, _work(stage)) from error
        if not self._since:
            self._start = left
        return left

    def _aggregated(self, stage: AggregateStage, working: Working) -> Working:
        by_groups = stage.count == "groups" or stage.passes
        writes = tuple(step.seq for step in stage.writes)
        counts = GroupCounts(working.counters, writes) if by_groups else None
        observed = levels = None
        if stage.count == "observed":
            working = self._counting.of_stored(working, self._stored())
            observed = Observed.of(working.frame, working.counters) if working.counters else None
        if not stage.reads_rows and stage.levels[0].seq not in self._levels:
            stage = replace(stage, levels=())  # the first of them was computed here
        if stage.levels or stage.parts:
            first = stage.levels[0] if stage.levels else stage.step
            levels = self._levels.setdefault(first.seq, LevelFrames(stage))
        try:
            if counts is not None and self.passing is not None and stage.passes:
                task = GroupPass(stage, self.passing, self._environment, counts)
                self._passed |= task.groups(working)
            after = aggregate(
                working,
                stage,
                self._environment,
                observed=observed.frame if observed else None,
                counts=counts,
                levels=levels,
                passed=self._passed.pop(stage.step.seq, None),
            )
        except Exception as error:
            raise self._explained_pass(stage, error) from error
        if counts is not None:
            for step in stage.writes:
                assert self.passing is not None
                self.passing.written(step, counts.written[step.seq])
            self._counting.note(counts.counts)
            if stage.lets_go and counts.all_told and not is_violated(counts.counts):
                after = after.since(stage.step.seq)
            return after.uncounted(counts.counters)
        return self._counting.of_observed(after, [observed] if observed else [])

    def _explained_pass(self, stage: AggregateStage, error: Exception) -> RowbookError:
        """Why rows could not be written as they passed, where that is what failed; else it may be
        of a later operation, whose groups are made in the same pass."""
        for step in stage.writes:
            if self.passing and (refusal := self.passing.refusal(step, error)):
                return refusal
        asking = {each.of for each in stage.beside}
        self._since += [step for step in self.plan.steps if step.seq in asking]
        return self.explained(error, step_label(stage.step))

    def _stored(self) -> Working | None:
        """What was read, where no row of it was taken out."""
        return None if self.quarantined else self._start

    def _written(self, stage: OutputStage, working: Working) -> Working:
        """What was read of data that is replaced must not be taken for what is there now."""
        step = stage.step
        observed: list[Observed] = []
        try:
            if stage.since is not None:
                rows = output(added_rows(working, stage.since), step, self._environment)
            elif stage.observed:
                if not writes_all(stage):
                    working = self._counting.of_stored(working, self._stored())
                rows, observed = counted_output(working, stage, self._environment)
            else:
                rows = output(working, step, self._environment)
            self.writer.write(step, rows, local=stage.local)
        except Exception as error:
            explained = self.explained(error, step_label(step)) if is_spark_failure(error) else None
            if loss_in(error) is None:
                self._counting.of_failed(working)
            if explained is None:
                raise
            raise explained from error
        if stage.rewrites:
            self._forget()
        return self._counting.of_observed(working, observed)

    def _forget(self) -> None:
        self._datasets.forget()
        self._checks.forget()
        self._environment.forget()

    def _checkpoint(
        self, stage: CheckpointStage | CheckStage, working: Working, dropped: Collection[str] = ()
    ) -> Working:
        try:
            kept = working.checkpoint(stage.storage, dropped)
            self._counting.of_working(kept)
        except Exception as error:
            raise self.explained(error, _work(stage)) from error
        self._since.clear()
        self._start = kept.uncounted()
        return self._start


def _work(stage: CheckpointStage | CheckStage) -> str | OperationRef:
    """What is going on there."""
    step = stage.step if isinstance(stage, CheckStage) else stage.before
    return "the expectations" if step is None else step_label(step)
