"""The rows of a part of a run that is followed by itself."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.errors import RowbookError
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import EvaluationError
from rowbook.planning.steps import AnyStep
from rowbook.reference.matches import Matches
from rowbook.reference.row_subset import BirthCondition
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import JoinedRow, Row


def places_of(rows: Sequence[Row], birth: BirthCondition, environment: RunEnvironment) -> list[int]:
    """Where the rows stand that meet a condition; one that it cannot be evaluated on is among
    them."""
    if birth.is_all:
        return list(range(len(rows)))
    holds = environment.evaluators.condition(birth.condition)
    joins = [(join.alias, Matches(join, None, environment)) for join in birth.joins]

    def is_met(row: Row) -> bool:
        joined: JoinedRow = {None: row}
        try:
            for alias, matches in joins:
                joined = {**joined, alias: matches.match(joined)}
            return holds(joined)
        except (EvaluationError, RowbookError):
            return True

    return [place for place, row in enumerate(rows) if is_met(row)]


def partial_groups(
    step: AnyStep | None, rows: Sequence[Row], environment: RunEnvironment
) -> frozenset[int]:
    """Where the visible rows stand whose window groups are not whole before a step."""
    condition = None if step is None else environment.subset.windows.get(step.seq)
    if condition is None:
        return frozenset()
    visible = frozenset(place for place, row in enumerate(rows) if not row["_deleted"])
    return visible - frozenset(whole_groups(rows, condition, environment))


def whole_groups(rows: Sequence[Row], condition: Bound, environment: RunEnvironment) -> list[int]:
    """Where the rows stand whose groups are whole."""
    return places_of(rows, BirthCondition(condition), environment)
