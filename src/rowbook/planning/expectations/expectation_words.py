"""Expectations in plain English: what must hold of which rows, and what happens otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.definitions.models.expectation import Otherwise
from rowbook.expressions.bound import Bound, Column, with_columns
from rowbook.expressions.english.sentences import condition_in_words, listed
from rowbook.planning.expectations.expectation_plan import (
    Against,
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    Tolerance,
    UniqueKeys,
)
from rowbook.planning.steps import Result
from rowbook.text.visible import number

_OTHERWISE: Mapping[Otherwise, str] = {
    "warn": "the run says so",
    "stop": "nothing is published",
    "quarantine": "such rows are quarantined",
}


def expectation_in_words(expectation: Expectation) -> str:
    """`For each journal_id: the sum of amount is 0. Otherwise nothing is published.`"""
    return f"{_claim(expectation)}{_otherwise(expectation)}."


def _claim(expectation: Expectation) -> str:
    where = "" if expectation.selector is None else _where(expectation.selector)
    where += ", deleted ones too" if expectation.include_deleted else ""
    match expectation.condition:
        case MatchCondition():
            return "The operation picks at least one row"
        case UniqueKeys(keys):
            verb = "stand together" if len(keys) > 1 else "stands"
            return f"{where and f'Of the rows{where}: '}{listed(keys)} {verb} once"
        case RowCondition(that):
            return f"{'Each' if where else 'Every'} row{where}: {condition_in_words(that)}"
        case GroupCondition() as condition:
            rows = f"the rows{where}" if where else "all rows"
            group = f"Over {rows}"
            if condition.keys:
                group = f"For each {listed(condition.keys)}{where and f' of {rows}'}"
            claim = condition_in_words(_whole(condition))
            return f"{group}: {claim}{_compared(condition.against)}"


def _where(selector: Bound) -> str:
    return f" where {condition_in_words(selector)}"


def _whole(condition: GroupCondition) -> Bound:
    """The condition with its aggregates in it again."""
    against = condition.against
    own = {each.column: each.expression for each in condition.measures}
    other = {} if against is None else _of_alias(against)

    def aggregate(column: Column) -> Bound:
        return (own if column.source is None else other).get(column.name, column)

    return with_columns(condition.that, aggregate)


def _of_alias(against: Against) -> dict[str, Bound]:
    """What was measured in the previous period is told by its name."""
    if against.point is None:
        return {}

    def qualified(column: Column) -> Bound:
        source = column.source or against.alias
        return Column(source, column.name, column.type, column.nullable)

    def of_other(measure: Result) -> Bound:
        return with_columns(measure.expression, qualified)

    return {each.column: of_other(each) for each in against.measures}


def _compared(against: Against | None) -> str:
    if against is None:
        return ""
    if against.point is None:
        return f"; {against.alias} is what was measured in the previous period"
    rows = "all rows" if against.selector is None else f"the rows{_where(against.selector)},"
    return f"; {against.alias} are {rows} {_place(against.point)}"


def _place(point: CheckPoint) -> str:
    match point.kind:
        case "dataset":
            return f"of {point.label}"
        case "after":
            return f"after operation {point.seq}"
        case "output":
            return f"that operation {point.seq} writes"
        case "input":
            return "of the input"
        case "end":
            return "of the end"


def _otherwise(expectation: Expectation) -> str:
    then = _OTHERWISE[expectation.otherwise]
    if expectation.whole:
        then = f"such rows and all with the same {listed(expectation.whole)} are quarantined"
    if expectation.tolerance is None:
        return f". Otherwise {then}"
    limit = f". Up to {_bound(expectation.tolerance)} may be wrong"
    if expectation.otherwise == "quarantine":
        return f"{limit}: {then}. Above it nothing is published"
    return f"{limit}. Above it {then}"


def _bound(tolerance: Tolerance) -> str:
    bounds = []
    if tolerance.share is not None:
        bounds.append(f"{(tolerance.share * 100).normalize():f} % of them")
    if tolerance.rows is not None:
        bounds.append(number(tolerance.rows, "row"))
    return " and at most ".join(bounds)
