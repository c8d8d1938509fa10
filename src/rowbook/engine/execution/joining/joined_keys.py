"""A joined dataset of few rows, grouped by its keys here: the join finds each key once, with how
often it stood there where any did so twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions import bound
from rowbook.expressions.evaluate import EvaluationError, Evaluators
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER
from rowbook.expressions.values import Value, in_order
from rowbook.planning.datasets import Join
from rowbook.planning.join_condition import JoinCondition
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.working_rows import JoinedRow, read_cell
from rowbook.spark.column_names import joined_name

MATCHES = "__matches"


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """The columns of a joined dataset under its alias, and the names of its `keys` among them;
    others of `added` are for the join alone. `repeated`: a key stood there twice."""

    frame: DataFrame
    keys: tuple[str, ...]
    added: tuple[str, ...]
    repeated: bool


def keyed_rows(
    spark: SparkSession, loaded: LoadedRows, join: Join, parts: JoinCondition, context: RunContext
) -> KeyedRows | None:
    """None where a key, or what is asked of the rows alone, cannot be computed for each of them."""
    try:
        found = _by_key(loaded, join, parts, context)
    except EvaluationError:
        return None
    names = [key_name(right, i) for i, (_, right) in enumerate(parts.keys)]
    added = {
        name: Field(name, right.type)
        for name, (_, right) in zip(names, parts.keys, strict=True)
        if not isinstance(right, bound.Column)
    }
    repeated = any(len(rows) > 1 for rows, _ in found.values())
    if repeated:
        added[MATCHES] = Field(MATCHES, INTEGER)
    own = {joined_name(join.alias, n): f for n, f in join.dataset.readable.fields.items()}
    rows = [
        {
            **{name: rows[0][each.name] for name, each in own.items()},
            **dict(zip(names, key, strict=True)),
            MATCHES: len(rows),
        }
        for rows, key in found.values()
    ]
    fields = [*(Field(name, each.type) for name, each in own.items()), *added.values()]
    return KeyedRows(frame_of(spark, rows, fields), tuple(names), tuple(added), repeated)


_Keyed = tuple[list[Mapping[str, Value]], Sequence[Value]]


def _by_key(
    loaded: LoadedRows, join: Join, parts: JoinCondition, context: RunContext
) -> dict[tuple[Any, ...], _Keyed]:
    """Rows of each key, and the key; one with a NULL in it equals nothing."""
    evaluators: Evaluators[JoinedRow] = Evaluators(read_cell, context.moment)
    wanted: list[Callable[[JoinedRow], bool]] = [evaluators.condition(p) for p in parts.right]
    values = [evaluators.scalar(right) for _, right in parts.keys]
    found: dict[tuple[Any, ...], _Keyed] = {}
    for row in loaded.rows:
        alone: JoinedRow = {join.alias: row}
        if all(condition(alone) for condition in wanted):
            key = [value(alone) for value in values]
            if None not in key:
                found.setdefault(tuple(map(in_order, key)), ([], key))[0].append(row)
    return found


def key_name(right: bound.Bound, index: int) -> str:
    if isinstance(right, bound.Column):
        assert right.source is not None
        return joined_name(right.source, right.name)
    return f"__key_{index}"
