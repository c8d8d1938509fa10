"""What an output of a run wrote, as a table to look at; refused where it is not there any more."""

from __future__ import annotations

from rowbook.errors import Diagnostic, RowbookError, listing
from rowbook.runs.compare.past_runs import (
    OutputTable,
    PastRun,
    output_labels,
    output_view,
    past_run,
    replaced_output,
    why_changed,
)
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.preview.engine_choice import EngineName, OnEngine
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.tables.table_view import MissingRowsError, RowSelection, TableRows, table_rows
from rowbook.store import Run
from rowbook.value_class import dataclass

_AGAIN = "`rowbook runs repeat {}` computes it again from the run's snapshot, as a draft"


@dataclass(frozen=True, slots=True)
class RunOutputRows:
    """Rows that a run's output wrote: which one, and where to."""

    run: Run
    seq: int
    name: str
    destination: str
    found: TableRows


def output_rows(
    workspace: OpenWorkspace,
    run_id: str,
    output: str | None,
    selection: RowSelection,
    named: EngineName | None,
    use: SparkUse,
    on_engine: OnEngine,
) -> RunOutputRows:
    """Of an output by seq, name or table; None: the only one. RUN_010 where the table is not what
    the run wrote."""
    past = past_run(workspace, run_id)
    table = choose_table(past, output)
    if why := why_changed(table, past, workspace.store):
        raise RowbookError(_replaced(past, table, why))
    try:
        found = table_rows(
            output_view(table, past, workspace.store), selection, named, use, on_engine
        )
    except MissingRowsError as other:
        why = f"{table.target.label} holds {other.found:,} rows of it, not {table.rows:,}"
        raise RowbookError(_replaced(past, table, why)) from other
    step = table.step
    return RunOutputRows(past.run, step.seq, step.name, table.destination, found)


def choose_table(past: PastRun, output: str | None) -> OutputTable:
    """By seq, name or table of an output; None: the only one there is."""
    tables = past.tables
    if not tables:
        message = f"run {past.run.id} wrote nothing: it was {past.run.status}"
        raise RowbookError.of("RUN_005", message)
    if output is not None:
        tables = tuple(t for t in tables if any(output in output_labels(s) for s in t.steps))
    if len(tables) == 1:
        return tables[0]
    known = [f"{each.step.seq} '{each.step.name}'" for each in past.tables]
    message = (
        f"run {past.run.id} has {len(tables)} outputs: say which"
        if tables
        else f"run {past.run.id} has no output '{output}'"
    )
    hint = f"--output takes seq, name or table: {listing(known)}"
    raise RowbookError.of("USAGE_001", message, hint=hint)


def _replaced(past: PastRun, table: OutputTable, why: str) -> Diagnostic:
    return replaced_output(past, table, why, hint=_AGAIN.format(past.run.id))
