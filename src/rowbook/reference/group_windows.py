"""Windows of an update: what each visible row knows of the rows of its group.

Rows that the window's selector picks count, every row of the group sees what comes of them. Where
there is an order, a row sees what comes of the rows up to and including itself, and those that
count have a place in it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from rowbook.errors import Diagnostic
from rowbook.expressions.bound import Aggregate, Bound, Column, Position, walk
from rowbook.expressions.closures import Function, function_of
from rowbook.expressions.evaluate import EvaluationError, Evaluators, combination, up_to_each
from rowbook.expressions.values import Value, in_order
from rowbook.planning.columns import ROW_ID
from rowbook.planning.steps import Result, SortKey, UpdateStep, Window
from rowbook.reference.groups import group_rows
from rowbook.reference.row_order import ordered
from rowbook.reference.run_environment import RunEnvironment, step_label
from rowbook.reference.working_rows import Cell, JoinedRow, Overflows, seen
from rowbook.value_class import dataclass

_PerRow: TypeAlias = Callable[[int], Value]
"""What the row at a place of its group sees."""


def with_windows(
    rows: list[JoinedRow], step: UpdateStep, environment: RunEnvironment
) -> list[JoinedRow]:
    """Visible rows with the values of each window under its alias."""
    for window in step.windows:
        values: dict[int, dict[str, Cell]] = {id(row): {} for row in rows}
        keys = [tuple(seen(row[None][key]) for key in window.keys) for row in rows]
        for members in group_rows(rows, keys).values():
            group = WindowGroup(in_window_order(members, window), window, environment.evaluators)
            for result in window.values:
                overflow = _overflow(step, window, result)
                for i, cell in enumerate(_cells(group, result, overflow, environment.overflows)):
                    values[id(group.rows[i])][result.column] = cell
        rows = [{**row, window.alias: values[id(row)]} for row in rows]
    return rows


def in_window_order(rows: list[JoinedRow], window: Window) -> list[JoinedRow]:
    keys = (*window.order, SortKey(ROW_ID)) if window.order else ()
    return ordered(rows, keys, lambda row, name: seen(row[None][name]))


def _overflow(step: UpdateStep, window: Window, result: Result) -> Diagnostic:
    message = f"a value of '{window.alias}.{result.column}' does not fit {result.expression.type}"
    return Diagnostic("RUN_001", message, operation=step_label(step))


def _cells(
    group: WindowGroup, result: Result, overflow: Diagnostic, overflows: Overflows
) -> Iterator[Cell]:
    """What each row sees; where a part of it cannot be computed, that stands in its place."""
    value: _PerRow | None = None
    for i in range(len(group.rows)):
        try:
            value = value or group.value(result.expression)
            yield value(i)
        except EvaluationError:
            yield overflows.note(overflow)


@dataclass(frozen=True, slots=True)
class WindowGroup:
    """The rows of one group, in the order of the window if it has one."""

    rows: list[JoinedRow]
    window: Window
    evaluators: Evaluators[JoinedRow]

    def value(self, tree: Bound) -> _PerRow:
        """An expression of aggregates and places, in which columns are those of the row itself."""
        evaluators = self.evaluators
        picks = evaluators.condition(self.window.selector)
        counted = [picks(row) for row in self.rows]
        nodes = [part for part in walk(tree) if isinstance(part, Aggregate | Position)]
        parts = [
            self._aggregate(node, counted)
            if isinstance(node, Aggregate)
            else self._position(node, counted)
            for node in nodes
        ]
        known = {id(node): operator.itemgetter(i + 1) for i, node in enumerate(nodes)}

        def read_own(column: Column) -> Function:
            of_row = evaluators.read(column)
            return lambda seen_by: of_row(seen_by[0])

        function = function_of(tree, read_own, evaluators.moment, known)
        return lambda i: function((self.rows[i], *(part(i) for part in parts)))

    def _aggregate(self, node: Aggregate, counted: Sequence[bool]) -> _PerRow:
        taken, combined = self.evaluators.taken(node), combination(node)
        values = [
            taken(row) if counts else None for row, counts in zip(self.rows, counted, strict=True)
        ]
        if not self.window.order:
            total = combined([each for each in values if each is not None])
            return lambda _: total
        so_far = up_to_each(node, values)
        return lambda i: combined(so_far(i))

    def _position(self, node: Position, counted: Sequence[bool]) -> _PerRow:
        """NULL for a row that does not count, and where no row is so far away."""
        places = [i for i, counts in enumerate(counted) if counts]
        numbers = {i: number for number, i in enumerate(places)}
        match node.function:
            case "ROW_NUMBER":
                return lambda i: numbers[i] + 1 if i in numbers else None
            case "RANK":
                return self._ranks(places).get
        assert node.argument is not None
        argument = self.evaluators.scalar(node.argument)
        offset = -node.offset if node.function == "LAG" else node.offset
        values = [argument(self.rows[i]) for i in places]

        def of_other(i: int) -> Value:
            other = numbers[i] + offset if i in numbers else -1
            return values[other] if 0 <= other < len(values) else None

        return of_other

    def _ranks(self, places: Sequence[int]) -> dict[int, Value]:
        ranks: dict[int, Value] = {}
        before, rank = None, 0
        for number, i in enumerate(places, start=1):
            own = self.rows[i][None]
            keys = [in_order(seen(own[key.column])) for key in self.window.order]
            if keys != before:
                before, rank = keys, number
            ranks[i] = rank
        return ranks
