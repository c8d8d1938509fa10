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
_LOOKS_OFTEN = {("TO_STRING", 2): 12, ("TO_DATE", 2): 8, ("DATEDIFF", 3): 8, ("EOMONTH", 2): 4}
"""By the number of arguments: how often Spark is told the first of them."""


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
    return _times(node) > 1


def _times(node: n.Node) -> int:
    if not isinstance(node, n.Call):
        return 2 if isinstance(node, n.Between) else 1
    often = _LOOKS_OFTEN.get((node.function, len(node.arguments)))
    return often or (2 if node.function in _LOOKS_TWICE else 1)


def _weight(node: n.Node) -> int:
    below = sum(map(_weight, n.children(node)))
    return 1 + below * _times(node)
