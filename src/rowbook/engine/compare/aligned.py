"""Two tables that are compared: which columns they share, in which types, and what their key is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compare.common_types import canonical, common
from rowbook.engine.compare.difference import Repeated
from rowbook.expressions.scope import Field
from rowbook.expressions.types import STRING, Type
from rowbook.planning.columns import OPERATION_SEQ, ROW_ID
from rowbook.spark.column_names import column

_TIMES = "__times"


@dataclass(frozen=True, slots=True)
class LevelKinds:
    """Of an aggregate with levels: those that a table may hold rows of, and the column that tells
    which a row is of, if one does."""

    names: tuple[str, ...]
    column: str | None = None


@dataclass(frozen=True, slots=True)
class RowKinds:
    """Which rows a table may hold: lines, and summary rows of aggregates, by their seqs; of those
    that have levels, `levels`."""

    lines: bool = True
    aggregates: tuple[int, ...] = ()
    levels: Mapping[int, LevelKinds] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Side:
    frame: DataFrame
    fields: tuple[Field, ...]
    kinds: RowKinds = field(default_factory=RowKinds)

    def type_of(self, name: str) -> Type | None:
        return next((each.type for each in self.fields if each.name == name), None)

    def aggregate(self) -> Column | None:
        """The seq of the aggregate that made a row, NULL for a line; None where rows of several
        kinds cannot be told apart."""
        seqs = self.kinds.aggregates
        for each in self.kinds.levels.values():
            is_told = each.column is not None and self.type_of(each.column) == STRING
            if len(each.names) > 1 and not is_told:
                return None
        if self.kinds.lines and not seqs:
            return F.lit(None).cast("bigint")
        if len(seqs) == 1 and not self.kinds.lines:
            return F.lit(seqs[0]).cast("bigint")
        if self.type_of(OPERATION_SEQ) is None:
            return None
        return F.when(column(OPERATION_SEQ).isin(*seqs), column(OPERATION_SEQ))

    def level(self, aggregate: Column) -> Column:
        """The name of a summary row's level, NULL where its aggregate has none."""
        known = [F.lit(None).cast("string")]
        for seq, each in self.kinds.levels.items():
            one = len(each.names) == 1 or each.column is None
            name = F.lit(each.names[0]) if one else column(str(each.column))
            known.append(F.when(aggregate == F.lit(seq), name))
        return F.coalesce(*known)


@dataclass(frozen=True, slots=True)
class KeyCandidate:
    """Columns that may be a key. A `loose` one need not tell rows apart that have NULL in it."""

    columns: tuple[str, ...]
    loose: bool = False


class Pair:
    """Two tables, and the columns in which they can be compared, with the types for that."""

    def __init__(self, before: Side, after: Side) -> None:
        self.before, self.after = before, after
        self.shared: dict[str, Type] = {}
        for each in before.fields:
            other = after.type_of(each.name)
            kind = common(each.type, other) if other is not None else None
            if kind is not None:
                self.shared[each.name] = kind

    def both(self, names: Sequence[str]) -> tuple[DataFrame, DataFrame]:
        before, after = (
            side.frame.select(*(self.aligned(side, name).alias(name) for name in names))
            for side in (self.before, self.after)
        )
        return before, after

    def aligned(self, side: Side, name: str) -> Column:
        kind, shared = side.type_of(name), self.shared[name]
        return canonical(column(name), kind or shared, shared)

    def first_key(self, candidates: Sequence[KeyCandidate]) -> tuple[str, ...]:
        """The first candidate that tells the rows of both tables apart, () for none. Row ids are
        one only where the tables share some: each run with a clock of its own makes new ones."""
        for candidate in candidates:
            names = candidate.columns
            if not all(name in self.shared for name in names):
                continue
            before, after = self.both(names)
            found = [repeated(frame, names) for frame in (before, after)]
            if any(complete or (all_.keys and not candidate.loose) for all_, complete in found):
                continue
            if names != (ROW_ID,) or not before.join(after, ROW_ID, "left_semi").isEmpty():
                return names
        return ()


def repeated(frame: DataFrame, key: Sequence[str]) -> tuple[Repeated, int]:
    """The keys that stand more than once; and how many of them have no NULL."""
    times = frame.groupBy(*map(column, key)).agg(F.count(F.lit(1)).alias(_TIMES))
    complete = reduce(and_, (column(name).isNotNull() for name in key))
    (found,) = (
        times.filter(F.col(_TIMES) > 1)
        .agg(F.count(F.lit(1)), F.coalesce(F.sum(_TIMES), F.lit(0)), F.count_if(complete))
        .collect()
    )
    return Repeated(int(found[0]), int(found[1])), int(found[2])
