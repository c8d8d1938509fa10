"""The working dataset while a run goes on: a lazy frame, its columns, and what it carries inside.

Inside a frame stand the working dataset's columns, `_row_id` aside (two numbers and the text of
ids that the input brought, see `row_ids`), and the columns of counters. Columns that nothing reads
any more may have been dropped at a checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructField, StructType

from rowbook.engine.compile.local_frames import LocalRelation
from rowbook.engine.compile.row_ids import FIRST, SECOND, STORED, row_id
from rowbook.engine.counting.counters import (
    Added,
    Counter,
    CountRequest,
    Flag,
    counter_names,
)
from rowbook.engine.execution.checkpoint import checkpoint
from rowbook.engine.strategy.stages import Storage
from rowbook.planning.columns import ROW_ID, Columns
from rowbook.planning.run_context import RunContext
from rowbook.spark.column_names import column, named


@dataclass(frozen=True, slots=True)
class United:
    """A frame, and what it was united from: rows, and all that was added to them since, with the
    seqs of the operations that did."""

    frame: DataFrame
    rows: DataFrame
    added: tuple[tuple[int, DataFrame], ...]

    @property
    def pieces(self) -> list[DataFrame]:
        added = [frame for _, frame in self.added]
        return self.completed([self.rows, reduce(_united, added)])

    def completed(self, frames: Iterable[DataFrame]) -> list[DataFrame]:
        schema = self.frame.schema
        return [_completed(each, schema) for each in frames]


@dataclass(frozen=True, slots=True)
class CountedRows:
    """Some of the rows, and the counters that are about no others. `each_row`: what each of these
    counts are the visible ones of them, all of them."""

    frame: DataFrame
    counters: tuple[Counter, ...]
    each_row: bool


@dataclass(frozen=True, slots=True)
class Working:
    """After some operation. `stored_ids` says that rows may have brought their ids along."""

    frame: DataFrame
    columns: Columns
    counters: tuple[Counter, ...] = ()
    stored_ids: bool = False
    dropped: frozenset[str] = frozenset()
    united: United | None = None
    local: LocalRelation | None = None

    @property
    def table(self) -> pa.Table | None:
        """The rows themselves, where they are here."""
        if self.local is None or self.local.frame is not self.frame:
            return None
        return self.local.table

    @property
    def kept(self) -> list[str]:
        """The columns that are in the frame under their own names."""
        gone = self.dropped | {ROW_ID}
        return [name for name in self.columns.fields if name not in gone]

    @property
    def hidden(self) -> list[str]:
        """The columns that only the engine knows: ids and counters."""
        ids = () if ROW_ID in self.dropped else (FIRST, SECOND, *([STORED] * self.stored_ids))
        return [*ids, *counter_names(self.counters)]

    def counted(self, *counters: Counter) -> Working:
        return replace(self, counters=(*self.counters, *counters))

    def uncounted(self, read: Collection[Counter] | None = None) -> Working:
        """Once these counters have been read (None: all)."""
        rest = () if read is None else tuple(c for c in self.counters if c not in read)
        return replace(self, counters=rest)

    def with_rows(self, new: DataFrame, seq: int) -> Working:
        """With more rows, of an operation; what they or the others lack is NULL."""
        frame, before = _united(self.frame, new), self._united()
        rows, added = (before.rows, before.added) if before else (self.frame, ())
        return replace(self, frame=frame, united=United(frame, rows, (*added, (seq, new))))

    def since(self, seq: int) -> Working:
        """Nothing but the rows that this operation added, which were the last."""
        united = self._united()
        assert united is not None
        (frame,) = united.completed([new for added_by, new in united.added if added_by == seq])
        return replace(self, frame=frame, united=None)

    def with_local_rows(self, new: DataFrame, seq: int) -> Working:
        """The same, computed here and now; rows that are here stay here."""
        if self.table is None:
            return self.with_rows(LocalRelation.collected(new).frame, seq)
        schema = _joint_schema(self.frame.schema, new.schema)
        tables = [_fitted(table, schema) for table in (self.table, new.toArrow())]
        local = LocalRelation.of(new.sparkSession, pa.concat_tables(tables), schema)
        return replace(self, frame=local.frame, local=local)

    def by_pieces(self, change: Callable[[DataFrame], DataFrame]) -> Working:
        """With each of the pieces changed by itself, as all rows would be together."""
        united = self._united()
        if united is None:
            return replace(self, frame=change(self.frame))
        seqs, frames = zip(*united.added, strict=True)
        rows, *added = map(change, united.completed([united.rows, *frames]))
        frame = reduce(_united, added, rows)
        pairs = tuple(zip(seqs, added, strict=True))
        return replace(self, frame=frame, united=United(frame, rows, pairs))

    def pieces(self) -> list[DataFrame]:
        """What the frame is united from: itself, unless adding rows was the last that happened."""
        united = self._united()
        return [self.frame] if united is None else united.pieces

    @property
    def begins_with_read(self) -> bool:
        """Whether the first of its pieces has no rows but those that were read."""
        united = self._united()
        later = {seq for seq, _ in united.added} if united else set()
        return {each.seq for each in self.counters if isinstance(each, Added)} <= later

    def counted_rows(self, *, apart: bool) -> list[CountedRows]:
        """The same, with the counters of each: what was added has one. Operations that left no mark
        ask all rows."""
        united = self._united() if apart else None
        if united is None or any(isinstance(each, CountRequest) for each in self.counters):
            return [_with_marks(self.frame, self.counters)]
        frames = united.completed([united.rows, *(frame for _, frame in united.added)])
        counters = {each.seq: each for each in self.counters if isinstance(each, Added)}
        added = [counters.get(seq) for seq, _ in united.added]
        of_rows = (each for each in self.counters if each not in added)
        return [
            _with_marks(frames[0], of_rows),
            *(
                CountedRows(frame, (each,) if each else (), each is not None and each.single)
                for frame, each in zip(frames[1:], added, strict=True)
            ),
        ]

    def _united(self) -> United | None:
        known = self.united is not None and self.united.frame is self.frame
        return self.united if known else None

    def select(self, names: Sequence[str], context: RunContext) -> list[Column]:
        made = {ROW_ID: row_id(context.now, stored=self.stored_ids)} if ROW_ID in names else {}
        return named({name: made.get(name, column(name)) for name in names})

    def rows(self, context: RunContext) -> DataFrame:
        """The rows as people know them, and the counters' columns."""
        names = [name for name in self.columns.fields if name not in self.dropped]
        counters = map(column, counter_names(self.counters))
        return self.frame.select(*self.select(names, context), *counters)

    def checkpoint(self, storage: Storage, unneeded: Collection[str] = ()) -> Working:
        """Computed here and now; what follows starts from the result, without these columns."""
        dropped = self.dropped | frozenset(unneeded)
        kept = replace(self, dropped=dropped)
        narrow = self.frame.select(*map(column, (*kept.kept, *kept.hidden)))
        if storage.copies == "driver":
            local = LocalRelation.collected(narrow)
            return replace(kept, frame=local.frame, local=local)
        return replace(kept, frame=checkpoint(narrow, storage))


