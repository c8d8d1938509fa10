"""The temporal filter (SPEC: Datasets): which of a dataset's rows a run sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import literal
from rowbook.periods import Period
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import dated_periods
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.visibility import day_spans, moment_of
from rowbook.spark.column_names import column


def temporal_condition(
    dataset: Dataset, context: RunContext, periods: Sequence[str]
) -> Column | None:
    """TRUE on the rows that a run sees, over the dataset's columns in their declared types; None
    where that is all. `periods` are the identifiers that rows may have."""
    match dataset.definition.main_table.temporal_mode:
        case "period" if not periods:
            return F.lit(False)
        case "period" if dataset.period_from:
            return _dated(dataset, dated_periods(context, periods))
        case "period" if dataset.reads_all:
            return column(PERIOD.name).isNotNull()
        case "period":
            return column(PERIOD.name).isin(*periods)
        case "bitemporal":
            return _valid(dataset, context.as_of)
    return None


def period_column(dataset: Dataset, context: RunContext, periods: Sequence[str]) -> Column | None:
    """The period of a row that the run sees, where its date says it."""
    if not dataset.period_from:
        return None
    if not periods:
        return F.lit(None).cast("string")
    first, *rest = dated_periods(context, periods)
    found = F.when(_dated(dataset, [first]), F.lit(first.identifier))
    for each in rest:
        found = found.when(_dated(dataset, [each]), F.lit(each.identifier))
    return found


def _dated(dataset: Dataset, periods: Sequence[Period]) -> Column:
    """Whether the date of a row lies in one of them: a range for each run of days, so that a source
    can leave out the others."""
    assert dataset.period_from is not None
    day = column(dataset.period_from)
    kind = next(f.type for f in dataset.fields if f.name == dataset.period_from)
    spans = [
        (day >= literal(start, kind)) & (day < literal(end, kind))
        for start, end in day_spans(periods, kind)
    ]
    return reduce(Column.__or__, spans)


def _valid(dataset: Dataset, as_of: date | datetime) -> Column:
    """valid_from <= as_of AND (valid_to > as_of OR valid_to IS NULL)."""
    assert dataset.validity is not None
    first, last = (column(name) for name in dataset.validity)
    kind = next(f.type for f in dataset.fields if f.name == dataset.validity[0])
    moment = literal(moment_of(dataset, as_of), kind)
    return (first <= moment) & ((last > moment) | last.isNull())
