"""Tables of rules as frames that rows are joined with: see `strategy.rules.rule_tables`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.counting.counters import BITS, Entries, Flag
from rowbook.engine.strategy.rules.rule_tables import LookupRule, RuleTable
from rowbook.expressions.evaluate import Value
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class LookUp:
    """A table ready to be joined: by which condition, what rows then have to offer, NULL where they
    met no rule or are not visible; and the counters of its rules."""

    table: RuleTable
    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Any], ...]
    condition: Column
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
        right = frame_of(frame.sparkSession, self.rows, self.fields).coalesce(1)
        keys = [field.name for field in self.fields if field.name not in self.offered]
        values = [F.first(column(name)).alias(name) for name in self.offered]
        right = right.groupBy(*map(column, keys)).agg(*values)
        return frame.join(F.broadcast(right), self.condition, "left")


def look_up(
    table: RuleTable, compiler: Compiler, fields: Mapping[str, Field], visible: Column
) -> LookUp:
    """A table for rows of which some are visible; `fields` are the working dataset's."""
    entries, name = table.entries(), _name(table)
    keys = [Field(f"{name}_key_{i}", key.type) for i, key in enumerate(table.keys)]
    values = [Field(f"{name}_{i}", fields[each].type) for i, each in enumerate(table.columns)]
    made = [Field(name, INTEGER), Field(f"{name}_seq", INTEGER), *values]
    marks, counters = _counters(table, list(entries.values()))
    names = [field.name for field in (*keys, *made)]
    equal = [
        compiler.compile(key) == column(f.name) for key, f in zip(table.keys, keys, strict=True)
    ]
    return LookUp(
        table,
        (*keys, *made),
        tuple(_rows(entries, marks, names)),
        balanced(equal, Column.__and__),
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
    return marks, tuple(Flag(seq, _name(table), bit) for seq, bit in bits.items())


def _rows(
    entries: Mapping[tuple[Value, ...], Sequence[LookupRule]],
    marks: Sequence[int],
    names: Sequence[str],
) -> Iterator[dict[str, Any]]:
    for mark, (combination, met) in zip(marks, entries.items(), strict=True):
        winner = met[-1]
        yield dict(zip(names, (*combination, mark, winner.seq, *winner.values), strict=True))
