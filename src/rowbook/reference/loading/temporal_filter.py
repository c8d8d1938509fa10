"""The temporal filter (SPEC: Datasets): which of a dataset's rows a run sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

from rowbook.expressions import types as t
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext


def is_visible_in_time(
    dataset: Dataset, context: RunContext, periods: Sequence[str]
) -> Callable[[Mapping[str, Value]], bool]:
    """Whether a run sees a row, whose values are of their declared types. `periods` are the
    identifiers that rows of a periodic table may have."""
    match dataset.definition.main_table.temporal_mode:
        case "period":
            accepted = frozenset(periods)
            return lambda row: row[PERIOD.name] in accepted
        case "bitemporal":
            return _is_valid(dataset, context.as_of)
    return lambda _: True


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
