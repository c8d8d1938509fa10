"""Tables of rules as frames that rows are joined with: see `strategy.rules.rule_tables`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler, literal
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.counters import BITS, Entries, Flag
from rowbook.engine.strategy.rules.rule_tables import LookupRule, RuleTable
from rowbook.expressions.evaluate import Value
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER, Type
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class Sought:
    """What rows look up in a column of a table: a value, or the number of the cell it lies in,
    where there are cuts between cells."""

    key: str
    value: Column
    type: Type
    cuts: tuple[Value, ...] | None

    @property
    def column(self) -> Column:
        return self.value if self.cuts is None else column(f"{self.key}_sought")

    def added_to(self, frame: DataFrame) -> DataFrame:
        """Half of the cuts that are left are ruled out by each projection: Spark makes one loop of
        them. A value is taken from an array that it has as a constant; there is none, so that
        nothing is added, where an array ends."""
        if self.cuts is None:
            return frame
        name, sought, value = f"{self.key}_sought", self.column, column(f"{self.key}_value")
        frame = frame.withColumns({f"{self.key}_value": self.value, name: F.lit(0)})
        starts = _constant_array(self.cuts, self.type)
        for bit in reversed(range(len(self.cuts).bit_length())):
            step = 1 << bit
            start = F.get(starts, sought + (step - 1))
            frame = frame.withColumn(name, sought + F.when(value >= start, step).otherwise(0))
        return frame.withColumn(name, F.when(value.isNotNull(), sought.cast("bigint")))


def _constant_array(values: Sequence[Value], kind: Type) -> Column:
    """In one call: Spark computes it once, before it looks at rows."""
    texts = [_text(each) for each in values]
    mark = next(c for c in map(chr, range(0xE000, 0xF8FF)) if not any(c in text for text in texts))
    return F.split(F.lit(mark.join(texts)), mark).cast(f"array<{sql_type(kind)}>")


def _text(value: Value) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


@dataclass(frozen=True, slots=True)
class LookUp:
    """A table ready to be joined: what is sought in it, what rows then have to offer, NULL where
    they met no rule or are not visible; and the counters of its rules."""

    table: RuleTable
    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Any], ...]
    sought: tuple[Sought, ...]
    offered: Mapping[str, Column]
    counters: tuple[Flag | Entries, ...]

    @property
    def winner(self) -> Column:
        return column(f"{_name(self.table)}_seq")

    def value(self, name: str) -> Column:
        return column(f"{_name(self.table)}_{self.table.columns.index(name)}")

    def join(self, frame: DataFrame) -> DataFrame:
        """The frame with the table's columns. Entries are grouped, each by itself, in no job of
        their own, so that Spark knows that keys are unique: it then leaves out a table where
        nothing is read of it."""
        for each in self.sought:
            frame = each.added_to(frame)
        if len(self.sought) == 1 and self.sought[0].cuts is not None:
            return self._of_cells(frame, self.sought[0])
        equal = [each.column == column(each.key) for each in self.sought]
        right = frame_of(frame.sparkSession, self.rows, self.fields).coalesce(1)
        keys = [field.name for field in self.fields if field.name not in self.offered]
        values = [F.first(column(name)).alias(name) for name in self.offered]
        right = right.groupBy(*map(column, keys)).agg(*values)
        return frame.join(F.broadcast(right), balanced(equal, Column.__and__), "left")

    def _of_cells(self, frame: DataFrame, sought: Sought) -> DataFrame:
        """The same by arrays, where the number of a cell is all that is looked up."""
        entries = {row[sought.key]: i for i, row in enumerate(self.rows)}
        numbers = [entries.get(cell, -1) for cell in range(len(sought.cuts or ()) + 1)]
        name = f"{sought.key}_entry"
        frame = frame.withColumn(name, F.get(_constant_array(numbers, INTEGER), sought.column))
        fields = {each.name: each for each in self.fields if each.name in self.offered}
        values = {n: [row[n] for row in self.rows] for n in fields}
        return frame.withColumns(
            {n: _item(values[n], column(name), each.type) for n, each in fields.items()}
        )


def _item(values: Sequence[Value], place: Column, kind: Type) -> Column:
    """The value at a place, NULL where there is none."""
    known = [each for each in values if each is not None]
    if not known:
        return literal(None, kind)
    if len(known) < len(values):
        places = iter(range(len(known)))
        numbers = [-1 if each is None else next(places) for each in values]
        place = F.get(_constant_array(numbers, INTEGER), place)
    return F.get(_constant_array(known, kind), place)


def look_up(
    table: RuleTable, compiler: Compiler, fields: Mapping[str, Field], visible: Column
) -> LookUp:
    """A table for rows of which some are visible; `fields` are the working dataset's."""
    entries, name = table.entries(), _name(table)
    sought = tuple(
        Sought(f"{name}_key_{i}", compiler.compile(key), key.type, table.cuts(key))
        for i, key in enumerate(table.keys)
    )
    keys = [Field(each.key, each.type if each.cuts is None else INTEGER) for each in sought]
    values = [Field(f"{name}_{i}", fields[each].type) for i, each in enumerate(table.columns)]
    made = [Field(name, INTEGER), Field(f"{name}_seq", INTEGER), *values]
    marks, counters = _counters(table, list(entries.values()))
    names = [field.name for field in (*keys, *made)]
    return LookUp(
        table,
        (*keys, *made),
        tuple(_rows(entries, marks, names)),
        sought,
        {field.name: F.when(visible, column(field.name)) for field in made},
        counters,
    )


def _name(table: RuleTable) -> str:
    """What its columns are called by: no two tables share a rule."""
    return f"__table_{table.rules[0].seq}"


def _counters(
    table: RuleTable, entries: Sequence[Sequence[LookupRule]]
) -> tuple[list[int], tuple[Flag | Entries, ...]]:
    """What an entry leaves on rows for counting: bits of its rules where there is room for all
    rules of the table, else its number."""
    if len(table.rules) > BITS:
        rules = tuple(tuple(rule.seq for rule in met) for met in entries)
        seqs = tuple(rule.seq for rule in table.rules)
        return list(range(len(entries))), (Entries(_name(table), rules, seqs),)
    bits = {rule.seq: i for i, rule in enumerate(table.rules)}
    marks = [sum(1 << bits[rule.seq] for rule in met) for met in entries]
    alike = len(set(marks))
    return marks, tuple(Flag(seq, _name(table), bit, marks=alike) for seq, bit in bits.items())


def _rows(
    entries: Mapping[tuple[Value, ...], Sequence[LookupRule]],
    marks: Sequence[int],
    names: Sequence[str],
) -> Iterator[dict[str, Any]]:
    for mark, (combination, met) in zip(marks, entries.items(), strict=True):
        winner = met[-1]
        yield dict(zip(names, (*combination, mark, winner.seq, *winner.values), strict=True))
