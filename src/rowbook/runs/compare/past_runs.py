"""What the outputs of a run left, found again: the tables, and whether they still hold it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.resolution.destinations import destination_label
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_targets
from rowbook.runs.prepare.run_snapshot import request_again, snapshot_of
from rowbook.runs.tables.table_view import TableView
from rowbook.sources import registry
from rowbook.sources.source import SourceTable, Target, Trace
from rowbook.store import JsonObject, Run, RunRecord, Store


@dataclass(frozen=True, slots=True)
class OutputTable:
    """A table that a run wrote. `steps` are its outputs into the table, of which the last left it
    as it is; `rows` is how many rows of the run are then there, None where rows that were there
    before are among them."""

    steps: tuple[OutputStep, ...]
    target: Target
    rows: int | None
    bytes: int
    recorded_at: datetime

    @property
    def step(self) -> OutputStep:
        return self.steps[-1]

    @property
    def destination(self) -> str:
        """The same for drafts and other runs."""
        return destination_of(self.step)

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.step.fields


@dataclass(frozen=True, slots=True)
class PastRun:
    run: Run
    request: Request
    snapshot: JsonObject
    tables: tuple[OutputTable, ...]

    def table(self, step: OutputStep) -> OutputTable:
        """The table that an output of the run wrote, or of one that was like it."""
        return next(each for each in self.tables if each.destination == destination_of(step))


def past_run(workspace: OpenWorkspace, run_id: str) -> PastRun:
    """RUN_006 where there is none of the id, RUN_005 where it ended before it began."""
    record = workspace.store.runs.record(run_id)
    snapshot = snapshot_of(workspace.store, run_id, "wrote nothing")
    request = request_again(workspace, snapshot, run_id)
    return PastRun(record.run, request, snapshot, tuple(_tables(request, record)))


def destination_of(step: OutputStep) -> str:
    """As the project names it."""
    return destination_label(step.destination)


def output_labels(step: OutputStep) -> tuple[str, ...]:
    """What users may call an output: its seq, its name, its table."""
    destination = destination_of(step)
    return str(step.seq), step.name, step.destination.table or destination, destination


def why_changed(table: OutputTable, past: PastRun, store: Store) -> str | None:
    """None where it is what the run wrote, as far as can be seen without reading rows."""
    found = intact_table(table, past, store)
    return found if isinstance(found, str) else None


def intact_table(table: OutputTable, past: PastRun, store: Store) -> SourceTable | str:
    """What holds the rows that the run wrote: the table, or what it was before others replaced it;
    else why the table does not."""
    if table.rows is None:
        return "it was appended to rows of others, and cannot be told from them"
    reasons = []
    for trace in _traces(table, past):
        why = _why_touched(trace, table, past, store) or _changed_files(trace.table, table)
        if why is None:
            return trace.table
        reasons.append(why)
    return reasons[0] if reasons else f"{table.target.label} is gone, or was replaced"


def _why_touched(trace: Trace, table: OutputTable, past: PastRun, store: Store) -> str | None:
    later = later_output(trace, table, past, store)
    if later is None:
        return None
    run_id, seq = later
    return f"output {seq} of run {run_id} has written to {table.target.label} since"


def later_output(
    trace: Trace, table: OutputTable, past: PastRun, store: Store
) -> tuple[str, int] | None:
    """The output, as run and seq, that may have changed the rows of the run since."""
    touching = (each for each in trace.since if _touches(*each, table, past.run, store))
    return next(touching, None)


def output_view(table: OutputTable, past: PastRun, store: Store) -> TableView:
    """The rows with exactly the columns that the run wrote; of a table that is what it wrote."""
    found = intact_table(table, past, store)
    assert not isinstance(found, str)
    return TableView(
        table.destination,
        _dataset(table),
        table.fields,
        past.request.plan.input.table_name,
        (found,),
        _periods(table, past),
        past.request.context,
        past.request.settings,
        table.bytes,
        keep_deleted=True,
        rows=table.rows,
    )


def replaced_output(
    past: PastRun, table: OutputTable, why: str, hint: str | None = None
) -> Diagnostic:
    step = table.step
    message = f"output {step.seq} '{step.name}' of run {past.run.id} is not what it wrote: {why}"
    return Diagnostic("RUN_010", message, hint=hint)


def _tables(request: Request, record: RunRecord) -> Iterator[OutputTable]:
    recorded = {each.seq: each for each in record.outputs}
    tables: dict[tuple[str | None, ...], OutputTable] = {}
    for step, target in resolve_targets(request):
        output = recorded.get(step.seq)
        if output is None:
            continue
        result = OutputResult.from_json(output.output)
        said = target.as_json()
        key = (target.key, said.get("file_name"), said.get("sheet"))
        earlier = tables.get(key)
        added_to = earlier if step.mode == "append" else None
        tables[key] = OutputTable(
            (*(earlier.steps if earlier else ()), step),
            target,
            _rows_left(step, result, added_to, is_new=request.is_draft),
            result.bytes + (added_to.bytes if added_to else 0),
            output.recorded_at,
        )
    yield from tables.values()


def _rows_left(
    step: OutputStep, result: OutputResult, added_to: OutputTable | None, *, is_new: bool
) -> int | None:
    """The rows of the run that a table then holds; `is_new`: nothing was there before the run."""
    if added_to is not None:
        return None if added_to.rows is None else added_to.rows + result.rows
    return result.rows if is_new or step.mode != "append" else None


def _traces(table: OutputTable, past: PastRun) -> Iterator[Trace]:
    """The table, then what it was before others replaced it, the newest first."""
    if (now := table_trace(table, past)) is not None:
        yield now
    step = table.step
    wanted = table.target, past.run.id, step.seq, step.written, _periods(table, past)
    yield from registry.earlier_states(*wanted)


def table_trace(table: OutputTable, past: PastRun) -> Trace | None:
    """None where the table does not know the run's output, or is not there."""
    step = table.step
    return registry.trace(table.target, past.run.id, step.seq, step.written, _periods(table, past))


