"""The temporal filter (SPEC: Datasets): which of a dataset's rows a run sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from pyspark.sql import Column

from rowbook.engine.compile.compiler import literal
from rowbook.expressions import types as t
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.spark.column_names import column


def temporal_condition(
    dataset: Dataset, context: RunContext, periods: Sequence[str]
) -> Column | None:
    """TRUE on the rows that a run sees, over the dataset's columns in their declared types; None
    where that is all. `periods` are the identifiers that rows may have."""
    match dataset.definition.main_table.temporal_mode:
        case "period":
            return column(PERIOD.name).isin(*periods)
        case "bitemporal":
            return _valid(dataset, context.as_of)
    return None


def _valid(dataset: Dataset, as_of: date | datetime) -> Column:
    """valid_from <= as_of AND (valid_to > as_of OR valid_to IS NULL)."""
    assert dataset.validity is not None
    first, last = (column(name) for name in dataset.validity)
    kind = next(f.type for f in dataset.fields if f.name == dataset.validity[0])
    moment = literal(_day(as_of) if kind == t.DATE else _instant(as_of), kind)
    return (first <= moment) & ((last > moment) | last.isNull())


def _day(as_of: date | datetime) -> date:
    """A date column counts from its midnight: at any time of a day exactly the rows of the day."""
    return _utc(as_of).date() if isinstance(as_of, datetime) else as_of


def _instant(as_of: date | datetime) -> datetime:
    """A date means the end of that day: its last microsecond, as finely as timestamps tell."""
    if isinstance(as_of, datetime):
        return _utc(as_of)
    return datetime.combine(as_of, time.max, UTC)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
