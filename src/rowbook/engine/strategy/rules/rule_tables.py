"""Rules that are lookups: `account = '4000' AND entity IN ('A', 'B')` sets class to 'revenue'.

A thousand of them as one CASE are a thousand comparisons for every row, and more code than Java
compiles. Where updates compare the same columns with literals and set the same columns to literals,
they are a table keyed by those columns: one lookup finds the rule that wins, the highest seq, and
which others a row met on the way, for the ledger. Ranges (`BETWEEN`, `<`, `LIKE '4%'`) cut the
values of their column into cells, whose values all rules treat alike: the table is keyed by these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from itertools import product
from math import prod
from operator import or_

from rowbook.engine.strategy.rules.value_sets import (
    ValueSet,
    cells,
    comparison_values,
    cuts,
    prefix_values,
)
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
    keys: Mapping[Bound, ValueSet]
    values: tuple[Value, ...]
    columns: tuple[str, ...]

    @property
    def shape(self) -> tuple[frozenset[Bound], tuple[str, ...]]:
        return frozenset(self.keys), self.columns


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

    def cuts(self, key: Bound) -> tuple[Value, ...] | None:
        """Where the cells of a key begin that rules ask for ranges of, but for the first; None
        where its values themselves are looked up."""
        wanted = [rule.keys[key] for rule in self.rules]
        return cuts(wanted, key.type) if any(each.ranges for each in wanted) else None

    def entries(self) -> dict[tuple[Value, ...], list[LookupRule]]:
        """For each combination of values, or of numbers of cells, the rules that it meets, in their
        order."""
        found: dict[tuple[Value, ...], list[LookupRule]] = {}
        for rule, choices in zip(self.rules, self._choices(), strict=True):
            for combination in product(*choices):
                found.setdefault(combination, []).append(rule)
        return found

    @property
    def size(self) -> int:
        return sum(prod(map(len, choices)) for choices in self._choices())

    def _choices(self) -> list[list[frozenset[Value]]]:
        """Of each rule what each key may be."""
        bounds = {key: self.cuts(key) for key in self.keys}
        return [
            [
                rule.keys[key].values if found is None else cells(rule.keys[key], found)
                for key, found in bounds.items()
            ]
            for rule in self.rules
        ]


def find_tables(steps: Sequence[Step], smallest: int) -> tuple[RuleTable, ...]:
    shapes: dict[tuple[frozenset[Bound], tuple[str, ...]], list[LookupRule]] = {}
    for step in steps:
        rule = as_rule(step)
        if rule is not None:
            shapes.setdefault(rule.shape, []).append(rule)
    tables = (RuleTable(tuple(rules)) for rules in shapes.values() if len(rules) >= smallest)
    return tuple(table for table in tables if table.size <= MOST_ENTRIES)


def as_rule(step: Step) -> LookupRule | None:
    if not isinstance(step, UpdateStep) or step.selector is None:
        return None
    if not all(bound.is_literal(a.expression) for a in step.assignments):
        return None
    keys: dict[Bound, ValueSet] = {}
    try:
        for part in bound.conjuncts(step.selector):
            found = _wanted(part)
            if found is None:
                return None
            key, wanted = found
            keys[key] = keys[key] & wanted if key in keys else wanted
        values_set = tuple(evaluate(a.expression, {}, _NO_CLOCK) for a in step.assignments)
    except EvaluationError:  # raised by the run, on the rows that it matches
        return None
    return LookupRule(step.seq, keys, values_set, tuple(a.column for a in step.assignments))


def _wanted(part: Bound) -> tuple[Bound, ValueSet] | None:
    """What a condition compares, and for which values it holds; None where it asks otherwise."""
    match part:
        case bound.OneOf(key, literals):
            if _is_comparable(key, literals):
                return key, ValueSet(frozenset(map(_value, literals)) - {None})
        case bound.Call("OR", parts):
            found = [each for each in map(_wanted, parts) if each is not None]
            if len(found) == len(parts) and len({key for key, _ in found}) == 1:
                return found[0][0], reduce(or_, (wanted for _, wanted in found))
        case bound.Call("LIKE" | "STARTS_WITH", (key, prefix)) if _is_comparable(key, (prefix,)):
            return _beginning(key, part.function, _value(prefix))
        case bound.Call(function, (a, b)) if function in _TURNED:
            if bound.is_literal(a):
                function, a, b = _TURNED[function], b, a
            if _is_comparable(a, (b,)):
                return _comparison(a, function, _value(b))
    return None


_TURNED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _comparison(key: Bound, function: str, value: Value) -> tuple[Bound, ValueSet] | None:
    if function == "=":
        return key, ValueSet(frozenset({value}) - {None})
    wanted = comparison_values(function, value, key.type)
    return None if wanted is None else (key, wanted)


def _beginning(key: Bound, function: str, prefix: Value) -> tuple[Bound, ValueSet] | None:
    """LIKE asks for how a text begins where nothing but its last character is special."""
    if not isinstance(prefix, str):
        return key, ValueSet()
    if function == "LIKE":
        prefix, last = prefix[:-1], prefix[-1:]
        if last != "%" or not _SPECIAL.isdisjoint(prefix):
            return None
    return key, prefix_values(prefix)


_SPECIAL = frozenset("%_\\")


def _is_comparable(key: Bound, literals: Sequence[Bound]) -> bool:
    if key.type.kind in (Kind.FLOAT, Kind.NULL) or not is_safe(key):
        return False
    return all(bound.is_literal(each) and each.type == key.type for each in literals)


def _value(literal: Bound) -> Value:
    return evaluate(literal, {}, _NO_CLOCK)
