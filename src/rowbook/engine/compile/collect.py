"""Rows brought to Python, as values of the language's types."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.spark.column_names import column

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def collect(
    frame: DataFrame, fields: Sequence[Field], limit: int | None = None
) -> list[dict[str, Any]]:
    """The rows of a frame with exactly these columns, timestamps as UTC instants."""
    limited = frame if limit is None else frame.limit(limit)
    rows = limited.select(*(_portable(f) for f in fields)).collect()
    return [
        {f.name: _value(value, f) for f, value in zip(fields, row, strict=True)} for row in rows
    ]


def _portable(field: Field) -> Column:
    """Timestamps as numbers: as timestamps they would come in the zone of this machine."""
    if field.type.kind is Kind.TIMESTAMP:
        return F.unix_micros(column(field.name)).alias(field.name)
    return column(field.name)


def _value(value: Any, field: Field) -> Any:
    if value is not None and field.type.kind is Kind.TIMESTAMP:
        return _EPOCH + timedelta(microseconds=value)
    return value
