"""Operations in plain English: what each does to which rows."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.definitions.models.other_periods import PeriodSpan
from rowbook.expressions.bound import Bound
from rowbook.expressions.english.sentences import condition_in_words, listed, value_in_words
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    Result,
    UpdateStep,
)

_MOST_RESULTS = 6


def step_in_words(step: AnyStep) -> str:
    match step:
        case UpdateStep():
            sets = f"sets {_results(step.assignments, 'to')}"
            if step.selector is None:
                return f"On every row: {sets}."
            return f"Where {condition_in_words(step.selector)}: {sets}."
        case AggregateStep():
            rows = "" if step.selector is None else f" of the rows{_where(step.selector)}"
            results = _results(step.results, "is")
            return f"Adds a row for each {listed(step.keys)}{rows}, in which {results}."
        case AppendStep():
            return _append(step)
        case DeleteStep():
            rows = "every row" if step.selector is None else f"the rows{_where(step.selector)}"
            return f"Deletes {rows}."
        case OutputStep():
            rows = "all rows" if step.selector is None else f"the rows{_where(step.selector)}"
            deleted = ", deleted ones too" if step.include_deleted else ""
            keys = ", then ".join(map(str, step.order_by))
            return f"Writes {rows}{deleted}{keys and ', in the order of '}{keys}."


def join_in_words(join: Join) -> str:
    where = _where(join.condition)
    return f"Looks up {join.alias} in {_dataset(join.dataset)}: the row{where}."


def _append(step: AppendStep) -> str:
    rows = f"{_dataset(step.source)}{_where(step.selector)}"
    if step.keys is None:
        return f"Adds the rows of {rows}."
    results = [each for each in step.results if each.column not in step.keys]
    each_key = listed(step.keys)
    return f"Adds a row for each {each_key} of {rows}, in which {_results(results, 'is')}."


_PERIODS = {
    "current": "this period",
    "previous": "the period before",
    "same_last_year": "the same period of last year",
    "year_to_date": "the year to date",
    "all": "all periods",
}


def _dataset(dataset: Dataset) -> str:
    """Its name; of a view also what it reads."""
    if dataset.origin is None:
        return dataset.name
    periods = dataset.definition.periods
    words = _span(periods) if isinstance(periods, PeriodSpan) else _PERIODS[periods]
    return f"{dataset.name} ({words}, of {dataset.origin.name})"


def _span(span: PeriodSpan) -> str:
    if span.trailing is not None:
        return f"the last {span.trailing:,} periods"
    offset = span.offset or 0
    noun = f"{abs(offset):,} period{'s' * (abs(offset) != 1)}"
    return f"{noun} {'earlier' if offset < 0 else 'later'}"


def _where(selector: Bound | None) -> str:
    return "" if selector is None else f" where {condition_in_words(selector)}"


def _results(results: Sequence[Result], verb: str) -> str:
    said = [
        f"{each.column} {verb} {value_in_words(each.expression)}"
        for each in results[:_MOST_RESULTS]
    ]
    left = len(results) - len(said)
    said += [f"{left:,} more columns"] if left else []
    return "; ".join(said)
