"""How wrong a row or a group is: the distance that a comparison of numbers misses by."""

from __future__ import annotations

from rowbook.expressions.binding.binder import bind_tree
from rowbook.expressions.bound import Bound
from rowbook.expressions.scope import Scope
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.types import Kind

_COMPARISONS = frozenset({"=", "<", "<=", ">", ">="})
_NUMBERS = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT})


def fault_size(that: n.Node, scope: Scope) -> Bound | None:
    """`ABS(a - b)` of a comparison, of BETWEEN the distance to the nearer bound; None where a
    condition is of another form, or compares no numbers."""
    match that:
        case n.Binary(op, left, right) if op in _COMPARISONS:
            distance: n.Node = n.Call("ABS", (_difference(left, right),))
        case n.Between(operand, low, high, negated=False):
            outside = _difference(low, operand), _difference(operand, high)
            distance = n.Call("GREATEST", outside)
        case _:
            return None
    if not all(_is_number(part, scope) for part in n.children(that)):
        return None
    binding = bind_tree(distance, scope)
    return binding.tree if binding.usable else None


def _difference(left: n.Node, right: n.Node) -> n.Node:
    return n.Binary("-", left, right)


def _is_number(node: n.Node, scope: Scope) -> bool:
    return bind_tree(node, scope).tree.type.kind in _NUMBERS
