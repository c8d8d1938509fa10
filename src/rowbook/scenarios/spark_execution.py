"""Scenarios run on Spark, all in one session: their rows as any other data, their outputs kept in
memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rowbook.definitions.workspace_files import read_workspace
from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.loading.load import find_absent, load
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.executors import executors_of
from rowbook.engine.session.session import Engine, open_session
from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.planning.scenarios import output_names
from rowbook.planning.steps import OutputStep
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.loading.dataset_rows import load as load_plain
from rowbook.reference.loading.period_presence import check_absent
from rowbook.reference.outputs import WrittenTable, written_table
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.run_ledger import ledger
from rowbook.runs.prepare.engine_settings import engine_settings, nearby_settings
from rowbook.scenarios.expectations.scenario_verdicts import with_verdicts
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import NoSessionError
from rowbook.scenarios.scenario_run import ScenarioRows, ScenarioRun
from rowbook.sources.raw import Raw

Starting: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Around the start of Spark, which takes seconds."""

_USUAL = Options()

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@contextmanager
def open_computation(
    root: Path, engine: str | None, debug: bool, starting: Starting = nullcontext
) -> Iterator[Callable[[ScenarioRun], Outcome]]:
    """Computes all in one session, which starts when the first needs it, inside `starting`."""
    with ExitStack() as endings:
        sessions: list[SparkSession] = []

        def compute_in_session(run: ScenarioRun) -> Outcome:
            if not sessions:
                workspace = read_workspace(root).workspace
                model = workspace.model if workspace else None
                settings = engine_settings(model, engine, profile="small")
                settings = settings if engine is not None else nearby_settings(settings)
                settings = replace(settings, conf={**FEW_ROWS, **settings.conf})
                with starting():
                    sessions.append(endings.enter_context(_session(settings, debug)).spark)
            return compute(sessions[0], run)

        yield compute_in_session


def _session(settings: EngineSettings, debug: bool) -> Engine:
    try:
        return open_session(settings, debug=debug)
    except RowbookError as error:
        raise NoSessionError(*error.diagnostics) from error


def compute(spark: SparkSession, run: ScenarioRun, options: Options = _USUAL) -> Outcome:
    writer = MemoryWriter(run.context)
    reader, executors = ScenarioReader(spark, run), executors_of(spark)
    pipeline = Pipeline(run.plan, run.context, reader, writer, options=options, executors=executors)
    try:
        fields, collected = pipeline.collected()
    except RowbookError as error:
        return Outcome(errors=error.diagnostics, outputs=writer.tables)
    entries = ledger(pipeline.done, pipeline.counts, writer.results, pipeline.quarantined)
    outcome = Outcome(WrittenTable(fields, tuple(collected)), writer.tables, entries)
    return with_verdicts(outcome, run, pipeline.observations, writer.quarantine)


@dataclass(slots=True)
class ScenarioReader:
    """The scenario's input, loaded in the same way as any other data."""

    spark: SparkSession
    _run: ScenarioRun
    input: ReadInput = field(default_factory=ReadInput)

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        """Rows of a scenario stand nowhere, and are told apart by what they hold."""
        given = self._run.input(dataset)
        frame = frame_of(self.spark, given.rows, given.fields)
        sources = {c.name: c.source or c.name for c in dataset.definition.main_table.columns}
        frame = frame.withColumnsRenamed({n: s for n, s in sources.items() if n != s})
        raw = Raw(frame, ScenarioRows.origin(dataset))
        self.input.datasets.append((dataset, [raw]))
        context, periods = self._run.context, given.periods
        absent = find_absent(dataset, [raw], context, periods, given.expected)
        check_absent(dataset, absent)
        return load(dataset, [raw], context, keep_deleted=keep_deleted, periods=periods).frame

    def read_here(
        self, dataset: Dataset, *, keep_deleted: bool, most: int | None = None
    ) -> LoadedRows | None:
        """However few they are, what Spark joins it also loads."""
        if most is not None:
            return None
        tables, context = self._run.tables(dataset), self._run.context
        try:
            return load_plain(dataset, tables, context, keep_deleted=keep_deleted)
        except RowbookError:
            return None


class MemoryWriter:
    """Destinations that live as long as the scenario; modes as a real destination has them."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self.tables: dict[str, WrittenTable] = {}
        self.results: list[OutputResult] = []
        self.quarantine: list[dict[str, Any]] = []
        """The rows that expectations took out."""

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        rows = collect(frame, tuple(step.columns.fields[name] for name in step.written))
        if not step.seq:  # of no operation
            self.quarantine = rows
            return
        names = output_names(step)
        for name in names:
            before = self.tables.get(name)
            self.tables[name] = written_table(name, before, step, rows, self._context)
        written = " ".join(names)
        self.results.append(OutputResult(step.seq, written, len(rows), step.written, 0, 0, 0))