def _with_marks(frame: DataFrame, counters: Iterable[Counter]) -> CountedRows:
    found = tuple(counters)
    return CountedRows(frame, found, all(isinstance(each, Flag) and each.every for each in found))


def _united(a: DataFrame, b: DataFrame) -> DataFrame:
    return a.unionByName(b, allowMissingColumns=True)


def _joint_schema(rows: StructType, new: StructType) -> StructType:
    """As `unionByName` has it; columns of the new rows are as wide as they are to be."""
    wide = {each.name: each for each in new.fields}
    names = {each.name for each in rows.fields}
    more = [each for each in new.fields if each.name not in names]
    fields = [*(wide.get(each.name, each) for each in rows.fields), *more]
    return StructType([StructField(each.name, each.dataType) for each in fields])


def _fitted(table: pa.Table, schema: StructType) -> pa.Table:
    arrow = to_arrow_schema(schema)
    columns = [
        table[each.name].cast(each.type)
        if each.name in table.column_names
        else pa.nulls(table.num_rows, each.type)
        for each in arrow
    ]
    return pa.table(columns, schema=arrow)


def _completed(part: DataFrame, schema: StructType) -> DataFrame:
    """With all columns of a schema, in any order."""
    present = {f.name: f.dataType for f in part.schema.fields}
    made = {
        f.name: (column(f.name) if f.name in present else F.lit(None)).cast(f.dataType)
        for f in schema.fields
        if present.get(f.name) != f.dataType
    }
    return part.withColumns(made) if made else part
