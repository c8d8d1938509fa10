"""Joined datasets that have each key once, found out on their own side before rows are joined.

A row then meets one match at most: nothing has to be counted on it, and the join is a plain one,
below which Spark moves conditions. Few rows are looked at here; one small job looks at the keys of
all others that an operation joins.
Whatever it cannot tell, or fails on, is left to the join that looks at each row.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.functions import balanced
from rowbook.engine.execution.joining.joined_keys import KeyedRows, key_name, keyed_rows
from rowbook.engine.execution.joining.joins import named_columns
from rowbook.engine.strategy.checks.certain_values import is_certain
from rowbook.engine.strategy.step_analysis import own_columns
from rowbook.expressions import bound
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.join_condition import join_condition
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.column_names import column, named
from rowbook.spark.losses import loss_in

_LARGEST = 32 * 2**20
"""Bytes of files, about, whose keys are looked at before they are joined."""

_TINY = 2**20
"""Of these, what is grouped in one task in less time than a job of its own takes."""

_JOIN, _HASH = "__join", "__hash"

T = TypeVar("T")


@dataclass(slots=True)
class JoinKeyProof:
    """Of the datasets of a run; what was found out is known until they are loaded anew."""

    load: Callable[[Dataset], DataFrame]
    compiler: Compiler
    uncertain: frozenset[str]
    """Columns that may have no value: rows that are matched by them all must be."""
    load_few: Callable[[Dataset], LoadedRows | None] = lambda _: None
    """The rows of a dataset, where they are few and can be loaded here."""
    _known: dict[Hashable, KeyedRows | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        load: Callable[[Dataset], DataFrame],
        compiler: Compiler,
        uncertain: frozenset[str] | None,
        load_few: Callable[[Dataset], LoadedRows | None] = lambda _: None,
    ) -> JoinKeyProof | None:
        """None where keys are not looked at."""
        return None if uncertain is None else cls(load, compiler, uncertain, load_few)

    def look_at(self, joins: Sequence[Join], spark: SparkSession) -> None:
        """Few rows here, others in one job for all of these that have not been looked at."""
        possible: list[tuple[Hashable, KeyedRows]] = []
        for each in joins:
            if _key(each) in self._known:
                continue
            self._known[_key(each)] = None
            if not self._can_tell(each):
                continue
            few = self.load_few(each.dataset)
            if few is not None:
                self._known[_key(each)] = self._of_few(few, each, spark)
            elif _is_small((rows := self._rows(each)).frame):
                possible.append((_key(each), rows))
        if possible:
            unique = _without_second([rows for _, rows in possible])
            self._known |= {key: _told(r) for i, (key, r) in enumerate(possible) if i in unique}

    def rows(self, join: Join) -> KeyedRows | None:
        """A dataset that has each key once; None where that is not known of it."""
        return self._known.get(_key(join))

    def forget(self) -> None:
        self._known.clear()

    def _can_tell(self, join: Join) -> bool:
        condition = join_condition(join)
        left = [*condition.rest, *(each for each, _ in condition.keys)]
        return not condition.by_row and not is_remote() and self.are_certain(left)

    def _of_few(self, few: LoadedRows, join: Join, spark: SparkSession) -> KeyedRows | None:
        rows = keyed_rows(spark, few, join, join_condition(join), self.compiler.context)
        return None if rows is None or rows.repeated else _told(rows)

    def _rows(self, join: Join) -> KeyedRows:
        condition = join_condition(join)
        right = named_columns(self.load(join.dataset), join, condition, self.compiler)
        keys = [key_name(each, i) for i, (_, each) in enumerate(condition.keys)]
        added = {
            name: self.compiler.compile(each)
            for name, (_, each) in zip(keys, condition.keys, strict=True)
            if not isinstance(each, bound.Column)
        }
        frame = right.withColumns(added) if added else right
        return KeyedRows(frame, tuple(keys), tuple(added), repeated=False)

    def are_certain(self, trees: Sequence[bound.Bound]) -> bool:
        """Whether they have a value on every row, in whatever order they are computed."""
        return all(map(is_certain, trees)) and self.uncertain.isdisjoint(own_columns(trees))


def _key(join: Join) -> Hashable:
    return join.dataset.id, join.dataset.version, join.alias, join.condition


def _is_small(frame: DataFrame, most: int = _LARGEST) -> bool:
    """By what Spark takes the rows to be, in bytes: of a source that does not say, very many."""
    plan = frame._jdf.queryExecution()
    size = _if_possible(lambda: int(plan.optimizedPlan().stats().sizeInBytes()))
    return size is not None and size <= most


def _told(rows: KeyedRows) -> KeyedRows:
    """Spark knows of the keys of groups that they are unique, and leaves out a join of which
    nothing is read. To group them again must take less than such a join does."""
    if not _is_small(rows.frame, _TINY):
        return rows
    return replace(rows, frame=rows.frame.coalesce(1).dropDuplicates(list(rows.keys)))


def _if_possible(work: Callable[[], T]) -> T | None:
    """What fails of keys fails of the join too, which says why."""
    try:
        return work()
    except Exception as error:
        if not is_spark_failure(error) or loss_in(error) is not None:
            raise
        return None


def _without_second(datasets: Sequence[KeyedRows]) -> frozenset[int]:
    """The places of those whose keys have hashes that differ all: then so do the keys. One with a
    NULL in it equals nothing."""
    hashes = [_hashes(each, i) for i, each in enumerate(datasets)]
    union = hashes[0]
    for each in hashes[1:]:
        union = union.unionAll(each)
    table = _if_possible(union.toArrow)
    if table is None:
        return frozenset()
    return frozenset(i for i in range(len(datasets)) if _all_differ(table, i))


def _hashes(rows: KeyedRows, place: int) -> DataFrame:
    present = balanced([column(name).isNotNull() for name in rows.keys], Column.__and__)
    hashed = F.xxhash64(*map(column, rows.keys))
    return rows.frame.filter(present).select(*named({_JOIN: F.lit(place), _HASH: hashed}))


def _all_differ(table: pa.Table, place: int) -> bool:
    hashes = table.filter(pc.equal(table[_JOIN], place))[_HASH]
    return bool(pc.count_distinct(hashes).as_py() == len(hashes))
