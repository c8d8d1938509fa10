"""Bound trees as functions of rows: the leaves first, then what is made of them.

What an expression does not need is not evaluated, so it cannot fail: AND stops at the first FALSE,
OR at the first TRUE, IN at the first match, COALESCE at the first value, CASE takes the conditions
in order and one branch only, and every other function stops at its first NULL argument.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
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
    Parameter,
    Position,
    parts,
    walk,
)
from rowbook.expressions.functions import OF_RUN
from rowbook.expressions.scalars.numbers import greatest, least
from rowbook.expressions.scalars.table import SCALARS
from rowbook.expressions.values import EvaluationError, Value, converted, fit, in_order
from rowbook.value_class import dataclass

Function: TypeAlias = Callable[[Any], Value]
"""Of a row, whatever rows are."""


@dataclass(frozen=True, slots=True)
class PeriodDays:
    """A period as expressions know it."""

    identifier: str
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Moment:
    """What the clock and the run say: the run's start, its period's identifier, and the period so
    many after its own, None where there is none."""

    now: datetime
    period: str
    period_at: Callable[[int], PeriodDays | None] = lambda _: None

    def value(self, call: Call) -> str | date | None:
        """Of a function that all rows of a run have the same value of."""
        match call.function:
            case "NOW":
                return self.now.astimezone(UTC)
            case "TODAY":
                return self.now.astimezone(UTC).date()
            case "PERIOD" if not call.arguments:
                return self.period
        found = self.period_at(_offset(call))
        if found is None:
            return None
        return found.identifier if call.function == "PERIOD" else _DAYS[call.function](found)


_DAYS: dict[str, Callable[[PeriodDays], date]] = {
    "PERIOD_START": lambda period: period.start,
    "PERIOD_END": lambda period: period.end,
}


def _offset(call: Call) -> int:
    first = call.arguments[0] if call.arguments else None
    return first.value if isinstance(first, Constant) and isinstance(first.value, int) else 0


def function_of(
    tree: Bound,
    read: Callable[[Column], Function],
    moment: Moment,
    known: Mapping[int, Function],
) -> Function:
    """`read` makes the functions of columns; `known` are those of parts that are made already. A
    part that a tree holds in several places (as BETWEEN its operand) is evaluated once a row, since
    they may double at every level."""
    made = dict(known)
    uses = Counter(id(part) for node in walk(tree) for part in parts(node))
    waiting = [tree]
    while waiting:
        node = waiting[-1]
        below = parts(node)
        missing = [] if id(node) in made else [part for part in below if id(part) not in made]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        if id(node) not in made:
            function = _node(node, [made[id(part)] for part in below], read, moment)
            made[id(node)] = _once(function) if below and uses[id(node)] > 1 else function
    return made[id(tree)]


def _once(function: Function) -> Function:
    last: list[Any] = [object(), None]

    def value(row: Any) -> Value:
        if last[0] is not row:
            last[1] = function(row)
            last[0] = row
        found: Value = last[1]
        return found

    return value


def _node(
    node: Bound, below: list[Function], read: Callable[[Column], Function], moment: Moment
) -> Function:
    match node:
        case Constant(literal, kind):
            return _constant(literal, kind)
        case Parameter(_, value):
            return partial(_same, value)
        case Column():
            return read(node)
        case Convert(_, kind):
            (operand,) = below
            return lambda row: converted(operand(row), kind)
        case Choice():
            return _choice(below)
        case OneOf(_, items):
            literals = [item.value for item in items if isinstance(item, Constant)]
            return _among(below[0], literals) if len(literals) == len(items) else _one_of(below)
        case Call(function, arguments, kind):
            if function in OF_RUN:
                return partial(_same, moment.value(node))
            if function in _WITH_NULLS:
                return _WITH_NULLS[function](below)
            holds = _COMPARISONS.get(function)
            if holds is not None and arguments[0].type.kind is not t.Kind.FLOAT:
                return _strict(holds, below)
            return _fitted(_strict(SCALARS[function], below), kind)
        case Aggregate(function) | Position(function):
            raise TypeError(f"{function} is evaluated over rows: see Evaluators")
        case _:
            assert_never(node)


def _same(value: Value, _: Any) -> Value:
    return value


def _constant(literal: Value, kind: t.Type) -> Function:
    """One that does not fit fails where it is evaluated, not before."""
    try:
        return partial(_same, fit(literal, kind))
    except EvaluationError:
        return lambda _: fit(literal, kind)


def _fitted(function: Function, kind: t.Type) -> Function:
    if kind.kind not in (t.Kind.INTEGER, t.Kind.DECIMAL):
        return function
    return lambda row: fit(function(row), kind)


def _strict(scalar: Callable[..., Value], arguments: list[Function]) -> Function:
    """NULL at the first argument that is NULL."""
    if len(arguments) == 2:
        first, second = arguments

        def of_two(row: Any) -> Value:
            a = first(row)
            if a is None:
                return None
            b = second(row)
            return None if b is None else scalar(a, b)

        return of_two

    def of_all(row: Any) -> Value:
        values: list[Value] = []
        for argument in arguments:
            value = argument(row)
            if value is None:
                return None
            values.append(value)
        return scalar(*values)

    return of_all


def _choice(below: list[Function]) -> Function:
    *branches, otherwise = below
    pairs = list(zip(branches[::2], branches[1::2], strict=True))

    def choice(row: Any) -> Value:
        for condition, result in pairs:
            if condition(row) is True:
                return result(row)
        return otherwise(row)

    return choice


def _one_of(below: list[Function]) -> Function:
    """As SQL: NULL where nothing matches and the operand or an item is NULL."""
    operand, *items = below

    def one_of(row: Any) -> Value:
        sought = operand(row)
        if sought is None:
            return None
        key, saw_null = in_order(sought), False
        for item in items:
            value = item(row)
            if value is None:
                saw_null = True
            elif in_order(value) == key:
                return True
        return None if saw_null else False

    return one_of


def _among(operand: Function, literals: Sequence[Value]) -> Function:
    """The same, of values that are written out."""
    values = frozenset(in_order(value) for value in literals if value is not None)
    otherwise = None if None in literals else False

    def among(row: Any) -> Value:
        sought = operand(row)
        if sought is None:
            return None
        return True if in_order(sought) in values else otherwise

    return among


def _logical(decisive: bool, operands: list[Function]) -> Function:
    def logical(row: Any) -> Value:
        saw_null = False
        for operand in operands:
            value = operand(row)
            if value is decisive:
                return decisive
            saw_null = saw_null or value is None
        return None if saw_null else not decisive

    return logical


def _is_null(arguments: list[Function]) -> Function:
    (argument,) = arguments
    return lambda row: argument(row) is None


def _coalesce(arguments: list[Function]) -> Function:
    def coalesce(row: Any) -> Value:
        for argument in arguments:
            value = argument(row)
            if value is not None:
                return value
        return None

    return coalesce


def _null_if(arguments: list[Function]) -> Function:
    first, second = arguments

    def null_if(row: Any) -> Value:
        value = first(row)
        if value is None:
            return None
        other = second(row)
        return None if other is not None and in_order(value) == in_order(other) else value

    return null_if


def _extreme(chosen: Callable[..., Value], arguments: list[Function]) -> Function:
    """Of the arguments that are not NULL; NULL where all are."""

    def extreme(row: Any) -> Value:
        values = [value for argument in arguments if (value := argument(row)) is not None]
        return chosen(*values) if values else None

    return extreme


def _required(arguments: list[Function]) -> Function:
    """The value: where there must be one, that is checked before (see `requirements`)."""
    return arguments[0]


_WITH_NULLS: dict[str, Callable[[list[Function]], Function]] = {
    "AND": partial(_logical, False),
    "OR": partial(_logical, True),
    "ISNULL": _is_null,
    "COALESCE": _coalesce,
    "NULLIF": _null_if,
    "LEAST": partial(_extreme, least),
    "GREATEST": partial(_extreme, greatest),
    "REQUIRE": _required,
}

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Of values that compare in Python as in the language: all but floats."""
