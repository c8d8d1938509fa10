"""Scenarios run for real: their rows through the engine, their outputs kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.entity import derived_id
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import read_workspace
from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.loading.load import load
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.run_context import RunContext
from rowbook.engine.session.executors import executors_of
from rowbook.engine.session.session import Engine, open_session
from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from rowbook.expressions.evaluate import Value
from rowbook.expressions.scope import Field
from rowbook.periods import Period
from rowbook.planning.columns import ALWAYS, PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.resolution.locate import choose_rule
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.scenario_cells import read_cell
from rowbook.planning.scenarios import ScenarioSetting, output_names
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.run_ledger import ledger
from rowbook.runs.prepare.clock import new_run_id, read_as_of, read_now
from rowbook.runs.prepare.engine_settings import engine_settings, nearby_settings
from rowbook.scenarios.outcome import Outcome, Rows
from rowbook.scenarios.row_files import read_input
from rowbook.scenarios.runner import Execute, NoSessionError
from rowbook.sources.raw import Raw

Starting: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Around the start of Spark, which takes seconds."""

_USUAL = Options()
_TINY = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""A handful of rows in one partition need no shuffle, and are done before code is compiled."""

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@contextmanager
def open_executor(
    root: Path, engine: str | None, debug: bool, starting: Starting = nullcontext
) -> Iterator[Execute]:
    """Runs all in one session, which starts when the first needs it, inside `starting`."""
    with ExitStack() as endings:
        sessions: list[SparkSession] = []

        def execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
            if not sessions:
                workspace = read_workspace(root).workspace
                model = workspace.model if workspace else None
                settings = engine_settings(model, engine, profile="small")
                settings = settings if engine is not None else nearby_settings(settings)
                settings = replace(settings, conf={**_TINY, **settings.conf})
                with starting():
                    sessions.append(endings.enter_context(_session(settings, debug)).spark)
            return run_scenario(sessions[0], entry, setting)

        yield execute


def _session(settings: EngineSettings, debug: bool) -> Engine:
    try:
        return open_session(settings, debug=debug)
    except RowbookError as error:
        raise NoSessionError(*error.diagnostics) from error


def run_scenario(
    spark: SparkSession,
    entry: Entry[ScenarioDefinition],
    setting: ScenarioSetting,
    options: Options = _USUAL,
) -> Outcome:
    plan = setting.planned.plan
    if plan is None:
        return Outcome(errors=setting.planned.diagnostics)
    period = plan.calendar.parse(entry.model.period)
    now = read_now(entry.model.now)
    context = RunContext(
        new_run_id(now),
        _project_id(setting),
        now,
        period,
        plan.calendar,
        read_as_of(entry.model.as_of, period),
    )
    writer = MemoryWriter(context)
    reader = ScenarioReader(spark, entry, setting, context)
    executors = executors_of(spark)
    pipeline = Pipeline(plan, context, reader, writer, options=options, executors=executors)
    try:
        fields, collected = pipeline.collected()
        rows = Rows(fields, tuple(collected))
    except RowbookError as error:
        return Outcome(errors=error.diagnostics, outputs=writer.tables)
    entries = ledger(pipeline.done, pipeline.counts, writer.results)
    return Outcome(rows, writer.tables, entries)


def _project_id(setting: ScenarioSetting) -> str:
    model = setting.project.model
    if isinstance(model, ProjectDefinition):
        return model.identity
    return derived_id("project", model.name)


@dataclass(slots=True)
class ScenarioReader:
    """The scenario's input, loaded in the same way as any other data."""

    _spark: SparkSession
    _entry: Entry[ScenarioDefinition]
    _setting: ScenarioSetting
    _context: RunContext
    input: ReadInput = field(default_factory=ReadInput)

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        """Rows of a scenario stand nowhere, and are told apart by what they hold."""
        rows = self._rows(dataset)
        fields = self._fields(dataset, rows)
        typed = [{f.name: _value(row.get(f.name), f, dataset) for f in fields} for row in rows]
        frame = frame_of(self._spark, typed, fields)
        sources = {c.name: c.source or c.name for c in dataset.definition.main_table.columns}
        frame = frame.withColumnsRenamed({n: s for n, s in sources.items() if n != s})
        raw = Raw(frame, f"the input of dataset '{dataset.name}'")
        self.input.datasets.append((dataset, [raw]))
        context, periods = self._context, self._accepted_periods(dataset)
        loaded = load(dataset, [raw], context, keep_deleted=keep_deleted, periods=periods)
        return loaded.frame

    def _accepted_periods(self, dataset: Dataset) -> tuple[str, ...]:
        """As in a run: the period itself, and finer ones where the dataset's rule has a finer
        `data_level`. A scenario needs neither a resolver nor a rule that matches."""
        setting, period = self._setting, self._context.period
        overrides = setting.project.model.resolver_overrides
        found = resolver_for(dataset, overrides, setting.known)
        finer: tuple[Period, ...] = ()
        if isinstance(found, Version):
            with suppress(RowbookError):
                level = choose_rule(dataset, period, found.model).data_level
                finer = self._context.calendar.expand(period, level) if level else ()
        return tuple(dict.fromkeys(p.identifier for p in (period, *finer)))

    def _rows(self, dataset: Dataset) -> list[Mapping[str, Any]]:
        given = self._entry.model.input
        rows = given.get(dataset.name) or given.get(dataset.id)
        if rows is None:
            message = f"the project uses dataset '{dataset.name}', but input gives no rows for it"
            raise RowbookError.of("SCENARIO_001", message)
        if rows.rows is not None:
            return list(rows.rows)
        place = self._entry.place.at("input", dataset.name, "file")
        return list(read_input(rows.file or "", place, self._setting.known.boundary))

    def _fields(self, dataset: Dataset, rows: list[Mapping[str, Any]]) -> list[Field]:
        """Declared ones, `_period` where the table has one, system columns that rows bring."""
        declared = {f.name: f for f in dataset.fields}
        brought = {name for row in rows for name in row}
        system = {f.name: f for f in (*ALWAYS, PERIOD)}
        fields = {**declared, **{n: f for n, f in system.items() if n in brought}}
        if dataset.definition.main_table.temporal_mode == "period":
            fields.setdefault(PERIOD.name, PERIOD)
        period = self._context.period.identifier
        if PERIOD.name in fields:
            for i, row in enumerate(rows):
                if row.get(PERIOD.name) is None:
                    rows[i] = {**row, PERIOD.name: period}
        return list(fields.values())


