"""A small ledger to bind expressions against, and readable forms of trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import Binding, bind
from rowbook.expressions.faults import ExpressionError, Fault
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.selectors import read_selectors
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse

LEDGER = Table.of(
    (
        Field("code", t.STRING, nullable=False),
        Field("note", t.STRING),
        Field("lines", t.INTEGER, nullable=False),
        Field("days", t.INTEGER),
        Field("amount", t.decimal(18, 2), nullable=False),
        Field("rate", t.decimal(12, 6)),
        Field("wide", t.decimal(38, 10), nullable=False),
        Field("weight", t.FLOAT, nullable=False),
        Field("share", t.FLOAT),
        Field("posted", t.BOOLEAN, nullable=False),
        Field("paid", t.BOOLEAN),
        Field("booked", t.DATE, nullable=False),
        Field("due", t.DATE),
        Field("made", t.TIMESTAMP, nullable=False),
        Field("seen", t.TIMESTAMP),
        Field("_source_dataset_id", t.STRING, nullable=False),
        Field("_period", t.STRING),
    )
)
"""One column of each type that is never NULL, and one that may be."""

RATES = Table.of((Field("currency", t.STRING, nullable=False), Field("factor", t.decimal(18, 8))))
ACCOUNTS = Table.of((Field("code", t.STRING, nullable=False), Field("kind", t.STRING)))

SCOPE = Scope(LEDGER, "gl", {"rates": RATES, "accounts": ACCOUNTS})
BY_CODE = replace(SCOPE, keys=frozenset({"code", "booked"}))
"""An aggregation that groups by code and booked."""


def with_selectors(scope: Scope = SCOPE, /, **texts: str) -> Scope:
    """The scope in a project with these named selectors."""
    return replace(scope, selectors=read_selectors(texts))


def fault_of(text: str) -> Fault:
    """The one fault that keeps a text from parsing."""
    try:
        parse(text)
    except ExpressionError as error:
        (fault,) = error.faults
        return fault
    raise AssertionError(f"{text[:80]!r} parses")


def bound(text: str, scope: Scope = SCOPE) -> Binding:
    """The binding of an expression that has no faults, not even warnings."""
    binding = bind(text, scope)
    assert binding.faults == ()
    return binding


def codes(text: str, scope: Scope = SCOPE) -> list[str]:
    """The codes of everything found in an expression, in order."""
    return [fault.code for fault in bind(text, scope).faults]


def marked(text: str, fault: Fault, selectors: Mapping[str, str] | None = None) -> str:
    """The part of the text that a fault points at."""
    where = text if fault.within is None else (selectors or {})[fault.within]
    return where[fault.span.start : fault.span.end]


def says(actual: str | None, part: str | None) -> bool:
    """Whether a message or hint contains the part; None means that there is none."""
    return actual is part if actual is None or part is None else part in actual


def shape(value: object) -> object:
    """A tree as nested tuples without spans, where 1, 1.0 and TRUE are three different values."""
    if is_dataclass(value):
        inner = [getattr(value, f.name) for f in fields(value) if f.name != "span"]
        return (type(value).__name__, *map(shape, inner))
    if isinstance(value, tuple):
        return tuple(map(shape, value))
    return (type(value).__name__, str(value))


def grouped(node: n.Node) -> str:
    """The expression with parentheses around every operator, to see what binds what."""
    match node:
        case n.Negate(operand):
            return f"(-{grouped(operand)})"
        case n.Not(operand):
            return f"(NOT {grouped(operand)})"
        case n.Binary(op, left, right):
            return f"({grouped(left)} {op} {grouped(right)})"
        case n.Logical(op, operands):
            return f"({f' {op} '.join(map(grouped, operands))})"
        case n.IsNull(operand, negated):
            return f"({grouped(operand)} IS{' NOT' * negated} NULL)"
        case n.In(operand, items, negated):
            listed = ", ".join(map(grouped, items))
            return f"({grouped(operand)}{' NOT' * negated} IN [{listed}])"
        case n.Between(operand, low, high, negated):
            span = f"{grouped(low)}..{grouped(high)}"
            return f"({grouped(operand)}{' NOT' * negated} BETWEEN {span})"
        case n.Like(operand, pattern, negated):
            return f"({grouped(operand)}{' NOT' * negated} LIKE {grouped(pattern)})"
        case n.Case(branches, otherwise):
            whens = "".join(f" {grouped(c)}: {grouped(v)}," for c, v in branches)
            return f"CASE[{whens} else {grouped(otherwise) if otherwise else 'nothing'}]"
        case n.Call(function, arguments, star):
            return f"{function}[{'*' if star else ', '.join(map(grouped, arguments))}]"
        case n.Literal(value):
            return repr(value) if isinstance(value, str) else str(value)
        case n.Name():
            return node.text
        case n.Selector(name):
            return f"<{name}>"
