"""The temporal filter (SPEC: Datasets): which of a dataset's rows a run sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from pyspark.sql import Column

from rowbook.engine.compile.compiler import literal
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.temporal_filter import moment_of
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
    moment = literal(moment_of(dataset, as_of), kind)
    return (first <= moment) & ((last > moment) | last.isNull())
