"""A figure as a sum of terms, each with the rows of sources behind it.

Rows that operations change one by one keep their figures for themselves, however these are
computed: a term is what such a row adds. Only where rows were mixed (a summary, a window, a row
made from a summary) is the formula itself taken apart, as far as it is a sum: by linearity, along
the branch of a CASE that was taken. What is left of it (a quotient of two sums) stays one term of
all its rows: no share is invented.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from rowbook.expressions.bound import Bound, Column, walk
from rowbook.expressions.scope import LEVEL
from rowbook.expressions.values import EvaluationError, Value
from rowbook.planning.steps import AggregateStep, AppendStep, UpdateStep
from rowbook.proof.formula_terms import Formula
from rowbook.proof.replay import Life, Member, Replay, ReplayStep, SourceKey, SourceRow
from rowbook.proof.rule_slices import RuleSlice, RuleSlices, key_trees
from rowbook.proof.terms import ENTRY, Step, Term, TermNotes, exact
from rowbook.reference.working_rows import seen


class TermFinder:
    """Takes cells of a replay apart."""

    def __init__(self, replay: Replay) -> None:
        self.replay, self.slices = replay, RuleSlices(replay)
        self.notes = TermNotes()
        self._sources: dict[int, tuple[SourceRow, ...]] = {}
        self._single: dict[int, SourceRow | None] = {}

    def cell(self, number: int, column: str, index: int, *, deep: bool = True) -> list[Term]:
        """Of a row's column, as the step at a place among the steps sees it. `deep`: parts of a
        formula that is no sum are of no interest."""
        value = self._value(number, column, index)
        if value is None:
            return []
        own = self.single_source(number)
        if own is not None:
            slice_ = self.slices.cell(number, column, index)
            if not slice_.windows:
                return [self._term(own, value, slice_, number, index)]
        writer = self.slices.writer(number, column, index)
        if writer is not None:
            step = writer.step
            assert isinstance(step, UpdateStep)
            tree = next(e.expression for e in step.assignments if e.column == column)
            member = Member(writer.outcomes[number][1], number)
            found = self.expression(tree, member, writer, deep=deep)
            made = RuleSlice(frozenset((step.seq,)))
            return [replace(term, slice=term.slice | made) for term in found]
        return self._birth(self.replay.lives[number], column, value, deep=deep)

    def single_source(self, number: int) -> SourceRow | None:
        """The one row that a row is, or was made from; None for summaries."""
        if number not in self._single:
            birth = self.replay.lives[number].birth
            member, found = birth.members[0], None
            if birth.kind in ("read", "copy"):
                found = member.source
            elif birth.kind == "entry" and member.life is not None:
                found = self.single_source(member.life)
            self._single[number] = found
        return self._single[number]

    def sources_of(self, number: int) -> tuple[SourceRow, ...]:
        """All rows that a row is made of."""
        if number not in self._sources:
            found: dict[SourceKey, SourceRow] = {}
            for member in self.replay.lives[number].birth.members:
                found |= {each.key: each for each in self.member_sources(member)}
            self._sources[number] = tuple(found.values())
        return self._sources[number]

    def member_sources(self, member: Member) -> tuple[SourceRow, ...]:
        if member.source is not None:
            return (member.source,)
        assert member.life is not None
        return self.sources_of(member.life)

    def own_path(self, number: int | None) -> tuple[Step, ...]:
        """What made a row: an append, or the summary that it is."""
        birth = None if number is None else self.replay.lives[number].birth
        if birth is None or birth.seq is None or birth.kind not in ("entry", "summary"):
            return ()
        return ((birth.seq, ENTRY if birth.kind == "entry" else birth.level),)

    def _value(self, number: int, column: str, index: int) -> Value:
        row = self.replay.row_before(number, index)
        return seen(row[column]) if column in row else None

    def _whole(
        self,
        number: int | None,
        index: int,
        sources: tuple[SourceRow, ...],
        value: Value,
        slice_: RuleSlice,
    ) -> list[Term]:
        return [Term(exact(value) or Fraction(), sources, slice_, life=number, index=index)]

    def _term(
        self, source: SourceRow, value: Value, slice_: RuleSlice, number: int, index: int
    ) -> Term:
        """What a row adds that is, or was made from, one row of a source."""
        amount, path = exact(value) or Fraction(), self.own_path(number)
        return Term(amount, (source,), slice_, path, life=number, index=index)

    def _birth(self, life: Life, column: str, value: Value, *, deep: bool) -> list[Term]:
        birth = life.birth
        assert birth.seq is not None
        each = self.replay.step_at(birth.seq)
        step, made = each.step, RuleSlice(frozenset((birth.seq,)))
        if birth.kind == "entry":
            assert isinstance(step, AppendStep)
            found = self._entry(life, step, each, column, value, deep=deep)
            path: tuple[Step, ...] = ((birth.seq, ENTRY),)
        else:
            assert isinstance(step, AggregateStep | AppendStep)
            found = self._summary(life, step, each, column, value, deep=deep)
            path = ((birth.seq, birth.level),)
        return [replace(term, slice=term.slice | made, path=(*term.path, *path)) for term in found]

    def _entry(
        self,
        life: Life,
        step: AppendStep,
        each: ReplayStep,
        column: str,
        value: Value,
        *,
        deep: bool,
    ) -> list[Term]:
        """Of a row that was made from a summary. What a spread gave it is a part of all."""
        (member,) = life.birth.members
        trees = [result.expression for result in step.results if result.column == column]
        spread = step.spread.column if step.spread else None
        read = {(c.source, c.name) for tree in trees for c in walk(tree) if isinstance(c, Column)}
        if not trees or (None, spread) in read:
            return self._whole(
                life.number, each.index, self.member_sources(member), value, RuleSlice()
            )
        return self.expression(trees[0], member, each, deep=deep)

    def _summary(
        self,
        life: Life,
        step: AggregateStep | AppendStep,
        each: ReplayStep,
        column: str,
        value: Value,
        *,
        deep: bool,
    ) -> list[Term]:
        """Of a summary row as it began."""
        assigned = step.assignments if isinstance(step, AggregateStep) else ()
        for result in assigned:
            if result.column == column:
                return self._assigned(life, step, each, result.expression, deep=deep)
        return self._result(life, step, each, column, value, deep=deep)

    def _assigned(
        self,
        life: Life,
        step: AggregateStep | AppendStep,
        each: ReplayStep,
        tree: Bound,
        *,
        deep: bool,
    ) -> list[Term]:
        """What an assignment of an aggregate reads are the totals of its row, as they were."""
        totals = self.totals(life, step)
        own = Member({None: totals}, life.number)

        def terms_of(node: Column) -> list[Term]:
            return self._result(life, step, each, node.name, seen(totals[node.name]), deep=True)

        return self._taken_apart(Formula(self, own, each, terms_of), tree, deep=deep)

    def totals(self, life: Life, step: AggregateStep | AppendStep) -> Mapping[str, Value]:
        """A summary row as its assignments see it."""
        members = [member.row for member in life.birth.members]
        row: dict[str, Value] = {**dict.fromkeys(life.row), **life.birth.keys}
        aggregate = self.replay.environment.evaluators.aggregate
        for result in step.results:
            try:
                row[result.column] = aggregate(result.expression)(members)
            except EvaluationError:
                row[result.column] = None
        return {**row, LEVEL: life.birth.level}

    def _result(
        self,
        life: Life,
        step: AggregateStep | AppendStep,
        each: ReplayStep,
        column: str,
        value: Value,
        *,
        deep: bool,
    ) -> list[Term]:
        tree = next((r.expression for r in step.results if r.column == column), None)
        if value is None:
            return []
        if tree is None:
            return self._whole(None, each.index, self.sources_of(life.number), value, RuleSlice())
        own = Member({None: {**dict.fromkeys(life.row), **life.birth.keys}}, life.number)

        def terms_of(key: Column) -> list[Term]:
            sources = self.sources_of(life.number)
            return self._whole(None, each.index, sources, life.birth.keys[key.name], RuleSlice())

        formula = Formula(self, own, each, terms_of, life.birth.members)
        return self._taken_apart(formula, tree, deep=deep)

    def expression(
        self, tree: Bound, member: Member, each: ReplayStep, *, deep: bool = True
    ) -> list[Term]:
        """Of what an operation gives a row that it sees."""
        if member.life is None:
            value = self.replay.value_of(tree, member.row)
            sources = self.member_sources(member)
            slice_ = self.slices.tree(tree, member, each.step.seq)
            return [] if value is None else self._whole(None, each.index, sources, value, slice_)
        number = member.life
        own, slice_ = self.single_source(number), self.slices.tree(tree, member, each.step.seq)
        if own is not None and not slice_.windows:
            value = self.replay.value_of(tree, member.row)
            return [] if value is None else [self._term(own, value, slice_, number, each.index)]

        def terms_of(node: Column) -> list[Term]:
            return self.cell(number, node.name, each.index)

        if own is not None:
            self.notes.windows |= slice_.windows
        formula = Formula(self, member, each, terms_of)
        return self._taken_apart(formula, tree, deep=deep or own is not None)

    def _taken_apart(self, formula: Formula, tree: Bound, *, deep: bool) -> list[Term]:
        """One term of all rows, where a formula is no sum."""
        value, number = formula.value(tree), formula.own.life
        if value is None or number is None:
            return []
        before = dict(self.notes.idle)
        found = formula.terms(tree) if exact(value) is not None else formula.witnesses(tree)
        if found is not None:
            return self._or_own(found, formula, value, before.keys())
        self.notes.idle = before
        pieces, slice_ = formula.pieces(tree), RuleSlice()
        self.notes.pieces += () if deep else pieces
        for term in (term for piece in pieces for term in piece.terms):
            slice_ |= term.slice
        sources = self.sources_of(number)
        return self._whole(number, formula.each.index, sources, value, slice_)

    def _or_own(
        self, terms: list[Term], formula: Formula, value: Value, before: Collection[SourceKey]
    ) -> list[Term]:
        """What a constant gives a row is the row's."""
        if any(term.sources for term in terms) or formula.own.life is None:
            return terms
        idle = self.notes.idle.keys() - before
        own = tuple(s for s in self.sources_of(formula.own.life) if s.key not in idle)
        if not own:
            return terms
        return self._whole(formula.own.life, formula.each.index, own, value, RuleSlice())

    def key_slice(self, member: Member, each: ReplayStep, keys: Iterable[str]) -> RuleSlice:
        """Of what put a row into its group."""
        step, found = each.step, RuleSlice()
        assert isinstance(step, AggregateStep | AppendStep)
        for key in key_trees(step, keys):
            if not isinstance(key, str):
                found |= self.slices.tree(key, member, step.seq)
            elif member.life is not None:
                found |= self.slices.cell(member.life, key, each.index)
        return found
