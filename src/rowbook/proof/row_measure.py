"""What a row that is counted adds to a figure, as an expression on the row: so that it can be said
of rows that are not counted too.

It is found along one row of the figure, for sums and counts and what is added up of them; there is
none for others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rowbook.expressions.bound import Aggregate, Bound, Call, Column, Constant, Convert, columns
from rowbook.expressions.types import INTEGER
from rowbook.planning.steps import AggregateStep, AppendStep, UpdateStep
from rowbook.proof.figure import Figure
from rowbook.proof.replay import Life, ReplayStep


def row_measure(figure: Figure) -> Bound | None:
    """Of a row of the figure, or of its output where it has none."""
    numbers = figure.numbers or tuple(figure.written)
    return _adds(figure, numbers[0], figure.column, figure.each.index) if numbers else None


def _adds(figure: Figure, number: int, column: str, index: int) -> Bound | None:
    life, field = figure.replay.lives[number], figure.step.columns.fields[column]
    writer = figure.finder.slices.writer(number, column, index)
    if _is_of_source(figure, number):
        return Column(None, column, field.type, True)
    assert life.birth.seq is not None
    each = figure.replay.step_at(life.birth.seq)
    step = each.step
    assert isinstance(step, AggregateStep | AppendStep)
    if writer is not None:
        assert isinstance(writer.step, UpdateStep)
        tree = next(e.expression for e in writer.step.assignments if e.column == column)
        return _in_terms_of(tree, lambda name: _adds(figure, number, name, writer.index))
    results = {result.column: result.expression for result in step.results}
    assigned = step.assignments if isinstance(step, AggregateStep) else ()
    for result in assigned:
        if result.column == column:
            return _in_terms_of(
                result.expression, lambda name: _of_member(figure, results.get(name), life, each)
            )
    return _of_member(figure, results.get(column), life, each)


def _of_member(figure: Figure, tree: Bound | None, life: Life, each: ReplayStep) -> Bound | None:
    """A sum of aggregates, as what each row of the group adds to it."""
    if tree is None:
        return None
    members = [each.life for each in life.birth.members if each.life is not None]
    plain = any(_is_of_source(figure, number) for number in members) or not members
    match tree:
        case Convert(operand):
            return _of_member(figure, operand, life, each)
        case Aggregate("COUNT"):
            return Constant(1, INTEGER)
        case Aggregate("SUM", argument) if argument is not None:
            if plain:
                return argument if _reads_own_row(argument) else None
            return _in_terms_of(argument, lambda name: _adds(figure, members[0], name, each.index))
        case Call("+" | "-" | "NEGATE", arguments):
            found = [_of_member(figure, part, life, each) for part in arguments]
            known = tuple(part for part in found if part is not None)
            return replace(tree, arguments=known) if len(known) == len(found) else None
    return None


def _in_terms_of(tree: Bound, of_column: Callable[[str], Bound | None]) -> Bound | None:
    """A sum of columns, with what stands for each of them."""
    match tree:
        case Convert(operand):
            return _in_terms_of(operand, of_column)
        case Column(None, name):
            return of_column(name)
        case Call("+" | "-" | "NEGATE", arguments):
            found = [_in_terms_of(part, of_column) for part in arguments]
            known = tuple(part for part in found if part is not None)
            return replace(tree, arguments=known) if len(known) == len(found) else None
    return None


def _is_of_source(figure: Figure, number: int) -> bool:
    """Whether a row is one of a source, or what an append summed up of one: no summary of rows that
    operations changed."""
    birth = figure.replay.lives[number].birth
    if birth.kind != "summary" or birth.seq is None:
        return True
    step = figure.replay.step_at(birth.seq).step
    return isinstance(step, AppendStep) and step.source is not None


def _reads_own_row(tree: Bound) -> bool:
    return all(source is None for source, _ in columns(tree))
