"""What bound trees mean, in plain Python: a tree becomes a function of rows, made once, called for
each. It decides the rules of resolvers, and is what the reference engine computes with.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from itertools import accumulate
from typing import Any, Generic, TypeAlias, TypeVar

from rowbook.expressions import types as t
from rowbook.expressions.bound import Aggregate, Bound, Column, walk
from rowbook.expressions.closures import Function, Moment, function_of
from rowbook.expressions.scalars.numbers import greatest, least
from rowbook.expressions.values import EXACT, EvaluationError, Value, fit, in_order

__all__ = [
    "EvaluationError",
    "Evaluators",
    "Moment",
    "Row",
    "Value",
    "evaluate",
    "evaluate_aggregate",
]

R = TypeVar("R")
Row: TypeAlias = Mapping[tuple[str | None, str], Value]
"""The values of columns by (source, name), of the columns' types, NULLs included; the source is
None for the dataset itself."""


@dataclass(frozen=True, slots=True)
class Evaluators(Generic[R]):
    """Makes functions of rows; `read` makes the one that gives a column's value, of its type."""

    read: Callable[[Column], Callable[[R], Value]]
    moment: Moment

    def scalar(self, tree: Bound) -> Callable[[R], Value]:
        """The value of a tree on a row; EvaluationError (RUN_001) on overflow. A row must not
        change while it is being evaluated."""
        return function_of(tree, self.read, self.moment, {})

    def condition(self, tree: Bound | None) -> Callable[[R], bool]:
        """Whether a selector, or none, picks a row."""
        if tree is None:
            return lambda _: True
        value = self.scalar(tree)
        return lambda row: value(row) is True

    def aggregate(self, tree: Bound) -> Callable[[Sequence[R]], Value]:
        """The value of a tree with aggregates on the rows of one group; a column outside an
        aggregate is a group key, the same on every row. All aggregates are evaluated, needed or
        not."""
        nodes = [part for part in walk(tree) if isinstance(part, Aggregate)]
        aggregates = [self._aggregate(node) for node in nodes]
        known = {id(node): operator.itemgetter(i + 1) for i, node in enumerate(nodes)}

        def read_key(column: Column) -> Function:
            of_row = self.read(column)
            return lambda group: of_row(group[0])

        result = function_of(tree, read_key, self.moment, known)

        def value(rows: Sequence[R]) -> Value:
            return result((rows[0] if rows else None, *(each(rows) for each in aggregates)))

        return value

    def _aggregate(self, node: Aggregate) -> Callable[[Sequence[R]], Value]:
        taken, combined = self.taken(node), combination(node)
        return lambda rows: combined([each for each in map(taken, rows) if each is not None])

    def taken(self, node: Aggregate) -> Callable[[R], Any]:
        """What an aggregate takes of a row; None where it leaves the row out: for a NULL, except by
        COUNT(*), and by MIN_BY and MAX_BY for an order that is NULL."""
        if node.argument is None:
            return lambda _: True
        argument = self.scalar(node.argument)
        if node.by is None:
            return argument
        order = self.scalar(node.by)

        def pair(row: R) -> tuple[Value, Value] | None:
            by = order(row)
            return None if by is None else (by, argument(row))

        return pair


def combination(node: Aggregate) -> Callable[[Sequence[Any]], Value]:
    """What an aggregate makes of all that it took; of nothing, counts are 0 and the rest is
    NULL."""
    count, combined = _COUNTS.get(node.function), _AGGREGATES.get(node.function)
    kind = node.type if node.argument is None else node.argument.type

    def value(values: Sequence[Any]) -> Value:
        if count is not None:
            return count(values)
        if not values or combined is None:
            return None
        return fit(combined(values, kind), node.type)

    return value


def up_to_each(node: Aggregate, taken: Sequence[Any]) -> Callable[[int], Sequence[Any]]:
    """Of what an aggregate took of rows in an order, with None for those left out: what stands for
    all of it up to each place, and no more of that than it needs."""
    kept = [each for each in taken if each is not None]
    counts = list(accumulate(int(each is not None) for each in taken))
    of_floats = node.argument is not None and node.argument.type.kind is t.Kind.FLOAT
    fold = None if node.function == "SUM" and of_floats else _FOLDS.get(node.function)
    if node.function == "COUNT":
        return lambda i: range(counts[i])
    if fold is None:
        return lambda i: kept[: counts[i]]
    folded = list(accumulate(kept, fold))
    return lambda i: folded[counts[i] - 1 : counts[i]]


def evaluate(tree: Bound, row: Row, moment: Moment) -> Value:
    """The value of a scalar tree on one row."""
    return Evaluators(_cell, moment).scalar(tree)(row)


def evaluate_aggregate(tree: Bound, rows: Sequence[Row], moment: Moment) -> Value:
    """The value of a tree with aggregates on the rows of one group."""
    return Evaluators(_cell, moment).aggregate(tree)(rows)


def _cell(column: Column) -> Callable[[Row], Value]:
    key, kind = (column.source, column.name), column.type
    return lambda row: fit(row[key], kind)


def _sum(values: Sequence[Any], kind: t.Type) -> Decimal | float:
    """Only the final sum of decimals must fit. A sum of floats is rounded once, unless infinity is
    in it or comes up on the way."""
    if kind.kind is t.Kind.FLOAT:
        try:
            return math.fsum(values)
        except (OverflowError, ValueError):
            return reduce(operator.add, values, 0.0)
    return reduce(EXACT.add, values, Decimal())


def _mean(values: Sequence[Any], kind: t.Type) -> Decimal | float:
    """The sum divided by the count, rounded once, half up; as in Spark, the sum itself must fit
    what SUM would give."""
    total = _sum(values, kind)
    if not isinstance(total, Decimal):
        return total / len(values)
    room = t.decimal(min(kind.precision + 10, t.MAX_PRECISION), kind.scale)
    fit(total, room)
    return EXACT.divide(total, Decimal(len(values)))


def _chosen(
    best: Callable[..., Value], pairs: Sequence[tuple[Value, Value]]
) -> tuple[Value, Value]:
    """The best order and the value beside it; of several the least."""
    order = best(*(order for order, _ in pairs))
    values = [v for o, v in pairs if in_order(o) == in_order(order) and v is not None]
    return order, least(*values) if values else None


_COUNTS: dict[str, Callable[[Sequence[Value]], int]] = {
    "COUNT": len,
    "COUNT_DISTINCT": lambda values: len(set(map(in_order, values))),
}

_AGGREGATES: dict[str, Callable[[Sequence[Any], t.Type], Value]] = {
    "SUM": _sum,
    "AVG": _mean,
    "MIN_AGG": lambda values, _: least(*values),
    "MAX_AGG": lambda values, _: greatest(*values),
    "MIN_BY": lambda pairs, _: _chosen(least, pairs)[1],
    "MAX_BY": lambda pairs, _: _chosen(greatest, pairs)[1],
}

_FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "SUM": EXACT.add,
    "MIN_AGG": least,
    "MAX_AGG": greatest,
    "MIN_BY": lambda *pairs: _chosen(least, pairs),
    "MAX_BY": lambda *pairs: _chosen(greatest, pairs),
}
"""Where the value of more rows follows from that of fewer and one row: of decimals, not floats."""
