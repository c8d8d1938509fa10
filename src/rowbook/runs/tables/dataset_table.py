"""A dataset in a period, as a table to look at: what a run of that period would load."""

from __future__ import annotations

from contextlib import ExitStack

from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.runs.preview.asking_session import keeping_of
from rowbook.runs.preview.engine_choice import EngineName, OnEngine
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.tables.table_view import RowSelection, TableRows, TableView, table_rows


def dataset_rows(
    request: Request,
    selection: RowSelection,
    named: EngineName | None,
    use: SparkUse,
    on_engine: OnEngine,
) -> TableRows:
    """Of the input of a request without operations."""
    with ExitStack() as resources:
        keeping, use = keeping_of(request, use, resources)
        resolved = resolve_run(request, keeping=keeping)
        check_run(resolved)
        dataset = request.plan.input
        found = resolved.input(dataset)
        view = TableView(
            f"dataset '{dataset.name}'",
            dataset,
            tuple(dataset.readable.fields.values()),
            dataset.table_name,
            tuple(each.source() for each in found.tables),
            found.periods,
            request.context,
            request.settings,
            resolved.volume.bytes,
            expected=found.expected,
        )
        return table_rows(view, selection, named, use, on_engine)
