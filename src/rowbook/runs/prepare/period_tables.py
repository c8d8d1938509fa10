"""Which of the periods that a view reads there is data of, and whether they are closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.resolution.read_periods import ReadPeriods, absence
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.dataset_rows import SourceTables, no_rows
from rowbook.runs.prepare.period_history import PeriodHistory
from rowbook.sources import registry

if TYPE_CHECKING:
    from rowbook.runs.prepare.resolve import ResolvedInput, ResolvedTable

_NOTHING_THERE = "DATASOURCE_006"
_ENOUGH: Mapping[str, frozenset[str]] = {
    "closed": frozenset({"closed", "locked"}),
    "locked": frozenset({"locked"}),
}


def with_presence(
    resolved: ResolvedInput, wanted: ReadPeriods, context: RunContext, history: PeriodHistory
) -> ResolvedInput:
    """A period has data where its place does, or its folder; where it shares a place with others
    that has no folders, rows tell. Of a dataset that runs register, also one of them must have
    published it."""
    dataset = resolved.dataset
    tables = tuple(each for each in resolved.tables if not _is_nothing(each))
    if dataset.reads_all:
        return replace(resolved, tables=tables)
    empty = tuple(each for each in resolved.tables if _is_nothing(each))
    absent = list(wanted.outside)
    absent += [period for each in empty for period in each.location.periods]
    expected = _names(wanted, context)
    published = history.published.get(dataset.origin.id if dataset.origin else "")
    if published is not None:
        absent += [p for p, names in expected.items() if published.isdisjoint(names)]
        expected = {}
    for table in tables:
        expected, without = _told(table, expected)
        absent += without
    expected = {period: names for period, names in expected.items() if period not in absent}
    return replace(
        resolved,
        tables=tables,
        empty=empty,
        absent=tuple(dict.fromkeys(absent)),
        expected={} if dataset.definition.missing == "empty" else expected,
        unready=tuple(_unready(resolved, wanted, context, history)),
    )


def view_problems(resolved: ResolvedInput) -> Iterator[Diagnostic]:
    """DATASET_019, DATASET_020; a warning where the view says that it is none."""
    dataset = resolved.dataset
    if finding := absence(dataset, resolved.absent):
        yield finding
    if resolved.unready:
        required = dataset.definition.require
        listed = ", ".join(resolved.unready)
        message = f"dataset '{dataset.name}' requires periods that are {required}, but {listed}"
        verb = "close" if required == "closed" else "lock"
        yield Diagnostic("DATASET_020", message, hint=f"`rowbook periods {verb}` them first")


def plain_tables(resolved: ResolvedInput) -> SourceTables:
    """What is there, read without Spark; of a view that may be nothing."""
    tables = registry.read_plain([each.source() for each in resolved.tables])
    nothing = () if resolved.tables else (no_rows(resolved.dataset),)
    return SourceTables((*tables, *nothing), resolved.periods, resolved.expected)


def _is_nothing(resolved: ResolvedTable) -> bool:
    failure = resolved.failure
    return isinstance(failure, RowbookError) and failure.diagnostics[0].code == _NOTHING_THERE


def _names(wanted: ReadPeriods, context: RunContext) -> dict[str, tuple[str, ...]]:
    """The identifiers that rows of each period may have."""
    return {
        each.identifier: (
            each.identifier,
            *(below.identifier for below in context.calendar.descendants(each)),
        )
        for each in wanted.periods
    }


def _told(
    resolved: ResolvedTable, expected: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """What only rows will tell, and the periods that a table, by its folders, has no data of."""
    own = frozenset(resolved.location.periods)
    here = {period: names for period, names in expected.items() if not own.isdisjoint(names)}
    if not here or resolved.table is None or resolved.failure is not None:
        return dict(expected), []
    others = {period: names for period, names in expected.items() if period not in here}
    if resolved.table.period is not None:
        return others, []
    found = None
    with suppress(RowbookError, OSError):  # which the run's checks tell of
        found = registry.layout(resolved.table).periods
    if found is None:
        return dict(expected), []
    return others, [period for period, names in here.items() if found.isdisjoint(names)]


def _unready(
    resolved: ResolvedInput, wanted: ReadPeriods, context: RunContext, history: PeriodHistory
) -> Iterator[str]:
    required = resolved.dataset.definition.require
    for period in wanted.periods if required else ():
        status = history.status(period, context.calendar)
        is_own = period.identifier == context.period.identifier
        if not is_own and required is not None and status not in _ENOUGH[required]:
            yield f"{period.identifier} is {status}"
