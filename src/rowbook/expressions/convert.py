"""Implicit conversions between bound parts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.types import Kind, Type


def unknown() -> Bound:
    return bound.Constant(None, t.UNKNOWN)


def convert(node: Bound, target: Type) -> Bound:
    """The node as a value of another type; literal integers and NULLs are converted here."""
    if node.type == target or target.is_open:
        return node
    if isinstance(node, bound.Constant):
        if node.value is None:
            return bound.Constant(None, target)
        if isinstance(node.value, int) and target.kind is Kind.DECIMAL:
            return bound.Constant(Decimal(node.value), target)
    return bound.Convert(node, target)


def as_condition(node: Bound) -> Bound:
    """A bare NULL where a condition stands is a boolean."""
    return convert(node, t.BOOLEAN) if node.type.kind is Kind.NULL else node


def decimal_of(node: Bound) -> Type:
    """The decimal type a number has among decimals: a literal integer only as wide as it is."""
    if isinstance(node, bound.Constant) and isinstance(node.value, int):
        return t.decimal(len(str(abs(node.value))), 0)
    if isinstance(node, bound.Call) and node.function == "NEGATE":
        return decimal_of(node.arguments[0])
    return t.as_decimal(node.type)


def common(nodes: Sequence[Bound]) -> Type | None:
    kinds = {node.type.kind for node in nodes}
    narrow = Kind.DECIMAL in kinds and Kind.FLOAT not in kinds
    result = t.NULL
    for node in nodes:
        own = decimal_of(node) if narrow and node.type.kind is Kind.INTEGER else node.type
        wider = t.common_type(result, own)
        if wider is None:
            return None
        result = wider
    return result


def to_common(nodes: Sequence[Bound]) -> tuple[Bound, ...] | None:
    """All converted to their common type; None where there is none. Where one is faulty, nothing is
    known of the type of all."""
    target = common(nodes)
    if target is not None and any(node.type.kind is Kind.UNKNOWN for node in nodes):
        return tuple(unknown() for _ in nodes)
    return None if target is None else tuple(convert(node, target) for node in nodes)
