"""Operations in plain English: what each does to which rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rowbook.definitions.models.entries import Unmatched
from rowbook.definitions.models.other_periods import PeriodSpan
from rowbook.expressions.bound import Bound, Column, Convert
from rowbook.expressions.english.sentences import condition_in_words, listed, value_in_words
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    Result,
    Spread,
    UpdateStep,
    Window,
)
from rowbook.text.visible import number

_MOST_RESULTS = 6
_UNMATCHED: dict[Unmatched, str] = {
    "error": "; without one the run fails",
    "drop": "; without one the row is left out",
    "keep": "",
}


def step_in_words(step: AnyStep) -> str:
    match step:
        case UpdateStep():
            sets = f"sets {_results(step.assignments, 'to')}"
            known = "".join(f"{window_in_words(each)} " for each in step.windows)
            if step.selector is None:
                return f"{known}On every row: {sets}."
            return f"{known}Where {condition_in_words(step.selector)}: {sets}."
        case AggregateStep():
            rows = "" if step.selector is None else f" of the rows{_where(step.selector)}"
            results = _results((*step.results, *step.assignments), "is")
            return f"Adds a row {_groups(step)}{rows}, in which {results}."
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
    rows = f"{'each row' if join.many else 'the row'}{_where(join.condition)}"
    otherwise = _UNMATCHED[join.unmatched]
    return f"Looks up {join.alias} in {_dataset(join.dataset)}: {rows}{otherwise}."


def window_in_words(window: Window) -> str:
    group = f"For each {listed(window.keys)}" if window.keys else "Over all rows"
    order = ", then ".join(map(str, window.order))
    rows = f", up to each row in the order of {order}" if order else ""
    counted = f", of the rows{_where(window.selector)}" if window.selector is not None else ""
    named = [replace(each, column=f"{window.alias}.{each.column}") for each in window.values]
    return f"{group}{rows}{counted}: {_results(named, 'is')}."


def _append(step: AppendStep) -> str:
    source = "the working dataset" if step.source is None else _dataset(step.source)
    rows = f"{source}{_where(step.selector)}"
    many = [join.alias for join in step.matches if join.many]
    each_match = f"each match in {listed(many)} of " if many else ""
    results = [each for each in step.results if not _is_copy(each)]
    if step.keys is not None:
        results = [each for each in step.results if each.column not in step.keys]
        what = f"a row for each {listed(_keys(step.keys, step.key_values))} of {each_match}{rows}"
    elif many:
        what = f"a row for {each_match}the rows of {rows}"
    else:
        what = f"the rows of {rows}"
    said = f", in which {_results(results, 'is')}" if results else ""
    return f"Adds {what}{_spread(step.spread)}{said}."


def _spread(spread: Spread | None) -> str:
    if spread is None:
        return ""
    places = "whole numbers" if spread.scale == 0 else number(spread.scale, "decimal")
    return f", with {spread.column} split by {value_in_words(spread.weight)} to {places}"


def _is_copy(result: Result) -> bool:
    """Whether a column is the source's of the same name."""
    tree = result.expression
    tree = tree.operand if isinstance(tree, Convert) else tree
    return isinstance(tree, Column) and (tree.source, tree.name) == (None, result.column)


def _groups(step: AggregateStep) -> str:
    """`for each entity and account, for each entity, and over all,`."""
    said = [
        f"for each {listed(_keys(level.keys, step.key_values))}" if level.keys else "over all"
        for level in step.groupings
    ]
    *most, last = said
    if not most:
        return last
    return f"{', '.join(most)}, and {last}{',' if step.selector else ''}"


def _keys(names: Sequence[str], computed: Sequence[Result]) -> list[str]:
    """A key that is computed says how."""
    values = {each.column: value_in_words(each.expression) for each in computed}
    return [f"{name} ({values[name]})" if name in values else name for name in names]


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
