"""How large an expression gets once it is computed: some forms need a part more than once.

BETWEEN compares its operand twice, MIN looks at each argument for NULL and for the least, and so
on. Nested in each other they double at every level, and a short text would become a plan that no
engine finishes.
"""

from __future__ import annotations

from rowbook.expressions.faults import Fault
from rowbook.expressions.selectors import MAX_EXPANDED
from rowbook.expressions.syntax import unbound as n

_LOOKS_TWICE = frozenset(
    {"NULLIF", "MIN", "MAX", "FLOOR", "CEIL", "SIGN", "POWER", "SQRT", "DATEADD"}
    | {"SUBSTRING", "SPLIT_PART", "LEFT", "RIGHT", "LPAD", "RPAD"}
    | {"DATE", "TIMESTAMP", "TO_INTEGER", "TO_DECIMAL", "TO_DATE"}
)


def too_heavy(tree: n.Node) -> Fault | None:
    """EXPR_008 for an expression whose parts would be repeated too often."""
    if sum(map(_repeats, n.walk(tree))) < 8 or _weight(tree) <= MAX_EXPANDED:
        return None
    return Fault(
        "EXPR_008",
        "functions that need their arguments twice are nested too deep in each other",
        tree.span,
        "compute the inner part in an update of its own first",
    )


def _repeats(node: n.Node) -> bool:
    return isinstance(node, n.Between) or (
        isinstance(node, n.Call) and node.function in _LOOKS_TWICE
    )


def _weight(node: n.Node) -> int:
    below = sum(map(_weight, n.children(node)))
    return 1 + below * (2 if _repeats(node) else 1)
