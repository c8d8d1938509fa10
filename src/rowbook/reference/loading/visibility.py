"""The temporal filter (SPEC: Datasets): which of a dataset's rows a run sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from rowbook.expressions import types as t
from rowbook.expressions.values import Value
from rowbook.periods import Period
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import dated_periods
from rowbook.planning.run_context import RunContext


def is_visible_in_time(
    dataset: Dataset, context: RunContext, periods: Sequence[str]
) -> Callable[[Mapping[str, Value]], bool]:
    """Whether a run sees a row, whose values are of their declared types. `periods` are the
    identifiers that rows of a periodic table may have."""
    match dataset.definition.main_table.temporal_mode:
        case "period" if dataset.reads_all:
            return lambda row: row[PERIOD.name] is not None
        case "period":
            accepted = frozenset(periods)
            return lambda row: row[PERIOD.name] in accepted
        case "bitemporal":
            return _is_valid(dataset, context.as_of)
    return lambda _: True


def day_spans(
    periods: Sequence[Period], kind: t.Type
) -> list[tuple[date | datetime, date | datetime]]:
    """The days of periods as a date column has them, or as the moments of a timestamp column: from
    the first of each span of days up to, and without, the second. Periods are in time order."""
    days: list[list[date]] = []
    for each in periods:
        behind = each.end + timedelta(days=1)
        if days and days[-1][1] == each.start:
            days[-1][1] = behind
        else:
            days.append([each.start, behind])
    if kind == t.DATE:
        return [(start, behind) for start, behind in days]
    return [
        (datetime.combine(start, time(), UTC), datetime.combine(behind, time(), UTC))
        for start, behind in days
    ]


def with_period(
    dataset: Dataset, context: RunContext, periods: Sequence[str]
) -> Callable[[dict[str, Value]], dict[str, Value]]:
    """Gives a row the period in which its date lies, where a date says it: NULL for one that is not
    of `periods`."""
    name = dataset.period_from
    if name is None:
        return lambda row: row
    kind = next(f.type for f in dataset.fields if f.name == name)
    spans = [(each, *day_spans([each], kind)[0]) for each in dated_periods(context, periods)]

    def dated(row: dict[str, Any]) -> dict[str, Value]:
        found = (p.identifier for p, start, behind in spans if start <= row[name] < behind)
        return {**row, PERIOD.name: next(found, None)}

    return dated


def moment_of(dataset: Dataset, as_of: date | datetime) -> date | datetime:
    """The as-of date as a bitemporal table's columns compare with it. A date column counts from its
    midnight: at any time of a day, exactly the rows of the day. Among timestamps a date means the
    end of that day: its last microsecond, as finely as they tell."""
    assert dataset.validity is not None
    kind = next(f.type for f in dataset.fields if f.name == dataset.validity[0])
    if not isinstance(as_of, datetime):
        return as_of if kind == t.DATE else datetime.combine(as_of, time.max, UTC)
    moment = as_of.astimezone(UTC) if as_of.tzinfo else as_of.replace(tzinfo=UTC)
    return moment.date() if kind == t.DATE else moment


def _is_valid(dataset: Dataset, as_of: date | datetime) -> Callable[[Mapping[str, Value]], bool]:
    """valid_from <= as_of AND (valid_to > as_of OR valid_to IS NULL)."""
    assert dataset.validity is not None
    first, last = dataset.validity
    moment: Any = moment_of(dataset, as_of)

    def is_valid(row: Mapping[str, Any]) -> bool:
        start, end = row[first], row[last]
        return start is not None and start <= moment and (end is None or end > moment)

    return is_valid
