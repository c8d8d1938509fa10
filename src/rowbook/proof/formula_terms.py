"""One formula taken apart into terms, as far as it is a sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rowbook.expressions.bound import (
    Aggregate,
    Bound,
    Call,
    Choice,
    Column,
    Constant,
    Convert,
    Parameter,
    Position,
    parts,
    walk,
)
from rowbook.expressions.bound_text import branch_of, rule_text
from rowbook.expressions.functions import OF_RUN
from rowbook.expressions.types import Kind
from rowbook.expressions.values import EvaluationError, Value, in_order
from rowbook.planning.steps import AggregateStep, AppendStep, UpdateStep, Window
from rowbook.proof.replay import Member, ReplayStep
from rowbook.proof.rule_slices import RuleSlice
from rowbook.proof.terms import PartTerms, Term, exact
from rowbook.reference.group_windows import in_window_order
from rowbook.reference.groups import group_rows
from rowbook.reference.working_rows import seen
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.proof.term_finder import TermFinder

_NEAR = Fraction(1, 10**9)
"""How far sums of floats may be off, for one of the sum."""
_EXTREMES = {
    "MIN_AGG": "smallest value",
    "MAX_AGG": "largest value",
    "MIN_BY": "smallest order",
    "MAX_BY": "largest order",
}


@dataclass(frozen=True, slots=True)
class Formula:
    """`own` is the row whose formula it is, as the operation `each` sees it; `terms_of` gives those
    of a column of it, and `group` are the rows that aggregates are of."""

    finder: TermFinder
    own: Member
    each: ReplayStep
    terms_of: Callable[[Column], list[Term]]
    group: Sequence[Member] = ()

    def value(self, tree: Bound) -> Value:
        evaluators = self.finder.replay.environment.evaluators
        try:
            if any(isinstance(part, Aggregate) for part in walk(tree)):
                return evaluators.aggregate(tree)([member.row for member in self.group])
            return evaluators.scalar(tree)(self.own.row)
        except EvaluationError:
            return None

    def terms(self, tree: Bound) -> list[Term] | None:
        """Their sum is the value; None where it is no sum."""
        held = self.value(tree)
        value = exact(held)
        if value is None:
            return [] if held is None else None
        match tree:
            case Column(None):
                return self.terms_of(tree)
            case Column():
                return self._other_column(tree, value)
            case Constant() | Parameter():
                return [Term(value, line="constant")] if value else []
            case Convert(operand):
                return _with_rounding(self.terms(operand), value, tree)
            case Choice():
                return self.terms(branch_of(tree, self.value))
            case Aggregate():
                return self._aggregate(tree, value)
            case Call():
                return self._call(tree, value)
        return None

    def witnesses(self, tree: Bound) -> list[Term] | None:
        """Of a text, a date, a truth value: the rows that gave it."""
        match tree:
            case Column(None):
                return self.terms_of(tree)
            case Convert(operand):
                return self.witnesses(operand)
            case Choice():
                return self.witnesses(branch_of(tree, self.value))
            case Aggregate():
                return self._witness_terms(tree, Fraction())
            case Constant() | Parameter():
                return []
        return None

    def pieces(self, tree: Bound) -> list[PartTerms]:
        """The parts of a formula that is no sum, each taken apart for itself."""
        found: dict[str, PartTerms] = {}
        waiting = [tree]
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, Aggregate | Column):
                terms = self.terms(node)
                if terms and any(term.sources for term in terms):
                    piece = PartTerms(rule_text(node), self.value(node), tuple(terms))
                    found.setdefault(piece.formula, piece)
            elif isinstance(node, Choice):
                waiting.insert(0, branch_of(node, self.value))
            else:
                waiting[:0] = parts(node)
        return list(found.values())

    def _call(self, call: Call, value: Fraction) -> list[Term] | None:
        function, arguments = call.function, call.arguments
        if function in OF_RUN:
            return [Term(value, line="constant")]
        match function, arguments:
            case "+", (left, right):
                return _both(self.terms(left), self.terms(right))
            case "-", (left, right):
                return _both(self.terms(left), _scaled(self.terms(right), Fraction(-1)))
            case "NEGATE", (operand,):
                return _scaled(self.terms(operand), Fraction(-1))
            case "*", (left, right):
                return self._product(left, right, call, value)
            case "/", (left, right):
                divisor = exact(self.value(right)) if self._is_factor(right) else None
                if divisor:
                    return _with_rounding(_scaled(self.terms(left), 1 / divisor), value, call)
            case (("ROUND" | "TO_DECIMAL" | "TO_INTEGER"), (operand, *_)):
                if exact(self.value(operand)) is not None:
                    return _with_rounding(self.terms(operand), value, call)
            case (("REQUIRE" | "NULLIF"), (operand, *_)):
                return self.terms(operand)
            case (("COALESCE" | "LEAST" | "GREATEST" | "MIN" | "MAX"), _):
                return self.terms(next(e for e in arguments if exact(self.value(e)) == value))
        return None

    def _product(self, left: Bound, right: Bound, call: Call, value: Fraction) -> list[Term] | None:
        for one, other in ((left, right), (right, left)):
            factor = exact(self.value(other)) if self._is_factor(other) else None
            if factor is not None:
                return _with_rounding(_scaled(self.terms(one), factor), value, call)
        return None

    def _is_factor(self, tree: Bound) -> bool:
        """Whether no row that is summed stands behind it: constants, and what joins found."""
        joins = {join.alias for join in self.each.step.joins}
        return not any(
            isinstance(part, Aggregate) or (isinstance(part, Column) and part.source not in joins)
            for part in walk(tree)
        )

    def _other_column(self, column: Column, value: Fraction) -> list[Term] | None:
        """Of a join the row that it found, of a window the rows that count for this one."""
        step, row = self.each.step, self.own.row
        for join in step.joins:
            if join.alias == column.source:
                found = self.finder.replay.joined_source(join.dataset, row[join.alias])
                return [Term(value, (found,) if found else ())]
        for window in step.windows if isinstance(step, UpdateStep) else ():
            if window.alias == column.source:
                return self._window(window, column.name)
        return None

    def _window(self, window: Window, column: str) -> list[Term] | None:
        """None where its own columns, or its place in an order, are mixed with the others'."""
        tree = next(each.expression for each in window.values if each.column == column)
        if any(isinstance(part, Position) for part in walk(tree)) or _has_own_columns(tree):
            return None
        return replace(self, group=self._window_members(window)).terms(tree)

    def _window_members(self, window: Window) -> list[Member]:
        each, number = self.each, self.own.life
        numbers = {id(row): n for n, (_, row) in each.outcomes.items()}
        rows = [row for _, row in each.outcomes.values()]
        keys = [tuple(seen(row[None][key]) for key in window.keys) for row in rows]
        groups = group_rows(rows, keys).values()
        group = next(g for g in groups if any(numbers[id(row)] == number for row in g))
        ordered = in_window_order(group, window)
        if window.order:
            place = next(i for i, row in enumerate(ordered) if numbers[id(row)] == number)
            ordered = ordered[: place + 1]
        counts = self.finder.replay.environment.evaluators.condition(window.selector)
        return [Member(row, numbers[id(row)]) for row in ordered if counts(row)]

    def _aggregate(self, node: Aggregate, value: Fraction) -> list[Term] | None:
        taken = self.finder.replay.environment.evaluators.taken(node)
        values = [(member, taken(member.row)) for member in self.group]
        for member, held in values:
            if held is None:
                self._note_idle(member, "its value is NULL")
        counted = [member for member, held in values if held is not None]
        match node.function:
            case "COUNT":
                return [self._together([member], Fraction(1)) for member in counted]
            case "COUNT_DISTINCT":
                keys = [(held,) for _, held in values if held is not None]
                groups = group_rows(counted, keys).values()
                return [self._together(group, Fraction(1)) for group in groups]
            case "SUM" | "AVG":
                if any(held is not None and exact(held) is None for _, held in values):
                    return None
                share = Fraction(1, len(counted)) if node.function == "AVG" else Fraction(1)
                terms = [term for member in counted for term in self._member_terms(node, member)]
                return _with_rounding(_scaled(terms, share), value, node)
        return self._witness_terms(node, value)

    def _witness_terms(self, node: Aggregate, value: Fraction) -> list[Term] | None:
        """Of the smallest or the largest: the rows that have it. One that is a summary is taken
        apart; several stand together."""
        if node.argument is None or node.function not in _EXTREMES:
            return None
        chosen = self._with_value(self.group, node.argument, self.value(node))
        if node.by is not None:
            extreme = Aggregate(f"{node.function[:3]}_AGG", node.by, node.by.type, True)
            chosen = self._with_value(chosen, node.by, self.value(extreme))
        among = set(map(id, chosen))
        for member in self.group:
            if id(member) not in among:
                self._note_idle(member, f"another row has the {_EXTREMES[node.function]}")
        if len(chosen) == 1:
            return self._member_terms(node, chosen[0])
        return [self._together(chosen, value)] if chosen else []

    def _with_value(self, members: Sequence[Member], tree: Bound, value: Value) -> list[Member]:
        of_row, wanted = self.finder.replay.environment.evaluators.scalar(tree), in_order(value)
        return [member for member in members if in_order(of_row(member.row)) == wanted]

    def _member_terms(self, node: Aggregate, member: Member) -> list[Term]:
        """What one row of the group adds."""
        assert node.argument is not None
        terms = self.finder.expression(node.argument, member, self.each)
        slice_ = self._key_slice(member)
        return [replace(term, slice=term.slice | slice_) for term in terms]

    def _together(self, members: Sequence[Member], amount: Fraction) -> Term:
        """One term of several rows; a row that is counted as one, whatever it is made of."""
        sources = {s.key: s for member in members for s in self.finder.member_sources(member)}
        slice_ = RuleSlice()
        for member in members:
            slice_ |= self._key_slice(member)
        life = members[0].life if len(members) == 1 else None
        path = self.finder.own_path(life)
        return Term(amount, tuple(sources.values()), slice_, path, life=life, index=self.each.index)

    def _key_slice(self, member: Member) -> RuleSlice:
        """Of what put a row into the group; a window's rows stay where they are."""
        step, life = self.each.step, self.own.life
        if not isinstance(step, AggregateStep | AppendStep) or life is None:
            return RuleSlice()
        return self.finder.key_slice(member, self.each, self.finder.replay.lives[life].birth.keys)

    def _note_idle(self, member: Member, reason: str) -> None:
        for source in self.finder.member_sources(member):
            self.finder.notes.idle[source.key] = reason, self.each.step.seq


def _has_own_columns(tree: Bound) -> bool:
    """Whether it reads columns outside of its aggregates."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Column):
            return True
        waiting += () if isinstance(node, Aggregate) else parts(node)
    return False


def _with_rounding(terms: list[Term] | None, value: Fraction, tree: Bound) -> list[Term] | None:
    """With what rounding added; floats round always, and nobody adds them up by hand."""
    if terms is None:
        return None
    missing = value - sum((term.amount for term in terms), Fraction())
    if tree.type.kind is Kind.FLOAT and abs(missing) <= _NEAR * max(Fraction(1), abs(value)):
        return terms
    return [*terms, Term(missing, line="rounding")] if missing else terms


def _both(left: list[Term] | None, right: list[Term] | None) -> list[Term] | None:
    return None if left is None or right is None else [*left, *right]


def _scaled(terms: list[Term] | None, factor: Fraction) -> list[Term] | None:
    if terms is None or factor == 1:
        return terms
    return [replace(term, amount=term.amount * factor) for term in terms]
