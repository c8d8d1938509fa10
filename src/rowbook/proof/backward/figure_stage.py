"""Where rows of sources are counted for a figure: in an output, or in the groups of an aggregate
whose summary rows it is of."""

from __future__ import annotations

from rowbook.expressions import types as t
from rowbook.expressions.bound import Aggregate, Bound, Call, Choice, Column, Constant, Convert
from rowbook.planning.steps import AggregateStep, OutputStep, TotalLevel
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class FigureStage:
    """Rows that the step picks are counted, each with its `measure`; those of an aggregate for the
    group of a level. `as_one`: each adds 1, whatever it holds."""

    step: AggregateStep | OutputStep
    measure: Bound
    level: TotalLevel | None = None
    as_one: bool = False


def output_stage(step: OutputStep, column: str) -> FigureStage:
    field = step.columns.fields[column]
    return FigureStage(step, Column(None, column, field.type, field.nullable))


def group_stage(step: AggregateStep, column: str, level: TotalLevel) -> FigureStage | None:
    """None where a result is no sum, and no count, of what rows bring along."""
    if any(each.column == column for each in step.assignments):
        return None
    tree = next((each.expression for each in step.results if each.column == column), None)
    while isinstance(tree, Convert):
        tree = tree.operand
    match tree:
        case Aggregate("SUM", argument) if argument is not None:
            return FigureStage(step, argument, level)
        case Aggregate("COUNT", None):
            return FigureStage(step, Constant(1, t.INTEGER), level, as_one=True)
        case Aggregate("COUNT", argument) if argument is not None:
            there = Call("ISNULL", (argument,), t.BOOLEAN, False)
            nothing, one = Constant(None, t.INTEGER), Constant(1, t.INTEGER)
            measure = Choice(((there, nothing),), one, t.INTEGER, True)
            return FigureStage(step, measure, level, as_one=True)
    return None
