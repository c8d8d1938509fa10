"""Rows that are stored as they are, picked by a condition of the language."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.row_ids import FIRST, SECOND, STORED
from rowbook.expressions.bound import Bound
from rowbook.planning.columns import ROW_ID
from rowbook.planning.run_context import RunContext
from rowbook.spark.column_names import column


def stored_rows(frame: DataFrame, condition: Bound | None, context: RunContext) -> DataFrame:
    """Those that a condition, or none, is TRUE for. Their ids are texts of the column itself."""
    if condition is None:
        return frame
    names, stored = frame.columns, frame
    if ROW_ID in names:
        none = F.lit(0).cast("bigint")
        stored = frame.withColumns({STORED: column(ROW_ID), FIRST: none, SECOND: none})
    picked = stored.filter(Compiler(context, stored_ids=True).condition(condition))
    return picked.select(*map(column, names))
