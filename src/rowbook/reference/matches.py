"""Joins and lookups: each row gets the one row that its condition holds for, or NULLs. A second one
is an error (JOIN_005): a join never multiplies rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.values import Value, in_order
from rowbook.planning.columns import ROW_ID, is_system
from rowbook.planning.datasets import Join
from rowbook.planning.join_condition import join_condition
from rowbook.planning.steps import AppendStep, Step
from rowbook.reference.run_environment import RunEnvironment, step_label
from rowbook.reference.working_rows import JoinedRow, Row, seen, text_of


def joined(
    rows: Sequence[Row], joins: Sequence[Join], step: Step | None, environment: RunEnvironment
) -> list[JoinedRow]:
    """Rows, each with what joins of an operation, or of an expectation, find for it."""
    found: list[JoinedRow] = [{None: row} for row in rows]
    for join in joins:
        match = Matches(join, step, environment).match
        found = [{**row, join.alias: match(row)} for row in found]
    return found


class Matches:
    """Finds the rows of a joined dataset for a row. Where the condition compares something of both
    sides for equality, only rows with the same are looked at."""

    def __init__(self, join: Join, step: Step | None, environment: RunEnvironment) -> None:
        self._join, self._step = join, step
        evaluators = environment.evaluators
        parts = join_condition(join)
        self._condition = evaluators.condition(join.condition)
        self._left = [evaluators.scalar(left) for left, _ in parts.keys]
        right = [evaluators.scalar(right) for _, right in parts.keys]
        conditions = [evaluators.condition(part) for part in parts.right]
        self.nothing: Row = dict.fromkeys(join.dataset.readable.fields)
        self.loaded = environment.load(join.dataset)
        self._by_key: dict[tuple[Any, ...], list[int]] = {}
        for place, row in enumerate(self.loaded.rows):
            alone: JoinedRow = {join.alias: row}
            if all(condition(alone) for condition in conditions):
                key = _key(right, alone)
                if key is not None:
                    self._by_key.setdefault(key, []).append(place)

    def match(self, row: JoinedRow) -> Row:
        """The one row that there is, or NULLs."""
        places = self.places(row)
        if len(places) > 1:
            raise self._second_match(row, len(places))
        return self.loaded.rows[places[0]] if places else self.nothing

    def places(self, row: JoinedRow) -> list[int]:
        """Where the rows stand in the dataset that match."""
        key = _key(self._left, row)
        candidates = () if key is None else self._by_key.get(key, ())
        alias, rows, condition = self._join.alias, self.loaded.rows, self._condition
        return [place for place in candidates if condition({**row, alias: rows[place]})]

    def key_text(self, row: JoinedRow) -> str:
        """What a row is looked up by; empty where the condition has no keys."""
        return ", ".join(text_of(value(row)) for value in self._left)

    def _second_match(self, row: JoinedRow, count: int) -> RowbookError:
        key = self.key_text(row) or row_name(row, self._step)
        join = self._join
        message = (
            f"join '{join.alias}' to dataset '{join.dataset.name}': key {key} matches {count} rows"
        )
        operation = step_label(self._step) if self._step else None
        return RowbookError(Diagnostic("JOIN_005", message, operation=operation))


def row_name(row: JoinedRow, step: Step | None) -> str:
    """What names a row that nothing else does: its id, or all it holds. Rows that an append reads
    of a dataset have no ids of the working dataset yet."""
    own = row[None]
    if ROW_ID in own and not (isinstance(step, AppendStep) and step.source is not None):
        return f"row {seen(own[ROW_ID])}"
    return ", ".join(text_of(seen(own[name])) for name in own if not is_system(name))


def _key(values: Sequence[Callable[[JoinedRow], Value]], row: JoinedRow) -> tuple[Any, ...] | None:
    """None where a part is NULL: that equals nothing."""
    key = [value(row) for value in values]
    return None if None in key else tuple(map(in_order, key))
