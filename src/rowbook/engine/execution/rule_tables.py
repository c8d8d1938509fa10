"""Rules that are lookups: `account = '4000' AND entity IN ('A', 'B')` sets class to 'revenue'.

A thousand of them as one CASE are a thousand comparisons for every row, and more code than Java
compiles. Where updates compare the same columns with literals and set the same columns to literals,
they are a table keyed by those columns: one lookup finds the rule that wins, the highest seq, and
which others a row met on the way, for the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.counting.counters import BITS, Entries, Flag
from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import EvaluationError, Moment, Value, evaluate
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER, Kind, as_decimal
from rowbook.planning.steps import UpdateStep
from rowbook.spark.column_names import column

MOST_ENTRIES = 50_000
"""Entries of a table; rules with more (long lists, multiplied) stay a CASE."""


@dataclass(frozen=True, slots=True)
class LookupRule:
    """An update as a lookup: the values that each compared expression may have, and those it
    sets."""

    seq: int
    keys: Mapping[Bound, frozenset[Value]]
    values: tuple[Value, ...]
    columns: tuple[str, ...]

    @property
    def shape(self) -> tuple[frozenset[Bound], tuple[str, ...]]:
        """Rules of one shape can share a table."""
        return frozenset(self.keys), self.columns

    @property
    def size(self) -> int:
        """How many entries it takes."""
        return prod(len(values) for values in self.keys.values())


@dataclass(frozen=True, slots=True)
class RuleTable:
    """Rules of one shape."""

    rules: tuple[LookupRule, ...]

    @property
    def keys(self) -> tuple[Bound, ...]:
        """What is compared, in the order of the first rule."""
        return tuple(self.rules[0].keys)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are set."""
        return self.rules[0].columns

    @property
    def name(self) -> str:
        """What its columns are called by: no two tables share a rule."""
        return f"__table_{self.rules[0].seq}"

    @property
    def winner(self) -> Column:
        """The seq of the rule that wins, NULL where none is met."""
        return column(f"{self.name}_seq")

    def value(self, name: str) -> Column:
        """The winner's value for a column."""
        return column(f"{self.name}_{self.columns.index(name)}")

    def entries(self) -> dict[tuple[Value, ...], list[LookupRule]]:
        """For each combination of values, the rules that it meets, in their order."""
        found: dict[tuple[Value, ...], list[LookupRule]] = {}
        for rule in self.rules:
            for combination in product(*(rule.keys[key] for key in self.keys)):
                found.setdefault(combination, []).append(rule)
        return found


def find_tables(
    steps: Sequence[UpdateStep], moment: Moment, smallest: int
) -> tuple[RuleTable, ...]:
    """The tables among updates that do not read each other's results."""
    shapes: dict[tuple[frozenset[Bound], tuple[str, ...]], list[LookupRule]] = {}
    for step in steps:
        rule = as_rule(step, moment)
        if rule is not None:
            shapes.setdefault(rule.shape, []).append(rule)
    return tuple(
        RuleTable(tuple(rules))
        for rules in shapes.values()
        if len(rules) >= smallest and sum(rule.size for rule in rules) <= MOST_ENTRIES
    )


def as_rule(step: UpdateStep, moment: Moment) -> LookupRule | None:
    """An update as a lookup, if it is one."""
    if step.selector is None or not all(bound.is_literal(a.expression) for a in step.assignments):
        return None
    keys: dict[Bound, frozenset[Value]] = {}
    try:
        for part in bound.conjuncts(step.selector):
            compared = _compared(part, moment)
            if compared is None:
                return None
            key, values = compared
            keys[key] = keys[key] & values if key in keys else values
        values_set = tuple(evaluate(a.expression, {}, moment) for a in step.assignments)
    except EvaluationError:  # raised by the run, on the rows that it matches
        return None
    return LookupRule(step.seq, keys, values_set, tuple(a.column for a in step.assignments))


def _compared(part: Bound, moment: Moment) -> tuple[Bound, frozenset[Value]] | None:
    """What a condition compares and with which values; None where it does not compare so."""
    key: Bound | None = None
    literals: tuple[Bound, ...] = ()
    if isinstance(part, bound.OneOf):
        key, literals = part.operand, part.items
    elif isinstance(part, bound.Call) and part.function == "=":
        a, b = part.arguments
        key, literals = (b, (a,)) if bound.is_literal(a) else (a, (b,))
    if key is None or key.type.kind in (Kind.FLOAT, Kind.NULL) or not is_safe(key):
        return None
    if not all(bound.is_literal(each) and each.type == key.type for each in literals):
        return None
    values = (evaluate(each, {}, moment) for each in literals)
    return key, frozenset(value for value in values if value is not None)


def is_safe(key: Bound) -> bool:
    """Whether computing it cannot fail on any row, selected or not."""
    match key:
        case bound.Column():
            return True
        case bound.Convert(operand, kind):
            is_number = operand.type.kind in (Kind.INTEGER, Kind.DECIMAL)
            if not is_number or kind.kind is not Kind.DECIMAL:
                return False
            roomy = kind.integer_digits >= as_decimal(operand.type).integer_digits
            return roomy and is_safe(operand)
        case bound.Call(function, (operand,)):
            return function in ("UPPER", "LOWER", "TRIM", "LTRIM", "RTRIM", "LEN") and is_safe(
                operand
            )
        case _:
            return False


@dataclass(frozen=True, slots=True)
class LookUp:
    """A table ready to be joined: by which condition, what rows then have to offer, NULL where they
    met no rule or are not visible; and the counters of its rules."""

    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Any], ...]
    condition: Column
    offered: Mapping[str, Column]
    counters: tuple[Flag | Entries, ...]

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
    entries = table.entries()
    keys = [Field(f"{table.name}_key_{i}", key.type) for i, key in enumerate(table.keys)]
    values = [Field(f"{table.name}_{i}", fields[name].type) for i, name in enumerate(table.columns)]
    made = [Field(table.name, INTEGER), Field(f"{table.name}_seq", INTEGER), *values]
    marks, counters = _counters(table, list(entries.values()))
    names = [field.name for field in (*keys, *made)]
    equal = [
        compiler.compile(key) == column(f.name) for key, f in zip(table.keys, keys, strict=True)
    ]
    return LookUp(
        (*keys, *made),
        tuple(_rows(entries, marks, names)),
        balanced(equal, Column.__and__),
        {field.name: F.when(visible, column(field.name)) for field in made},
        counters,
    )


def _counters(
    table: RuleTable, entries: Sequence[Sequence[LookupRule]]
) -> tuple[list[int], tuple[Flag | Entries, ...]]:
    """What an entry leaves on rows for counting: bits of its rules where there is room for all
    rules of the table, else its number."""
    if len(table.rules) > BITS:
        rules = tuple(tuple(rule.seq for rule in met) for met in entries)
        seqs = tuple(rule.seq for rule in table.rules)
        return list(range(len(entries))), (Entries(table.name, rules, seqs),)
    bits = {rule.seq: i for i, rule in enumerate(table.rules)}
    marks = [sum(1 << bits[rule.seq] for rule in met) for met in entries]
    return marks, tuple(Flag(seq, table.name, bit) for seq, bit in bits.items())


def _rows(
    entries: Mapping[tuple[Value, ...], Sequence[LookupRule]],
    marks: Sequence[int],
    names: Sequence[str],
) -> Iterator[dict[str, Any]]:
    for mark, (combination, met) in zip(marks, entries.items(), strict=True):
        winner = met[-1]
        yield dict(zip(names, (*combination, mark, winner.seq, *winner.values), strict=True))
