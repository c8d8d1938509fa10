"""The rows of a part of a run that is followed by itself."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.errors import RowbookError
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import EvaluationError
from rowbook.planning.steps import AnyStep, UpdateStep
from rowbook.reference.matches import Matches
from rowbook.reference.row_subset import BirthCondition
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import JoinedRow, Row, WorkingRows


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


def at_start(working: WorkingRows, environment: RunEnvironment) -> WorkingRows:
    return _only(working, places_of(working.rows, environment.subset.input, environment))


def before(step: AnyStep, working: WorkingRows, environment: RunEnvironment) -> WorkingRows:
    """Without visible rows of window groups that are not whole."""
    condition = environment.subset.windows.get(step.seq)
    if condition is None or not isinstance(step, UpdateStep):
        return working
    whole = frozenset(whole_groups(working.rows, condition, environment))
    rows = working.rows
    return _only(working, [i for i, row in enumerate(rows) if row["_deleted"] or i in whole])


def whole_groups(rows: Sequence[Row], condition: Bound, environment: RunEnvironment) -> list[int]:
    """Where the rows stand whose groups are whole."""
    return places_of(rows, BirthCondition(condition), environment)


def _only(working: WorkingRows, places: Sequence[int]) -> WorkingRows:
    if len(places) == len(working.rows):
        return working
    return WorkingRows(working.columns, [working.rows[place] for place in places])
