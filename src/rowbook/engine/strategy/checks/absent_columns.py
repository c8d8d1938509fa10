"""What follows from columns that rows do not have, where they are NULL, or surely have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce

from rowbook.engine.strategy.step_analysis import own_columns
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.functions import FUNCTIONS, Nulls
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import UpdateStep

_SEQ = "_operation_seq"
_STRICT = frozenset(
    {"+", "-", "*", "/", "%", "NEGATE", "NOT", "LIKE", "=", "<>", "<", "<=", ">", ">="}
    | {name for name, function in FUNCTIONS.items() if function.nulls is Nulls.PROPAGATE}
)


def never_holds(condition: Bound, known: Collection[str]) -> bool:
    """Whether it is surely not TRUE on rows that have nothing but the known columns."""
    match condition:
        case bound.Call("AND", arguments):
            return any(never_holds(each, known) for each in arguments)
        case bound.Call("OR", arguments):
            return all(never_holds(each, known) for each in arguments)
        case bound.Call("NOT", (bound.Call("ISNULL", (operand,)),)):
            return _is_null(operand, known)
        case _:
            return _is_null(condition, known)


def _is_null(node: Bound, known: Collection[str]) -> bool:
    match node:
        case bound.Column(None, name):
            return name not in known
        case bound.Constant(value):
            return value is None
        case bound.Convert(operand) | bound.OneOf(operand):
            return _is_null(operand, known)
        case bound.Call(function, arguments):
            return function in _STRICT and any(_is_null(each, known) for each in arguments)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class RowsBefore:
    """Visible rows before some operation: their columns, and those that have a value on all of them
    but such as were added after the operation that is `given`, where they have none."""

    known: frozenset[str]
    given: Mapping[str, int] = field(default_factory=dict)
    sure: frozenset[str] = frozenset()
    """Columns that have a value on all of them, whoever added them."""

    def told(self, tree: Bound) -> Bound:
        """An expression as it is for these rows: it reads no column just to find it NULL or not."""
        return bound.rewritten(tree, self._instead)

    def chosen(self, selector: Bound | None) -> Bound | None:
        """A selector as it is for these rows; None where it surely holds on all of them."""
        parts = [] if selector is None else bound.conjuncts(selector)
        asked = [self.told(each) for each in parts if not self._holds(each)]
        return reduce(_both, asked) if asked else None

    def _holds(self, part: Bound) -> bool:
        match part:
            case bound.Call("ISNULL", (operand,)):
                return _is_null(operand, self.known)
            case bound.Call("NOT", (bound.Call("ISNULL", (bound.Column(None, name),)),)):
                return name in self.sure
            case _:
                return False

    def _instead(self, part: Bound) -> Bound | None:
        match part:
            case bound.Call("ISNULL", (bound.Column(None, name),)) if name in self.given:
                return _added_after(self.given[name])
            case bound.Column(None, name) if name not in self.known:
                return bound.Constant(None, part.type)
            case _:
                return None


def _both(a: Bound, b: Bound) -> Bound:
    return bound.Call("AND", (a, b), t.BOOLEAN, nullable=a.nullable or b.nullable)


def _added_after(seq: int) -> Bound:
    added_by = bound.Column(None, _SEQ, t.INTEGER, nullable=True)
    later = bound.Call(">", (added_by, bound.Constant(seq, t.INTEGER)), t.BOOLEAN, nullable=True)
    otherwise = bound.Constant(False, t.BOOLEAN)
    return bound.Call("COALESCE", (later, otherwise), t.BOOLEAN, nullable=False)


def never_null(plan: ProjectPlan) -> frozenset[str]:
    """Columns that selectors ask for NULL, which they are on no row of the input, whatever
    operations do."""
    if plan.input.unpivot is not None:
        return frozenset()
    selectors = (step.selector for step in plan.steps if step.selector is not None)
    asked = {
        part.arguments[0]
        for selector in selectors
        for part in bound.walk(selector)
        if isinstance(part, bound.Call) and part.function == "ISNULL"
    }
    updates = (step for step in plan.steps if isinstance(step, UpdateStep))
    set_by_some = {each.column for step in updates for each in step.assignments}
    declared = {each.name for each in plan.input.business if not each.nullable}
    return frozenset(own_columns(asked) & declared - set_by_some)


def asked_of_added(tree: Bound, columns: Collection[str]) -> Bound:
    """An expression that asks nothing but rows that were added whether these columns are NULL: of
    all others it need not read them to find that they are not."""

    def instead(part: Bound) -> Bound | None:
        match part:
            case bound.Call("ISNULL", (bound.Column(None, name),)) if name in columns:
                seq = bound.Column(None, _SEQ, t.INTEGER, nullable=True)
                of_input = bound.Call("ISNULL", (seq,), t.BOOLEAN, nullable=False)
                added = bound.Call("NOT", (of_input,), t.BOOLEAN, nullable=False)
                return bound.Call("AND", (added, part), t.BOOLEAN, nullable=False)
            case _:
                return None

    return bound.rewritten(tree, instead)
