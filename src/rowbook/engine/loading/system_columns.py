"""The system columns of rows as they enter the working dataset (SPEC: Datasets)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import literal
from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions import types as t
from rowbook.planning.columns import Columns
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.spark.column_names import column, named, session_column


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rows come from: a dataset, and for rows that an operation adds, its seq."""

    dataset: Dataset
    seq: int | None = None


def not_deleted() -> Column:
    """Visible rows: all that operations see."""
    return session_column(("not", "_deleted"), lambda: ~column("_deleted"))


def defaults(origin: Origin, context: RunContext) -> dict[str, Column]:
    """What each system column is on a row that does not bring it along; `_row_id` aside."""
    now = literal(context.now, t.TIMESTAMP)
    return {
        "_source_dataset_id": F.lit(origin.dataset.id),
        "_source_table": F.lit(origin.dataset.table_name),
        "_operation_seq": literal(origin.seq, t.INTEGER),
        "_created_by_project_id": F.lit(context.project_id),
        "_created_by_run_id": F.lit(context.run_id),
        "_created_at": now,
        "_updated_at": now,
        "_deleted": F.lit(False),
        "_labels": F.lit(""),
    }


KEPT = frozenset(
    {"_created_by_project_id", "_created_by_run_id", "_created_at", "_updated_at"}
    | {"_deleted", "_labels"}
)
"""System columns that an input row keeps where its source holds them."""


def typed_by_name(given: Mapping[str, Column], columns: Columns) -> dict[str, Column]:
    fields = columns.fields
    return {n: v.cast(sql_type(fields[n].type)) for n, v in given.items() if n in fields}


def typed(given: Mapping[str, Column], columns: Columns) -> list[Column]:
    return named(typed_by_name(given, columns))
