"""Two small tables, and how they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession

from rowbook.engine.compare.aligned import RowKinds, Side
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, TableDifference
from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import parse_type

Rows = Sequence[Mapping[str, Any]]


def side(spark: SparkSession, columns: str, rows: Rows, kinds: RowKinds | None = None) -> Side:
    """A table; columns as `name type; …`."""
    fields = []
    for each in columns.split("; "):
        name, _, kind = each.partition(" ")
        fields.append(Field(name, parse_type(kind) or t.UNKNOWN))
    return Side(frame_of(spark, rows, fields), tuple(fields), kinds or RowKinds())


def row(*values: Any) -> dict[str, Any]:
    """A row of columns k, v, …"""
    return dict(zip("kvw", values, strict=False))


def compared(
    spark: SparkSession,
    schema: str,
    before: Rows,
    after: Rows,
    kinds: RowKinds | None = None,
    **criteria: Any,
) -> TableDifference:
    both = side(spark, schema, before, kinds), side(spark, schema, after, kinds)
    return compare_tables(*both, Criteria(**{"key": ("k",), **criteria}))


def counts(found: TableDifference) -> tuple[int, int, int, int]:
    return found.equal, found.changed, found.only_before, found.only_after