def _value(cell: Any, field: Field, dataset: Dataset) -> Value:
    if isinstance(cell, str):
        return cell
    try:
        return read_cell(cell, field.type)
    except ValueError as error:
        message = f"dataset '{dataset.name}': {error} for column '{field.name}', {field.type}"
        raise RowbookError.of("DATASET_011", message) from None


class MemoryWriter:
    """Destinations that live as long as the scenario; modes as a real destination has them."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self.tables: dict[str, Rows] = {}
        self.results: list[OutputResult] = []

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        fields = tuple(step.columns.fields[name] for name in step.written)
        new = tuple(collect(frame, fields))
        for name in output_names(step):
            before = self.tables.get(name)
            if before is not None and step.mode == "error_if_exists":
                raise RowbookError.of("OUTPUT_006", f"destination '{name}' exists already")
            kept = before.rows if before is not None and step.mode == "append" else ()
            if before is not None and step.mode == "replace" and PERIOD.name in step.written:
                periods = frozenset(self._context.periods)
                kept = tuple(r for r in before.rows if r.get(PERIOD.name) not in periods)
            self.tables[name] = Rows(fields, (*kept, *new))
        self.results.append(
            OutputResult(step.seq, " ".join(output_names(step)), len(new), step.written, 0, 0, 0)
        )
