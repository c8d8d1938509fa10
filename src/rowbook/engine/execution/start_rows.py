"""The working dataset as it starts: the input's rows with system columns."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.local_frames import relation_of
from rowbook.engine.compile.row_ids import FIRST, SECOND, STORED, with_row_ids
from rowbook.engine.counting.counters import Counter, Flag
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import KEPT, Origin, defaults, typed_by_name
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import ROW_ID, Columns
from rowbook.planning.datasets import Dataset
from rowbook.reference.id_hashes import row_hashes
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.start import SALT, start_rows
from rowbook.reference.working_rows import Overflows
from rowbook.spark.column_names import column, named

_AT_START = "__flags_0"


def start(
    loaded: DataFrame, environment: Environment, columns: Columns, *, with_ids: bool = True
) -> Working:
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
    made = typed_by_name(given, columns)
    names = [name for name in columns.fields if name != ROW_ID]
    visible_columns = named({name: made.get(name, column(name)) for name in names})
    dropped = frozenset() if with_ids else frozenset({ROW_ID})
    working = Working(frame, columns, stored_ids=stored, dropped=dropped)
    if environment.ledger:
        visible = F.when(given["_deleted"], F.lit(0)).otherwise(F.lit(1)).cast("bigint")
        hidden.append(visible.alias(_AT_START))
        working = working.counted(Flag(0, _AT_START, 0, every=True))
    return replace(working, frame=frame.select(*visible_columns, *hidden))


def start_here(
    spark: SparkSession,
    loaded: LoadedRows,
    environment: Environment,
    columns: Columns,
    *,
    with_ids: bool = True,
) -> Working:
    """The same of few rows that were loaded here, as one local relation."""
    plain = RunEnvironment(environment.context, environment.input, _nothing, Overflows())
    rows = list(start_rows(loaded, columns, plain))
    fields = [each for name, each in columns.fields.items() if name != ROW_ID]
    stored = ROW_ID in loaded.fields
    if with_ids:
        types = [each.type for each in loaded.identity]
        hashes = row_hashes(loaded.identities, types, SALT, unique=loaded.unique)
        for row, (first, second) in zip(rows, hashes, strict=True):
            row |= {FIRST: _signed(first), SECOND: _signed(second), STORED: row.get(ROW_ID)}
        fields += [Field(FIRST, t.INTEGER), Field(SECOND, t.INTEGER)]
        fields += [Field(STORED, t.STRING)] * stored
    dropped = frozenset() if with_ids else frozenset({ROW_ID})
    counters: tuple[Counter, ...] = ()
    if environment.ledger:
        for row in rows:
            row[_AT_START] = int(not row["_deleted"])
        fields.append(Field(_AT_START, t.INTEGER))
        counters = (Flag(0, _AT_START, 0, every=True),)
    local = relation_of(spark, rows, fields)
    started = Working(local.frame, columns, counters, stored_ids=stored, dropped=dropped)
    return replace(started, local=local)


def _nothing(dataset: Dataset) -> LoadedRows:
    raise AssertionError(f"the start reads nothing of '{dataset.name}'")


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def identity(frame: DataFrame) -> tuple[tuple[str, ...], bool]:
    """The columns that tell a source's rows apart, and whether they surely do."""
    places = tuple(name for name in frame.columns if name.startswith("__id_"))
    return (places, True) if places else (tuple(sorted(frame.columns)), False)
