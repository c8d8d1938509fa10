"""Rows that an operation adds to the working dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import FIRST, SECOND, with_group_ids, with_row_ids
from rowbook.engine.counting.counters import TAKEN, Added
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import typed
from rowbook.expressions.scope import LEVEL
from rowbook.planning.columns import ROW_ID
from rowbook.planning.steps import AggregateStep, Step
from rowbook.spark.column_names import column


def with_new_ids(
    working: Working, rows: DataFrame, step: Step, told_by: Sequence[str], *, unique: bool
) -> DataFrame:
    if ROW_ID in working.dropped:
        return rows
    return with_row_ids(rows, f"operation {step.seq}", told_by, unique=unique)


def with_level_ids(
    working: Working, rows: DataFrame, step: AggregateStep, names: Mapping[str, str]
) -> DataFrame:
    """The same for an aggregate's levels: its name and its own keys tell a row of each. `names` are
    those of the keys in the frame."""
    if ROW_ID in working.dropped:
        return rows
    groups = [
        (
            column(LEVEL) == F.lit(level.name),
            f"operation {step.seq} level {level.name}",
            [names[key] for key in level.keys],
        )
        for level in step.levels
    ]
    return with_group_ids(rows, groups)


def new_rows(
    working: Working,
    rows: DataFrame,
    given: Mapping[str, Column],
    step: Step,
    environment: Environment,
    ids: tuple[Column, Column] | None = None,
) -> DataFrame:
    """`ids` are the numbers of their ids, where they do not stand in the rows already."""
    kept = {name: value for name, value in given.items() if name not in working.dropped}
    hidden = [] if ROW_ID in working.dropped else [*map(column, (FIRST, SECOND))]
    if ids is not None:
        hidden = [value.alias(name) for value, name in zip(ids, (FIRST, SECOND), strict=True)]
    hidden += [column(TAKEN)] if environment.ledger else []
    return rows.select(*typed(kept, step.columns), *hidden)


def add_rows(
    working: Working,
    new: DataFrame,
    step: Step,
    environment: Environment,
    *,
    local: bool = False,
    taken: DataFrame | None = None,
    single: bool = False,
) -> Working:
    """With `local` the new rows are computed at once, and brought here. `taken` are the rows they
    were made from, where they do not tell how many; `single` where each is made from one."""
    seq = step.seq
    united = working.with_local_rows(new, seq) if local else working.with_rows(new, seq)
    after = replace(united, columns=step.columns)
    return after.counted(Added(seq, taken, single)) if environment.ledger else after
