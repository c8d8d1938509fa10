"""What a condition says about some columns alone: TRUE wherever the whole condition is.

Parts that read other columns are taken for TRUE; where rows are told apart by what is left, none
is lost, and there may be too many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rowbook.expressions.bound import (
    Bound,
    Call,
    Choice,
    Column,
    Constant,
    Convert,
    OneOf,
    parts,
    walk,
    with_parts,
)
from rowbook.expressions.folding import FALSE, TRUE, both, either, folded, negated
from rowbook.value_class import dataclass

_DEEPEST = 150
"""Levels of ANDs, ORs and CASEs that are looked into."""

_SPLIT = frozenset({"=", "<>", "<", "<=", ">", ">=", "ISNULL", "LIKE"})


@dataclass(frozen=True, slots=True)
class Implied:
    """`exact`: the condition says nothing else. A constant where it is TRUE, or never."""

    condition: Bound
    exact: bool


def implied(condition: Bound, is_known: Callable[[Column], bool]) -> Implied:
    """Of a selector: what is not TRUE, NULL among it, is FALSE."""
    return _Reading(is_known).of(folded(condition), 0)


@dataclass(frozen=True, slots=True)
class _Reading:
    is_known: Callable[[Column], bool]

    def of(self, node: Bound, depth: int) -> Implied:
        if isinstance(node, Constant):
            return Implied(TRUE if node.value is True else FALSE, True)
        if isinstance(node, Call) and node.function in ("AND", "OR"):
            found = [self.of(part, depth + 1) for part in node.arguments]
            join = both if node.function == "AND" else either
            made = join(*(each.condition for each in found))
            return Implied(made, made == FALSE or all(each.exact for each in found))
        if all(self.is_known(part) for part in walk(node) if isinstance(part, Column)):
            return Implied(node, True)
        if depth > _DEEPEST:
            return Implied(TRUE, False)
        match node:
            case Call("NOT", (operand,)):
                return self._negated(operand, depth)
            case Call("COALESCE", (operand, Constant(False))):
                return self.of(operand, depth + 1)
            case Call("COALESCE", operands):
                return self._any([self.of(part, depth + 1) for part in operands])
            case Choice(branches, otherwise):
                return self._chosen(branches, otherwise, depth)
            case Call() | OneOf():
                return self._compared(node, depth)
        return Implied(TRUE, False)

    def _negated(self, operand: Bound, depth: int) -> Implied:
        match operand:
            case Call("NOT", (inner,)):
                return self.of(inner, depth + 1)
            case Call("AND", operands):
                return self.of(either(*map(negated, operands)), depth + 1)
            case Call("OR", operands):
                return self.of(both(*map(negated, operands)), depth + 1)
        return Implied(TRUE, False)

    def _chosen(
        self, branches: Sequence[tuple[Bound, Bound]], otherwise: Bound, depth: int
    ) -> Implied:
        """One of the branches is, with its condition."""
        taken = [self.of(both(condition, value), depth + 1) for condition, value in branches]
        return self._any([*taken, self.of(otherwise, depth + 1)])

    def _any(self, found: Sequence[Implied]) -> Implied:
        return Implied(either(*(each.condition for each in found)), False)

    def _compared(self, node: Call | OneOf, depth: int) -> Implied:
        """A comparison with what a CASE gives: with one of its values."""
        below = parts(node)
        if isinstance(node, OneOf) or node.function in _SPLIT:
            for place, part in enumerate(below):
                choice = part.operand if isinstance(part, Convert) else part
                if not isinstance(choice, Choice):
                    continue

                def with_value(value: Bound, place: int = place, part: Bound = part) -> Bound:
                    inside = with_parts(part, [value]) if isinstance(part, Convert) else value
                    return folded(with_parts(node, [*below[:place], inside, *below[place + 1 :]]))

                branches = [(c, with_value(value)) for c, value in choice.branches]
                return self._chosen(branches, with_value(choice.otherwise), depth)
        return Implied(TRUE, False)
