"""Bound expression trees: every name resolved, every type known, every conversion explicit.

What remains of operators and functions is one node, `Call`: `a IS NULL` is ISNULL, MOD is `%`,
BETWEEN an AND of two comparisons, date ± days DATEADD. Named selectors are their bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions.functions import OF_RUN
from rowbook.expressions.types import BOOLEAN, Type
from rowbook.value_class import dataclass

Value: TypeAlias = str | int | Decimal | bool | date | datetime | None


@dataclass(frozen=True, slots=True)
class Constant:
    value: Value
    type: Type

    @property
    def nullable(self) -> bool:
        return self.value is None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the project, with its value in the run; None where none is known yet, which
    only checks see. Unlike a constant's, its type does not depend on its value."""

    name: str
    value: Value | float
    type: Type

    @property
    def nullable(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `source` is the alias it comes from, None for the dataset itself."""

    source: str | None
    name: str
    type: Type
    nullable: bool


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple[Bound, ...]
    type: Type
    nullable: bool


@dataclass(frozen=True, slots=True)
class Convert:
    """An implicit conversion: integer → decimal → float, date → timestamp, or storing a decimal."""

    operand: Bound
    type: Type

    @property
    def nullable(self) -> bool:
        return self.operand.nullable


@dataclass(frozen=True, slots=True)
class OneOf:
    operand: Bound
    items: tuple[Bound, ...]
    nullable: bool
    type: Type = BOOLEAN


@dataclass(frozen=True, slots=True)
class Choice:
    """CASE; a missing ELSE is a NULL constant."""

    branches: tuple[tuple[Bound, Bound], ...]
    otherwise: Bound
    type: Type
    nullable: bool


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An aggregate function over a scalar expression; no argument is COUNT(*). `by` is what MAX_BY
    and MIN_BY choose the row by."""

    function: str
    argument: Bound | None
    type: Type
    nullable: bool
    by: Bound | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """What a row's place in the order of a window tells: ROW_NUMBER, RANK, or what an expression is
    `offset` rows before (LAG) or after (LEAD) it."""

    function: str
    argument: Bound | None
    offset: int
    type: Type
    nullable: bool = True


Bound: TypeAlias = (
    Constant | Parameter | Column | Call | Convert | OneOf | Choice | Aggregate | Position
)


def parts(node: Bound) -> tuple[Bound, ...]:
    match node:
        case Constant() | Parameter() | Column():
            return ()
        case Call(_, arguments):
            return arguments
        case Convert(operand):
            return (operand,)
        case OneOf(operand, items):
            return (operand, *items)
        case Choice(branches, otherwise):
            return (*(part for branch in branches for part in branch), otherwise)
        case Aggregate(_, argument, by=by):
            return tuple(part for part in (argument, by) if part is not None)
        case Position(_, argument):
            return () if argument is None else (argument,)


def walk(node: Bound) -> Iterator[Bound]:
    """The node and everything below it; a sub-tree that is shared comes once."""
    waiting, seen = [node], set[int]()
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting.extend(reversed(parts(current)))


def size(node: Bound) -> int:
    """How many nodes it has, written out: a sub-tree that is shared counts as often as it is
    used."""
    sizes: dict[int, int] = {}
    waiting = [node]
    while waiting:
        below = parts(waiting[-1])
        unknown = [part for part in below if id(part) not in sizes]
        if unknown:
            waiting += unknown
        else:
            sizes[id(waiting.pop())] = 1 + sum(sizes[id(part)] for part in below)
    return sizes[id(node)]


def replaced(node: Bound, values: Mapping[str, Bound]) -> Bound:
    """The expression with values in place of columns of the dataset itself."""
    return with_columns(
        node, lambda column: column if column.source else values.get(column.name, column)
    )


def with_columns(node: Bound, instead: Callable[[Column], Bound]) -> Bound:
    """The expression with what a function gives in place of each column. A sub-tree that is shared
    stays so."""

    def of(part: Bound, below: Sequence[Bound]) -> Bound:
        return instead(part) if isinstance(part, Column) else with_parts(part, below)

    return rebuilt(node, of)


def rebuilt(node: Bound, of: Callable[[Bound, Sequence[Bound]], Bound]) -> Bound:
    """The expression with what a function makes of each node and of what became of its parts; each
    sub-tree once, and none is too deep."""
    done: dict[int, Bound] = {}
    waiting = [node]
    while waiting:
        current = waiting[-1]
        below = parts(current)
        missing = [part for part in below if id(part) not in done]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        if id(current) not in done:
            done[id(current)] = of(current, [done[id(part)] for part in below])
    return done[id(node)]


def with_parts(node: Bound, below: Sequence[Bound]) -> Bound:
    """The node with other parts, in the order of `parts`."""
    if all(new is old for new, old in zip(below, parts(node), strict=True)):
        return node
    match node:
        case Constant() | Parameter() | Column():
            return node
        case Call():
            return replace(node, arguments=tuple(below))
        case Convert():
            return replace(node, operand=below[0])
        case OneOf():
            return replace(node, operand=below[0], items=tuple(below[1:]))
        case Choice():
            branches = tuple(zip(below[:-1:2], below[1::2], strict=True))
            return replace(node, branches=branches, otherwise=below[-1])
        case Aggregate(by=by):
            return replace(node, argument=below[0], by=by and below[1])
        case Position():
            return replace(node, argument=below[0])


def rewritten(node: Bound, instead: Callable[[Bound], Bound | None]) -> Bound:
    """The expression with what a function gives in place of parts, the largest first; None leaves
    one as it is, but for its own parts."""
    other = instead(node)
    if other is not None:
        return other
    return with_parts(node, [rewritten(part, instead) for part in parts(node)])


def columns(node: Bound) -> frozenset[tuple[str | None, str]]:
    """The columns it reads, as (source, name)."""
    return frozenset((c.source, c.name) for c in walk(node) if isinstance(c, Column))


def conjuncts(node: Bound) -> list[Bound]:
    if isinstance(node, Call) and node.function == "AND":
        return [part for operand in node.arguments for part in conjuncts(operand)]
    return [node]


_OF_RUNS = OF_RUN | {"REQUIRE"}


def is_literal(node: Bound) -> bool:
    """Whether its value is written in it: no columns, no clock, no aggregates, no REQUIRE."""
    return all(
        isinstance(part, Constant | Convert | Choice | OneOf)
        or (isinstance(part, Call) and part.function not in _OF_RUNS)
        for part in walk(node)
    )
