"""Types of `+ - * / %`: decimals follow Spark's rules for precision and scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.convert import convert, decimal_of, unknown
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.types import Kind, Type

if TYPE_CHECKING:
    from rowbook.expressions.binding.binder import Binder

_DATEDIFF = "DATEDIFF(end, start) gives the days between two dates"
_DAYS = {Kind.DATE, Kind.TIMESTAMP}
OPERATORS = frozenset(("+", "-", "*", "/", "%"))


def combine(binder: Binder, node: n.Binary, left: Bound, right: Bound) -> Bound:
    kinds = {left.type.kind, right.type.kind}
    if Kind.UNKNOWN in kinds:
        return unknown()
    if left.type.kind is Kind.DATE and node.op in "+-":
        return _add_days(binder, node, left, right)
    if not (left.type.is_numeric and right.type.is_numeric):
        return binder.mismatch(
            f"'{node.op}' needs numbers, not {left.type} and {right.type}",
            node,
            _hint(node.op, left.type.kind, right.type.kind),
        )
    if kinds == {Kind.NULL}:
        return bound.Constant(None, t.INTEGER)
    nullable = left.nullable or right.nullable or node.op in "/%"
    if Kind.FLOAT in kinds:
        both = convert(left, t.FLOAT), convert(right, t.FLOAT)
        return bound.Call(node.op, both, t.FLOAT, nullable)
    if Kind.DECIMAL not in kinds and node.op != "/":
        both = convert(left, t.INTEGER), convert(right, t.INTEGER)
        return bound.Call(node.op, both, t.INTEGER, nullable)
    return _decimals(binder, node, left, right, nullable)


def _decimals(binder: Binder, node: n.Binary, left: Bound, right: Bound, nullable: bool) -> Bound:
    a, b = (
        t.INTEGER_AS_DECIMAL if side.type.kind is Kind.NULL else decimal_of(side)
        for side in (left, right)
    )
    exact = exact_type(node.op, a, b)
    result = t.bounded(exact.precision, exact.scale)
    least_scale = exact.scale if node.op == "*" else max(a.scale, b.scale)
    if result.scale < least_scale:
        binder.fault(
            "EXPR_009",
            f"{a} {node.op} {b} needs {exact.precision} digits: the result keeps {result.scale} of"
            f" {exact.scale} decimal places",
            node,
            warning=True,
        )
    return bound.Call(node.op, (convert(left, a), convert(right, b)), result, nullable)


def exact_type(op: str, a: Type, b: Type) -> Type:
    """The decimal a result needs, before it is bounded to 38 digits."""
    scale = max(a.scale, b.scale)
    match op:
        case "+" | "-":
            return t.decimal(max(a.integer_digits, b.integer_digits) + scale + 1, scale)
        case "*":
            return t.decimal(a.precision + b.precision + 1, a.scale + b.scale)
        case "/":
            scale = max(6, a.scale + b.precision + 1)
            return t.decimal(a.integer_digits + b.scale + scale, scale)
        case _:
            return t.decimal(min(a.integer_digits, b.integer_digits) + scale, scale)


def _add_days(binder: Binder, node: n.Binary, left: Bound, right: Bound) -> Bound:
    if right.type.kind not in (Kind.INTEGER, Kind.NULL):
        return binder.mismatch(
            f"a date '{node.op}' takes a number of days, not {right.type}",
            node,
            _DATEDIFF if right.type.kind in _DAYS else None,
        )
    days = convert(right, t.INTEGER)
    if node.op == "-":
        days = bound.Call("NEGATE", (days,), t.INTEGER, days.nullable)
    arguments = (left, days, bound.Constant("day", t.STRING))
    return bound.Call("DATEADD", arguments, t.DATE, left.nullable or days.nullable)


def _hint(op: str, left: Kind, right: Kind) -> str | None:
    kinds = {left, right}
    if op not in "+-":
        return None
    if Kind.STRING in kinds and op == "+":
        return "CONCAT(a, b) joins texts"
    if kinds <= _DAYS:
        return _DATEDIFF
    if Kind.TIMESTAMP in kinds:
        return "days are added to dates only"
    if right is Kind.DATE and op == "+":
        return "the date stands on the left: date + 30"
    return None
