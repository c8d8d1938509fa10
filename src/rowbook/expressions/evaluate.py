"""Bound trees evaluated in plain Python: decides the rules of resolvers before Spark starts, and is
the second opinion the engine is tested against.

What an expression does not need is not evaluated, so it cannot fail: AND stops at the first FALSE,
OR at the first TRUE, IN at the first match, COALESCE at the first value, CASE takes the conditions
in order and one branch only, and every other function stops at its first NULL argument.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial, reduce
from typing import Any, TypeAlias, assert_never

from rowbook.expressions import types as t
from rowbook.expressions.bound import (
    Aggregate,
    Bound,
    Call,
    Choice,
    Column,
    Constant,
    Convert,
    OneOf,
    walk,
)
from rowbook.expressions.scalars.numbers import greatest, least
from rowbook.expressions.scalars.table import SCALARS
from rowbook.expressions.values import EXACT, EvaluationError, Value, converted, fit, in_order

__all__ = ["EvaluationError", "Moment", "Row", "Value", "evaluate", "evaluate_aggregate"]

Row: TypeAlias = Mapping[tuple[str | None, str], Value]
"""The values of columns by (source, name), of the columns' types, NULLs included; the source is
None for the dataset itself."""

Steps: TypeAlias = Generator[Bound, Value, Value]
"""Asks for the values of parts, one at a time, and returns the value of the whole."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the clock and the run say: the run's start and its period's identifier."""

    now: datetime
    period: str


def evaluate(tree: Bound, row: Row, moment: Moment) -> Value:
    """The value of a scalar tree on a row; EvaluationError (RUN_001) on overflow."""
    return _run(tree, row, moment, {})


def evaluate_aggregate(tree: Bound, rows: Sequence[Row], moment: Moment) -> Value:
    """The value of a tree with aggregates on the rows of one group; a column outside an aggregate
    is a group key, the same on every row. All aggregates are evaluated, needed or not."""
    aggregates = {
        id(part): _aggregated(part, rows, moment)
        for part in walk(tree)
        if isinstance(part, Aggregate)
    }
    return _run(tree, rows[0] if rows else {}, moment, aggregates)


def _run(tree: Bound, row: Row, moment: Moment, known: dict[int, Value]) -> Value:
    """Without recursion, since a tree may be deeper than Python's stack; and a part that a tree
    holds in several places (as BETWEEN its operand) once, since they may double at every level."""
    if id(tree) in known:
        return known[id(tree)]
    waiting = [(tree, _steps(tree, row, moment))]
    answer: Value = None
    while waiting:
        node, steps = waiting[-1]
        try:
            part = steps.send(answer)
        except StopIteration as done:
            answer = known[id(node)] = done.value
            waiting.pop()
            continue
        if id(part) in known:
            answer = known[id(part)]
        else:
            waiting.append((part, _steps(part, row, moment)))
            answer = None
    return answer


def _steps(node: Bound, row: Row, moment: Moment) -> Steps:
    match node:
        case Constant(literal, kind):
            return fit(literal, kind)
        case Column(source, name, kind):
            return fit(row[source, name], kind)
        case Convert(operand, kind):
            return converted((yield operand), kind)
        case Choice(branches, otherwise):
            for condition, result in branches:
                if (yield condition) is True:
                    return (yield result)
            return (yield otherwise)
        case OneOf(operand, items):
            return (yield from _one_of(operand, items))
        case Call(function, arguments, kind):
            if function in _OF_MOMENT:
                return _OF_MOMENT[function](moment)
            if function in _WITH_NULLS:
                return (yield from _WITH_NULLS[function](arguments))
            values: list[Value] = []
            for argument in arguments:
                value = yield argument
                if value is None:
                    return None
                values.append(value)
            return fit(SCALARS[function](*values), kind)
        case Aggregate(function):
            raise TypeError(f"{function} is evaluated over rows: use evaluate_aggregate")
        case _:
            assert_never(node)


def _one_of(operand: Bound, items: tuple[Bound, ...]) -> Steps:
    """As SQL: NULL where nothing matches and the operand or an item is NULL."""
    sought = yield operand
    if sought is None:
        return None
    saw_null = False
    for item in items:
        value = yield item
        if value is None:
            saw_null = True
        elif in_order(value) == in_order(sought):
            return True
    return None if saw_null else False


def _logical(decisive: bool, operands: tuple[Bound, ...]) -> Steps:
    saw_null = False
    for operand in operands:
        value = yield operand
        if value is decisive:
            return decisive
        saw_null = saw_null or value is None
    return None if saw_null else not decisive


def _is_null(arguments: tuple[Bound, ...]) -> Steps:
    return (yield arguments[0]) is None


def _coalesce(arguments: tuple[Bound, ...]) -> Steps:
    for argument in arguments:
        value = yield argument
        if value is not None:
            return value
    return None


def _null_if(arguments: tuple[Bound, ...]) -> Steps:
    value = yield arguments[0]
    if value is None:
        return None
    other = yield arguments[1]
    return None if other is not None and in_order(value) == in_order(other) else value


_WITH_NULLS: dict[str, Callable[[tuple[Bound, ...]], Steps]] = {
    "AND": partial(_logical, False),
    "OR": partial(_logical, True),
    "ISNULL": _is_null,
    "COALESCE": _coalesce,
    "NULLIF": _null_if,
}

_OF_MOMENT: dict[str, Callable[[Moment], Value]] = {
    "NOW": lambda moment: moment.now.astimezone(UTC),
    "TODAY": lambda moment: moment.now.astimezone(UTC).date(),
    "PERIOD": lambda moment: moment.period,
}


def _aggregated(node: Aggregate, rows: Sequence[Row], moment: Moment) -> Value:
    """NULLs are left out, except by COUNT(*); of nothing, counts are 0 and the rest is NULL."""
    if node.argument is None:
        return len(rows)
    found = (evaluate(node.argument, row, moment) for row in rows)
    values: list[Value] = [value for value in found if value is not None]
    if node.function in _COUNTS:
        return _COUNTS[node.function](values)
    if not values:
        return None
    return fit(_AGGREGATES[node.function](values, node.argument.type), node.type)


def _sum(values: list[Any], kind: t.Type) -> Decimal | float:
    """Only the final sum of decimals must fit. A sum of floats is rounded once, unless infinity is
    in it or comes up on the way."""
    if kind.kind is t.Kind.FLOAT:
        try:
            return math.fsum(values)
        except (OverflowError, ValueError):
            return reduce(operator.add, values, 0.0)
    return reduce(EXACT.add, values, Decimal())


def _mean(values: list[Any], kind: t.Type) -> Decimal | float:
    """The sum divided by the count, rounded once, half up; as in Spark, the sum itself must fit
    what SUM would give."""
    total = _sum(values, kind)
    if not isinstance(total, Decimal):
        return total / len(values)
    room = t.decimal(min(kind.precision + 10, t.MAX_PRECISION), kind.scale)
    fit(total, room)
    return EXACT.divide(total, Decimal(len(values)))


_COUNTS: dict[str, Callable[[list[Value]], int]] = {
    "COUNT": len,
    "COUNT_DISTINCT": lambda values: len(set(map(in_order, values))),
}

_AGGREGATES: dict[str, Callable[[list[Value], t.Type], Value]] = {
    "SUM": _sum,
    "AVG": _mean,
    "MIN_AGG": lambda values, _: least(*values),
    "MAX_AGG": lambda values, _: greatest(*values),
}
