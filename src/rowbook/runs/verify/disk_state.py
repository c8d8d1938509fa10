"""What became of the tables that a run wrote: as far as files tell without reading rows."""

from __future__ import annotations

from collections import Counter

from rowbook.errors import RowbookError
from rowbook.planning.steps import OutputStep
from rowbook.runs.compare.past_runs import OutputTable, PastRun, later_output, table_trace
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.verify.verification import OnDisk
from rowbook.sources import registry
from rowbook.sources.source_errors import UnreachableError
from rowbook.store import Store


def disk_state(
    step: OutputStep, table: OutputTable, result: OutputResult, past: PastRun, store: Store
) -> OnDisk:
    """Of what an output wrote to its table; others of the run may have followed. A table is as
    written where it has the files that were staged, by their digests, and no others of the run's
    periods; one that was appended to may have others. Where no digests are recorded, it is as
    written where the table's own marks or versions say so."""
    following = table.steps[table.steps.index(step) + 1 :]
    if any(each.mode == "replace" for each in following):
        return f"replaced by run {past.run.id}"
    try:
        trace = table_trace(table, past)
        if trace is None:
            return "changed" if _is_there(table) else "missing"
        if (later := later_output(trace, table, past, store)) is not None:
            return f"replaced by run {later[0]}"
        found = registry.fingerprint(trace.table) if result.digests else ()
    except (RowbookError, UnreachableError):
        return "missing"
    written, there = Counter(result.digests.values()), Counter(each.digest for each in found)
    if step.mode == "append" or following:
        return "as written" if written <= there else "changed"
    return "as written" if written == there else "changed"


def _is_there(table: OutputTable) -> bool:
    return bool(registry.contents(registry.existing(table.target)))
