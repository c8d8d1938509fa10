"""Unbound expression trees, as the parser makes them: what was written, and where.

Spans are positions in the expression's text and take no part in equality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from decimal import Decimal
from typing import Literal as OneOf
from typing import NamedTuple, TypeAlias

from rowbook.value_class import dataclass


class Span(NamedTuple):
    """[start, end) in the expression's text."""

    start: int
    end: int


NOWHERE = Span(0, 0)

LiteralValue: TypeAlias = str | int | Decimal | bool | None
ArithmeticOp: TypeAlias = OneOf["+", "-", "*", "/", "%"]
ComparisonOp: TypeAlias = OneOf["=", "<>", "<", "<=", ">", ">="]
LogicalOp: TypeAlias = OneOf["AND", "OR"]


@dataclass(frozen=True, slots=True)
class Literal:
    value: LiteralValue
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    qualifier: str | None
    column: str
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def text(self) -> str:
        return f"{self.qualifier}.{self.column}" if self.qualifier else self.column


@dataclass(frozen=True, slots=True)
class Selector:
    """`{{NAME}}`: the named selector, as a sub-expression."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Negate:
    operand: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    op: ArithmeticOp | ComparisonOp
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Logical:
    """A whole chain of ANDs or of ORs, however long: a chain is not depth."""

    op: LogicalOp
    operands: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class IsNull:
    operand: Node
    negated: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class In:
    operand: Node
    items: tuple[Node, ...]
    negated: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Between:
    operand: Node
    low: Node
    high: Node
    negated: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Like:
    operand: Node
    pattern: Node
    negated: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function call; `star` is the `*` of COUNT(*). The function's name is in upper case."""

    function: str
    arguments: tuple[Node, ...]
    star: bool = False
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def name(self) -> Name:
        """The function's name alone, where it stands."""
        return Name(
            None, self.function, Span(self.span.start, self.span.start + len(self.function))
        )


Node: TypeAlias = (
    Literal
    | Name
    | Selector
    | Negate
    | Not
    | Binary
    | Logical
    | IsNull
    | In
    | Between
    | Like
    | Case
    | Call
)


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Literal() | Name() | Selector():
            return ()
        case Negate(operand) | Not(operand) | IsNull(operand):
            return (operand,)
        case Binary(_, left, right) | Like(left, right):
            return (left, right)
        case Logical(_, operands):
            return operands
        case In(operand, items):
            return (operand, *items)
        case Between(operand, low, high):
            return (operand, low, high)
        case Case(branches, otherwise):
            flat = tuple(part for branch in branches for part in branch)
            return flat if otherwise is None else (*flat, otherwise)
        case Call(_, arguments):
            return arguments


def walk(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(children(current)))


def with_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node, with each part that stands right below it changed."""
    match node:
        case Literal() | Name() | Selector():
            return node
        case Negate(operand) | Not(operand) | IsNull(operand):
            return replace(node, operand=change(operand))
        case Binary(_, left, right):
            return replace(node, left=change(left), right=change(right))
        case Like(operand, pattern):
            return replace(node, operand=change(operand), pattern=change(pattern))
        case Logical(_, operands):
            return replace(node, operands=tuple(map(change, operands)))
        case In(operand, items):
            return replace(node, operand=change(operand), items=tuple(map(change, items)))
        case Between(operand, low, high):
            return replace(node, operand=change(operand), low=change(low), high=change(high))
        case Case(branches, otherwise):
            changed = tuple((change(condition), change(value)) for condition, value in branches)
            last = None if otherwise is None else change(otherwise)
            return replace(node, branches=changed, otherwise=last)
        case Call(_, arguments):
            return replace(node, arguments=tuple(map(change, arguments)))
