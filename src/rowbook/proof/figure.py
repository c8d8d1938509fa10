"""A figure of an output: which rows it is of, and how it is computed, with numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from rowbook.expressions.bound import Aggregate, Bound, Convert, columns
from rowbook.expressions.bound_text import formula_text, rule_text
from rowbook.expressions.types import Type
from rowbook.expressions.values import EXACT, Value
from rowbook.planning.steps import AggregateStep, AppendStep, OutputStep, UpdateStep
from rowbook.proof.life_story import step_words
from rowbook.proof.replay import Life, Replay, written_row
from rowbook.proof.rule_slices import RuleSlice
from rowbook.proof.term_finder import TermFinder
from rowbook.proof.terms import Term, exact
from rowbook.text.visible import number as counted


class Figure:
    """The column of the rows of an output that a condition is TRUE for: the value of the one there
    is, or the sum of several."""

    def __init__(
        self,
        replay: Replay,
        seq: int,
        column: str,
        where: Bound | None,
        among: frozenset[int] | None = None,
    ) -> None:
        """`among` are the numbers of the rows that may be meant, None: all."""
        self.replay, self.column, self.where = replay, column, where
        self._among = among
        self.each = replay.step_at(seq)
        step = self.each.step
        assert isinstance(step, OutputStep)
        self.step = step
        self.finder = TermFinder(replay)

    @cached_property
    def written(self) -> dict[int, dict[str, Value]]:
        """What the output wrote, by the number of the row."""
        rows, places = self.each.before.rows, self.each.places
        return {
            number: written_row(rows[places[number]], self.step, self.replay.context)
            for number in self.each.outcomes
            if self.each.met(number)
        }

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The rows that the figure is of."""
        is_wanted = self.replay.environment.evaluators.condition(self.where)
        return tuple(
            number
            for number, row in self.written.items()
            if (self._among is None or number in self._among) and is_wanted({None: row})
        )

    @property
    def type(self) -> Type:
        return self.step.columns.fields[self.column].type

    @cached_property
    def value(self) -> Value:
        values = [self.written[number][self.column] for number in self.numbers]
        if len(values) == 1:
            return values[0]
        present = [value for value in values if value is not None]
        if not present or not self.type.is_numeric:
            return None
        return total_of(present)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        alone, index = len(self.numbers) == 1, self.each.index
        return tuple(
            replace(term, slice=term.slice | self._choice(number)) if term.sources else term
            for number in self.numbers
            for term in self.finder.cell(number, self.column, index, deep=not alone)
        )

    def _choice(self, number: int) -> RuleSlice:
        """What made the columns by which a row is chosen."""
        found = RuleSlice()
        for _, name in columns(self.where) if self.where is not None else ():
            found |= self.finder.slices.cell(number, name, self.each.index)
        return found

    @cached_property
    def formula(self) -> str:
        if not self.numbers:
            return "no rows"
        if len(self.numbers) > 1:
            return f"SUM({self.column}) of {counted(len(self.numbers), 'row')} of the output"
        return _formula(self.replay, self.finder, self.numbers[0], self.column, self.each.index)


def total_of(values: Sequence[Value]) -> Value:
    """The sum of numbers that are not NULL."""
    if any(isinstance(value, float) for value in values):
        return float(sum(exact(value) or 0 for value in values))
    if all(isinstance(value, int) for value in values):
        return sum(value for value in values if isinstance(value, int))
    found: Value = None
    for value in values:
        found = value if found is None else EXACT.add(found, value)  # type: ignore[arg-type]
    return found


def _formula(replay: Replay, finder: TermFinder, number: int, column: str, index: int) -> str:
    """What gave a row's column its value, as it is written and with numbers."""
    writer = finder.slices.writer(number, column, index)
    if writer is not None:
        step = writer.step
        assert isinstance(step, UpdateStep)
        tree = next(each.expression for each in step.assignments if each.column == column)
        return _both_texts(tree, formula_text(tree, replay.known(writer.outcomes[number][1])))
    life = replay.lives[number]
    if life.birth.seq is None:
        return "as read"
    step = replay.step_at(life.birth.seq).step
    if isinstance(step, AppendStep) and life.birth.kind != "summary":
        trees = [each.expression for each in step.results if each.column == column]
        if not trees:
            return "as appended"
        return _both_texts(
            trees[0], formula_text(trees[0], replay.known(life.birth.members[0].row))
        )
    assert isinstance(step, AggregateStep | AppendStep)
    return _summary_formula(replay, finder, life, step, column)


def _summary_formula(
    replay: Replay,
    finder: TermFinder,
    life: Life,
    step: AggregateStep | AppendStep,
    column: str,
) -> str:
    assigned = step.assignments if isinstance(step, AggregateStep) else ()
    for result in assigned:
        if result.column == column:
            totals = finder.totals(life, step)
            known = replay.known({None: totals})
            return _both_texts(result.expression, formula_text(result.expression, known))
    of = f"of {counted(len(life.birth.members), 'row')} by {step_words(step)}"
    for result in step.results:
        if result.column == column:
            rule, numbers = (
                rule_text(result.expression),
                _with_totals(replay, life, result.expression),
            )
            return f"{rule} {of}" if numbers is None else f"{rule} = {numbers} {of}"
    return f"the group's {column} {of}"


def _with_totals(replay: Replay, life: Life, tree: Bound) -> str | None:
    """The formula with the value of each aggregate in its place; None for an aggregate alone."""
    plain = tree
    while isinstance(plain, Convert):
        plain = plain.operand
    if isinstance(plain, Aggregate):
        return None
    rows = [member.row for member in life.birth.members]
    aggregate = replay.environment.evaluators.aggregate

    def known(node: Bound) -> Value:
        return aggregate(node)(rows)

    return formula_text(tree, known)


def _both_texts(tree: Bound, numbers: str) -> str:
    rule = rule_text(tree)
    return rule if rule == numbers else f"{rule} = {numbers}"
