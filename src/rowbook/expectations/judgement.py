"""The verdict on an expectation, by what an engine saw of it: the same whichever engine it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from rowbook.expectations.observation import DOES_NOT_FIT, Observation
from rowbook.expectations.verdict import Verdict, VerdictStatus, Waiver
from rowbook.expectations.verdict_words import sentence
from rowbook.expressions.evaluate import EvaluationError, Moment, evaluate
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.planning.expectations.expectation_plan import (
    Against,
    Expectation,
    GroupCondition,
    MatchCondition,
)
from rowbook.planning.scenario_cells import read_cell
from rowbook.text.cell_text import as_json


def judge(
    expectation: Expectation,
    observation: Observation,
    moment: Moment,
    previous: Mapping[str, object] | None = None,
) -> Verdict:
    """`previous` are the measures of the run that it compares itself with, as its verdict has them
    or a scenario writes them; None: there is no such run."""
    seen, status = _evaluated(expectation, observation, moment, previous)
    return Verdict(
        expectation.name,
        expectation.owner,
        expectation.point.label,
        status,
        expectation.otherwise,
        expectation.text,
        seen.unit,
        seen.checked,
        seen.violated,
        sentence(expectation, seen, status),
        {name: as_json(value) for name, value in seen.measures.items()},
        {name: as_json(value) for name, value in seen.other_measures.items()},
        tuple(_sample(each.row_id, each.values, each.missing_side) for each in seen.samples),
        seen.quarantined,
    )


def waive(verdicts: Iterable[Verdict], waivers: Sequence[Waiver]) -> tuple[Verdict, ...]:
    """Verdicts as they are with these waivers, which are for what would stop the run."""
    by_name = {each.name: each for each in waivers}
    return tuple(
        replace(each, status="waived", waiver=by_name[each.name])
        if each.stops and each.name in by_name
        else each
        for each in verdicts
    )


def is_tolerated(expectation: Expectation, observation: Observation) -> bool:
    """Whether what violates it stays within its bound; without one, whether anything may: rows that
    are quarantined."""
    tolerance = expectation.tolerance
    if tolerance is None:
        return expectation.otherwise == "quarantine"
    share, rows = tolerance.share, tolerance.rows
    few = rows is None or observation.violated <= rows
    return few and (
        share is None or observation.violated <= Fraction(share) * Fraction(observation.checked)
    )


def _evaluated(
    expectation: Expectation,
    observation: Observation,
    moment: Moment,
    previous: Mapping[str, object] | None,
) -> tuple[Observation, VerdictStatus]:
    """What was seen, with the other side and the count where they are only known now."""
    condition = expectation.condition
    if observation.failure is not None:
        return observation, "not evaluated"
    if isinstance(condition, GroupCondition) and not condition.keys:
        against = condition.against
        if against is not None and against.point is None:
            other = _previous_measures(against, previous)
            if other is None:
                return observation, "skipped"
            observation = replace(observation, other_measures=other)
        try:
            holds = _holds(condition, observation, moment)
        except EvaluationError:
            return replace(observation, failure=DOES_NOT_FIT), "not evaluated"
        return replace(observation, violated=int(not holds)), "passed" if holds else "violated"
    if not observation.checked and not isinstance(condition, MatchCondition):
        return observation, "nothing to check"
    if not observation.violated:
        return observation, "passed"
    return observation, "tolerated" if is_tolerated(expectation, observation) else "violated"


def _holds(condition: GroupCondition, seen: Observation, moment: Moment) -> bool:
    row: dict[tuple[str | None, str], Value] = {
        (None, name): value for name, value in seen.measures.items()
    }
    if condition.against is not None:
        alias = condition.against.alias
        row |= {(alias, name): value for name, value in seen.other_measures.items()}
    return evaluate(condition.that, row, moment) is True


def _previous_measures(
    against: Against, previous: Mapping[str, object] | None
) -> dict[str, Value] | None:
    """None where one is missing, or was measured in another type that does not fit."""
    if previous is None or any(each.column not in previous for each in against.measures):
        return None
    try:
        return {
            each.column: _read(previous[each.column], each.expression.type)
            for each in against.measures
        }
    except ValueError:
        return None


def _read(recorded: object, kind: Type) -> Value:
    if kind.kind is Kind.FLOAT and recorded in ("NaN", "Infinity", "-Infinity"):
        return float(str(recorded))
    return read_cell(recorded, kind)


def _sample(
    row_id: str | None, values: Mapping[str, Value], missing_side: str | None
) -> dict[str, object]:
    told = {"_row_id": row_id, "_missing_side": missing_side}
    given = {name: value for name, value in told.items() if value is not None}
    return {**given, **{name: as_json(value) for name, value in values.items()}}
