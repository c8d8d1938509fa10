"""The figures of a run that people look at first, explained: the largest that its outputs have in
rows that sum up others, and the totals of outputs that have no such rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rowbook.errors import RowbookError
from rowbook.expressions.bound_text import literal
from rowbook.expressions.types import Kind
from rowbook.expressions.values import Value
from rowbook.planning.columns import is_listed
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AggregateStep, OutputStep, results_of
from rowbook.proof.explanation import Explanation
from rowbook.proof.figure import Figure
from rowbook.proof.replay import Replay
from rowbook.proof.terms import exact
from rowbook.runs.compare.past_runs import OutputTable, past_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.proof.explain_output import ExplainRequest, explain_replayed
from rowbook.runs.proof.run_replay import replayed_run
from rowbook.value_class import dataclass

_MOST, _EACH = 10, 5
"""Figures of a run, and of one output of it."""
_ROWS = 5


@dataclass(frozen=True, slots=True)
class RunFigure:
    """A figure with what it is made of, or why that cannot be told here."""

    seq: int
    output: str
    request: ExplainRequest
    found: Explanation | None
    why: str = ""


def largest_figures(
    workspace: OpenWorkspace, run_id: str, column: str | None
) -> tuple[RunFigure, ...]:
    """Without Spark, and whatever happens: what cannot be explained says why. `column` is the one
    that is preferred, where an output has it."""
    found: list[RunFigure] = []
    past = past_run(workspace, run_id)
    for table in past.tables:
        names = _columns(past.request.plan, table.step, column)
        if names and len(found) < _MOST:
            found += _of_table(workspace, run_id, table, names)
    return tuple(found[:_MOST])


def _columns(plan: ProjectPlan, step: OutputStep, wanted: str | None) -> tuple[str, ...]:
    """The decimals of an output: first the one that is wanted, then as many operations set them."""
    setters = Counter(result.column for each in plan.steps for result in results_of(each))
    decimals = [each.name for each in step.fields if each.type.kind is Kind.DECIMAL]
    return tuple(sorted(decimals, key=lambda name: (name != wanted, -setters[name])))


def _of_table(
    workspace: OpenWorkspace, run_id: str, table: OutputTable, names: Sequence[str]
) -> list[RunFigure]:
    step = table.step
    explained: list[RunFigure] = []
    request = ExplainRequest(str(step.seq), names[0], limit=_ROWS)
    try:
        with replayed_run(
            workspace, run_id, step.seq, lambda _: (), None, accept_changed_input=False
        ) as run:
            for request in figure_requests(run.replay, step, names):
                found = explain_replayed(workspace, run, table, request)
                explained.append(RunFigure(step.seq, step.name, request, found))
    except RowbookError as error:
        why = error.diagnostics[0].message
        explained.append(RunFigure(step.seq, step.name, request, None, why))
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        explained.append(RunFigure(step.seq, step.name, request, None, why))
    return explained


def figure_requests(
    replay: Replay, step: OutputStep, names: Sequence[str]
) -> tuple[ExplainRequest, ...]:
    """Of the first of these columns that has any in rows that sum up; where there are no such rows
    the total of the first."""
    written = Figure(replay, step.seq, names[0], None).written
    summaries = [row for number, row in written.items() if _sums_up(replay, number)]
    for name in names:
        largest = sorted(
            (row for row in summaries if row[name] is not None),
            key=lambda row: -abs(exact(row[name]) or Fraction()),
        )
        conditions = _conditions(largest, list(written.values()), step)
        found = [
            ExplainRequest(str(step.seq), name, where, limit=_ROWS)
            for where, _ in zip(conditions, range(_EACH), strict=False)
        ]
        if found:
            return tuple(found)
    return (ExplainRequest(str(step.seq), names[0], limit=_ROWS),)


def _sums_up(replay: Replay, number: int) -> bool:
    birth = replay.lives[number].birth
    return birth.seq is not None and isinstance(replay.step_at(birth.seq).step, AggregateStep)


def _conditions(
    wanted: Sequence[Mapping[str, Value]],
    rows: Sequence[Mapping[str, Value]],
    step: OutputStep,
) -> Iterator[str]:
    """For each row that texts tell from all others: what they are."""
    texts = [
        each.name for each in step.fields if each.type.kind is Kind.STRING and is_listed(each.name)
    ]
    for row in wanted:
        named, others = list[str](), list(rows)
        while len(others) > 1:
            alike = {name: [each for each in others if each[name] == row[name]] for name in texts}
            fewest = min(map(len, alike.values()), default=len(others))
            if fewest == len(others):
                break
            best = next(name for name, found in alike.items() if len(found) == fewest)
            others = alike[best]
            named.append(best)
        if len(others) == 1 and named:
            yield " AND ".join(_equation(name, row[name]) for name in named)


def _equation(column: str, value: Value) -> str:
    return f"{column} IS NULL" if value is None else f"{column} = {literal(value)}"