def _periods(table: OutputTable, past: PastRun) -> tuple[str, ...] | None:
    return past.request.context.periods if PERIOD.name in table.step.written else None


def _touches(run_id: str, seq: int, table: OutputTable, run: Run, store: Store) -> bool:
    """Whether a later output may have changed rows of a run: one that is known, and wrote rows of
    other periods alone, has not."""
    try:
        later = store.runs.record(run_id)
    except RowbookError:
        return True
    output = next((each.output for each in later.outputs if each.seq == seq), None)
    if output is not None and _is_other_file(output["destination"], table.target):
        return False
    if output is None or PERIOD.name not in table.step.written:
        return True
    if PERIOD.name not in OutputResult.from_json(output).columns:
        return True
    return later.run.period in run.writes_into or run.period in later.run.writes_into


def _is_other_file(destination: str, target: Target) -> bool:
    """Whether an output is another file of the same folder."""
    name = target.as_json().get("file_name")
    return name is not None and not destination.rpartition("/")[2].startswith(name)


def _changed_files(place: SourceTable, table: OutputTable) -> str | None:
    try:
        contents = registry.contents(place)
    except RowbookError as error:
        return error.diagnostics[0].message
    written = table.recorded_at.timestamp() * 1e9
    changed = next((each for each in contents if (each.modified_ns or 0) > written), None)
    return f"{changed.name} was changed after the run had written it" if changed else None


def _dataset(table: OutputTable) -> Dataset:
    columns = [{"name": field.name, "type": str(field.type)} for field in table.fields]
    mode = {"temporal_mode": "period"} if PERIOD.name in table.step.written else {}
    main_table = {"name": "output", "columns": columns, **mode}
    name = f"output.{table.step.seq}"
    model = DatasetDefinition.model_validate({"name": name, "main_table": main_table})
    return typed(Version(model, 1))
