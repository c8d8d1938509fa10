"""The working dataset as it starts: the input's rows with system columns."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import FIRST, SECOND, STORED, with_row_ids
from rowbook.engine.counting.counters import Flag
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import KEPT, Origin, defaults, typed_by_name
from rowbook.planning.columns import ROW_ID, Columns
from rowbook.spark.column_names import column, named

_AT_START = "__flags_0"


def start(
    loaded: DataFrame,
    environment: Environment,
    columns: Columns,
    *,
    with_ids: bool = True,
    without: frozenset[str] = frozenset(),
) -> Working:
    """`without` columns that nothing reads."""
    present = set(loaded.columns)
    given = defaults(Origin(environment.input), environment.context)
    for name in KEPT & present:
        given[name] = F.coalesce(column(name), given[name])
    stored = ROW_ID in present
    frame = loaded.withColumnRenamed(ROW_ID, STORED) if stored else loaded
    hidden: list[Column] = []
    if with_ids:
        telling, unique = identity(loaded)
        told_by = [STORED if name == ROW_ID else name for name in telling]
        frame = with_row_ids(frame, "input", told_by, unique=unique)
        hidden += [column(name) for name in (FIRST, SECOND, *([STORED] * stored))]
    given |= {n: F.lit(None) for n in columns.fields if n not in present and n not in given}
    dropped = without if with_ids else without | {ROW_ID}
    kept = {name: value for name, value in given.items() if name not in dropped}
    made = typed_by_name(kept, columns)
    names = [name for name in columns.fields if name not in dropped | {ROW_ID}]
    visible_columns = named({name: made.get(name, column(name)) for name in names})
    working = Working(frame, columns, stored_ids=stored, dropped=dropped)
    if environment.ledger:
        visible = F.when(given["_deleted"], F.lit(0)).otherwise(F.lit(1)).cast("bigint")
        hidden.append(visible.alias(_AT_START))
        working = working.counted(Flag(0, _AT_START, 0, every=True))
    return replace(working, frame=frame.select(*visible_columns, *hidden))


def start_here(spark: SparkSession, rows: DriverRows, environment: Environment) -> Working:
    """The same of few rows that were loaded here."""
    working = rows.on_spark(spark)
    if not environment.ledger:
        return working
    visible = F.when(column("_deleted"), F.lit(0)).otherwise(F.lit(1)).cast("bigint")
    frame = working.frame.withColumn(_AT_START, visible)
    return replace(working.counted(Flag(0, _AT_START, 0, every=True)), frame=frame)


def identity(frame: DataFrame) -> tuple[tuple[str, ...], bool]:
    """The columns that tell a source's rows apart, and whether they surely do."""
    places = tuple(name for name in frame.columns if name.startswith("__id_"))
    return (places, True) if places else (tuple(sorted(frame.columns)), False)
