"""What became of an expectation, in words: `2 of 1,204 groups violate it: journal_id 'J-77',
currency 'EUR': SUM(amount) = 0.01; …`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rowbook.expectations.observation import Observation, ViolationSample
from rowbook.expectations.verdict import VerdictStatus
from rowbook.expressions.values import Value
from rowbook.planning.expectations.expectation_plan import (
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.text.cell_text import format_cell
from rowbook.text.visible import clip, number

_TOLD = 3
"""Samples in a sentence."""
_WIDEST = 60


def sentence(expectation: Expectation, seen: Observation, status: VerdictStatus) -> str:
    match status:
        case "not evaluated":
            return f"it cannot be evaluated: {seen.failure}"
        case "skipped":
            return "there is nothing to compare with: no such measures of the previous period"
        case "nothing to check":
            return f"there are no {seen.unit} to check"
        case "passed" | "tolerated" | "violated" | "waived":
            return _counted(expectation, seen)
    assert_never(status)


def _counted(expectation: Expectation, seen: Observation) -> str:
    condition = expectation.condition
    if isinstance(condition, MatchCondition):
        matched = seen.measures["matched"]
        rows = number(matched, "row") if isinstance(matched, int) and matched else "no row"
        return f"the operation matched {rows}"
    if isinstance(condition, GroupCondition) and not condition.keys:
        return _equations(_measures(condition, seen))
    if not seen.violated:
        return f"{number(seen.checked, seen.unit.removesuffix('s'))} checked"
    unit = seen.unit if seen.checked != 1 else seen.unit.removesuffix("s")
    violate = "violates" if seen.violated == 1 else "violate"
    text = f"{seen.violated:,} of {seen.checked:,} {unit} {violate} it{_limit(expectation, seen)}"
    told = [_sample(expectation, each) for each in seen.samples[:_TOLD]]
    more = ["…"] if len(seen.samples) > _TOLD else []
    return f"{text}: {'; '.join([*told, *more])}" if told else text


def _limit(expectation: Expectation, seen: Observation) -> str:
    if seen.quarantined:
        taken = "is" if seen.quarantined == 1 else "are"
        return f", {number(seen.quarantined, 'row')} {taken} quarantined"
    tolerance = expectation.tolerance
    if tolerance is None:
        return ""
    bounds = [] if tolerance.share is None else [f"a share of {tolerance.share}"]
    bounds += [] if tolerance.rows is None else [number(tolerance.rows, "row")]
    return f" (tolerated: {' and '.join(bounds)})"


def _sample(expectation: Expectation, sample: ViolationSample) -> str:
    condition, values = expectation.condition, sample.values
    match condition:
        case RowCondition():
            return _cells(values) or f"row {sample.row_id}"
        case UniqueKeys(keys):
            rows = {name: value for name, value in values.items() if name not in keys}
            count = next(iter(rows.values()), None)
            return f"{_cells({k: values[k] for k in keys})}: {count} rows"
        case GroupCondition(keys, against=against):
            measures = {name: value for name, value in values.items() if name not in keys}
            if against is None or sample.missing_side is None:
                told = _equations(measures)
            else:
                told = _one_sided(measures, against.alias, sample.missing_side == "here")
            return f"{_cells({k: values[k] for k in keys})}: {told}"
        case MatchCondition():
            return ""
    assert_never(condition)


def _one_sided(measures: Mapping[str, Value], alias: str, lacks_own: bool) -> str:
    known = {n: v for n, v in measures.items() if n.startswith(f"{alias}.") == lacks_own}
    return f"{_equations(known)}, {'only in' if lacks_own else 'not in'} {alias}"


def _measures(condition: GroupCondition, seen: Observation) -> dict[str, Value]:
    alias = "" if condition.against is None else condition.against.alias
    other = {f"{alias}.{name}": value for name, value in seen.other_measures.items()}
    return {**seen.measures, **other}


def _equations(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {_cell(value)}" for name, value in values.items())


def _cells(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} {_cell(value)}" for name, value in values.items())


def _cell(value: Value) -> str:
    return clip(format_cell(value), _WIDEST)
