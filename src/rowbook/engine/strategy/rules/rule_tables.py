"""Rules that are lookups: `account = '4000' AND entity IN ('A', 'B')` sets class to 'revenue'.

A thousand of them as one CASE are a thousand comparisons for every row, and more code than Java
compiles. Where updates compare the same columns with literals and set the same columns to literals,
they are a table keyed by those columns: one lookup finds the rule that wins, the highest seq, and
which others a row met on the way, for the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from math import prod

from rowbook.engine.strategy.step_analysis import is_safe
from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import EvaluationError, Moment, Value, evaluate
from rowbook.expressions.types import Kind
from rowbook.planning.steps import Step, UpdateStep

MOST_ENTRIES = 50_000
"""Entries of a table; rules with more (long lists, multiplied) stay a CASE."""

_NO_CLOCK = Moment(datetime(1, 1, 1, tzinfo=UTC), "")
"""Literals do not ask for the time."""


@dataclass(frozen=True, slots=True)
class LookupRule:
    """An update: the values that each compared expression may have, and those it sets."""

    seq: int
    keys: Mapping[Bound, frozenset[Value]]
    values: tuple[Value, ...]
    columns: tuple[str, ...]

    @property
    def shape(self) -> tuple[frozenset[Bound], tuple[str, ...]]:
        return frozenset(self.keys), self.columns

    @property
    def size(self) -> int:
        return prod(len(values) for values in self.keys.values())


@dataclass(frozen=True, slots=True)
class RuleTable:
    rules: tuple[LookupRule, ...]

    @property
    def keys(self) -> tuple[Bound, ...]:
        return tuple(self.rules[0].keys)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.rules[0].columns

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that are compared, with those of joined datasets below their alias."""
        names = (pair for key in self.keys for pair in bound.columns(key))
        return tuple(
            sorted({name if source is None else f"{source}.{name}" for source, name in names})
        )

    def entries(self) -> dict[tuple[Value, ...], list[LookupRule]]:
        """For each combination of values, the rules that it meets, in their order."""
        found: dict[tuple[Value, ...], list[LookupRule]] = {}
        for rule in self.rules:
            for combination in product(*(rule.keys[key] for key in self.keys)):
                found.setdefault(combination, []).append(rule)
        return found


def find_tables(steps: Sequence[Step], smallest: int) -> tuple[RuleTable, ...]:
    shapes: dict[tuple[frozenset[Bound], tuple[str, ...]], list[LookupRule]] = {}
    for step in steps:
        rule = as_rule(step)
        if rule is not None:
            shapes.setdefault(rule.shape, []).append(rule)
    return tuple(
        RuleTable(tuple(rules))
        for rules in shapes.values()
        if len(rules) >= smallest and sum(rule.size for rule in rules) <= MOST_ENTRIES
    )


def as_rule(step: Step) -> LookupRule | None:
    if not isinstance(step, UpdateStep) or step.selector is None:
        return None
    if not all(bound.is_literal(a.expression) for a in step.assignments):
        return None
    keys: dict[Bound, frozenset[Value]] = {}
    try:
        for part in bound.conjuncts(step.selector):
            compared = _compared(part)
            if compared is None:
                return None
            key, values = compared
            keys[key] = keys[key] & values if key in keys else values
        values_set = tuple(evaluate(a.expression, {}, _NO_CLOCK) for a in step.assignments)
    except EvaluationError:  # raised by the run, on the rows that it matches
        return None
    return LookupRule(step.seq, keys, values_set, tuple(a.column for a in step.assignments))


def _compared(part: Bound) -> tuple[Bound, frozenset[Value]] | None:
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
    values = (evaluate(each, {}, _NO_CLOCK) for each in literals)
    return key, frozenset(value for value in values if value is not None)
