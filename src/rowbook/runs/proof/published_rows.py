"""Whether a replay gives what a run published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rowbook.errors import RowbookError
from rowbook.expressions.values import Value, in_order
from rowbook.proof.explanation import Replayed
from rowbook.proof.figure import Figure
from rowbook.reference.evidence.row_evidence import RowEvidence, row_evidence
from rowbook.reference.loading.dataset_rows import SourceTables, load
from rowbook.runs.compare.past_runs import OutputTable, output_view, why_changed
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.proof.run_replay import RunReplay
from rowbook.runs.tables.table_view import MissingRowsError, RowSelection, TableView, table_rows
from rowbook.sources import registry
from rowbook.sources.source_errors import NotPlainError

_DIFFERS = "the replay does not give the rows that were published"


def compare_published(
    figure: Figure,
    run: RunReplay,
    table: OutputTable,
    workspace: OpenWorkspace,
    where: str | None,
    use: SparkUse | None,
) -> tuple[Replayed, tuple[str, ...]]:
    """With the table that the output wrote, where it still is what it wrote; else with the
    fingerprint of its rows, where all were replayed. What is to be said of it follows."""
    why = _why_not_read(run, table, workspace)
    if why is None:
        try:
            view = output_view(table, run.past, workspace.store)
            if run.part is None or use is None:
                same = _is_table(figure, view)
            else:
                same = _is_in_table(figure, view, where, use)
        except (NotPlainError, RowbookError, MissingRowsError) as cause:
            why = str(cause)
        else:
            return ("equal", ()) if same else ("differs", (_DIFFERS,))
    recorded = _recorded(run, table, workspace)
    if recorded is None or run.part is not None:
        return "no", (f"not compared with what was published: {why}",)
    found = row_evidence(figure.written.values(), figure.step.fields)
    if differences := recorded.differences(found):
        return "differs", (f"{_DIFFERS}: {'; '.join(differences)}",)
    return "equal", (f"compared by the fingerprint of its rows: {why}",)


def _why_not_read(run: RunReplay, table: OutputTable, workspace: OpenWorkspace) -> str | None:
    if len(table.steps) > 1:
        return "several outputs wrote to its table"
    return why_changed(table, run.past, workspace.store)


def _recorded(run: RunReplay, table: OutputTable, workspace: OpenWorkspace) -> RowEvidence | None:
    outputs = workspace.store.runs.record(run.past.run.id).outputs
    found = next((each.output for each in outputs if each.seq == table.step.seq), None)
    return None if found is None else OutputResult.from_json(found).row_evidence


def _is_table(figure: Figure, view: TableView) -> bool:
    tables = SourceTables(registry.read_plain(view.tables), view.periods, view.expected)
    there = load(view.dataset, tables, view.context, keep_deleted=True).rows
    names = [each.name for each in view.fields]
    return _bag(there, names) == _bag(list(figure.written.values()), names)


def _is_in_table(figure: Figure, view: TableView, where: str | None, use: SparkUse) -> bool:
    """Of a part of the rows, those that the figure is of."""
    replayed = [figure.written[number] for number in figure.numbers]
    selection = RowSelection(where, len(replayed) + 1)
    there = table_rows(view, selection, None, use, lambda _: None).rows
    names = [each.name for each in view.fields]
    return _bag(there, names) == _bag(replayed, names)


def _bag(rows: Sequence[Mapping[str, Value]], names: Sequence[str]) -> Counter[tuple[Any, ...]]:
    """Rows in any order; floats as far as they are the same on every machine."""
    return Counter(tuple(_canonical(row.get(name)) for name in names) for row in rows)


def _canonical(value: Value) -> Any:
    return float(f"{value:.9g}") if isinstance(value, float) else in_order(value)
