"""What a plan says, in words that all its forms share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from rowbook.text.visible import number, visible

if TYPE_CHECKING:
    from rowbook.definitions.models.entries import Unmatched
    from rowbook.runs.run_plan.plan_model import (
        Found,
        PlannedExpectation,
        PlannedRead,
        PlannedStep,
        PlannedUnpivot,
        PlannedUse,
        PlannedView,
        PlannedWindow,
        PlannedWrite,
        RunParameter,
        RunPlan,
    )


_UNASKED = "not asked; --connect asks the database"
_MOST_PERIODS = 6


def one_line(text: str) -> str:
    return visible(" ".join(part.strip() for part in text.splitlines()))


def iso(day: date) -> str:
    return day.isoformat().replace("+00:00", "Z")


def headline(plan: RunPlan) -> str:
    version = "draft" if plan.version is None else f"version {plan.version}"
    return f"{plan.project} ({version}) for {plan.period}"


def days(plan: RunPlan) -> str:
    calendar = "" if plan.calendar == "gregorian" else f" of calendar {plan.calendar}"
    return f"{plan.first_day} to {plan.last_day}{calendar}, as of {iso(plan.as_of)}"


def parameter_text(parameter: RunParameter) -> str:
    """`threshold = 6000.00 (decimal(18,2), given)`, and what it is."""
    how = "by default" if parameter.default else "given"
    said = f": {one_line(parameter.description)}" if parameter.description else ""
    return f"{parameter.name} = {one_line(parameter.value)} ({parameter.type}, {how}){said}"


def rows_read(read: PlannedRead, plan: RunPlan) -> str:
    if read.view is not None:
        return _view_rows(read.view)
    match read.temporal_mode:
        case "period":
            return f"rows of {plan.period}"
        case "bitemporal":
            return f"rows valid at {iso(plan.as_of)}"
        case "snapshot":
            return "all rows"


def _view_rows(view: PlannedView) -> str:
    if view.said == "all":
        return f"rows of all periods of {view.of}"
    periods = view.periods or ("no period",)
    first, last, count = periods[0], periods[-1], len(periods)
    listed = ", ".join(periods) if count <= _MOST_PERIODS else f"{first} … {last}, {count} periods"
    closed = f", which must be {view.require}" if view.require else ""
    return f"rows of {listed} ({view.said}) of {view.of}{closed}"


def unpivot_text(unpivot: PlannedUnpivot) -> str:
    """How columns become rows."""
    nulls = ", where it is not empty" if unpivot.nulls == "drop" else ""
    columns = f"{', '.join(unpivot.columns)}{nulls}"
    return f"a row for each of {columns}: {unpivot.name} is its name, {unpivot.value} its value"


def used(use: PlannedUse) -> str:
    dataset = f"{use.dataset} version {use.version}"
    if not use.alias:
        return dataset
    matches = ", a row for each match" if use.many else ""
    return (
        f"{use.alias}: {dataset}, on {one_line(use.on or '')}{matches}{_UNMATCHED[use.unmatched]}"
    )


_UNMATCHED: dict[Unmatched, str] = {
    "error": ", fails without a match",
    "drop": ", left out without a match",
    "keep": "",
}


def windowed(window: PlannedWindow) -> str:
    by = f"by {', '.join(window.by)}" if window.by else "all rows"
    order = f", order by {', '.join(window.order_by)}" if window.order_by else ""
    where = f", where {one_line(window.selector)}" if window.selector is not None else ""
    values = ", ".join(f"{name} = {one_line(text)}" for name, text in window.values.items())
    return f"{window.alias}: {by}{order}{where}: {values}"


def at_source(found: Found) -> str:
    match found.presence:
        case "missing":
            return "no data there: a run would fail"
        case "absent":
            return "no data there, so no rows"
        case "unknown":
            return f"cannot be told: {one_line(found.reason or '')}"
        case "unasked":
            return f"not asked: {found.reason}" if found.reason else _UNASKED
        case "there":
            return _there(found) if found.files != 0 else "no files of this period"


def at_sources(found: Sequence[Found]) -> Iterator[str]:
    """What is at several places: first what is there of all, then how many have nothing, and what
    the first says that cannot be asked."""
    there = [each for each in found if each.presence == "there"]
    files = sum(each.files or 0 for each in there)
    if files:
        yield f"{number(files, 'file')}, {number(sum(each.bytes for each in there), 'byte')}"
    elif there:
        yield at_source(there[0])
    if missing := [each for each in found if each.presence == "missing"]:
        yield f"no data at {len(missing)} of them: a run would fail"
    if absent := [each for each in found if each.presence == "absent"]:
        yield f"no data at {len(absent)} of them, so no rows"
    for presence in ("unknown", "unasked"):
        yield from (at_source(each) for each in [e for e in found if e.presence == presence][:1])


def at_destination(write: PlannedWrite) -> str | None:
    """What is at a place that is written to; None where that is not asked."""
    found = write.found
    if found is None:
        return None
    match found.presence:
        case "missing" | "absent":
            return "nothing yet"
        case "unknown":
            return f"cannot be told: {one_line(found.reason or '')}"
        case "unasked":
            return _UNASKED
        case "there":
            fails = ": a run would fail" if write.mode == "error_if_exists" else ""
            return f"{_there(found)}{fails}"


def manner(write: PlannedWrite, plan: RunPlan) -> str:
    match write.mode:
        case "append":
            what = "appends"
        case "error_if_exists":
            what = "writes where nothing is yet"
        case "replace":
            what = f"replaces the rows of {plan.period}" if write.by_period else "replaces all rows"
    return f"{what}, deleted rows too" if write.include_deleted else what


def expected_of(
    plan: RunPlan, *, step: PlannedStep | None = None, read: PlannedRead | None = None
) -> Iterator[PlannedExpectation]:
    """What is expected of the rows of an operation, or of a dataset as it is loaded; the first of
    those that are read is the input."""
    for each in plan.expectations:
        is_input = read is not None and read is plan.reads[0] and each.point == "input"
        of_read = read is not None and each.point == "dataset" and each.at == read.dataset
        of_step = step is not None and each.seq == step.seq
        at_the_end = step is not None and step is plan.steps[-1] and each.point == "end"
        if is_input or of_read or of_step or at_the_end:
            yield each


def expected(expectation: PlannedExpectation) -> str:
    """`journals balance: For each journal_id: the sum of amount is 0. Otherwise …`."""
    when = " in the end" if expectation.point == "end" else ""
    when = " of what is written" if expectation.point == "output" else when
    return f"{one_line(expectation.name)}{when}: {one_line(expectation.words)}"


def read_facts(step: PlannedStep) -> Iterator[tuple[str, str]]:
    """What a step reads, and how an append makes rows from it, each fact under its label."""
    if step.from_working:
        yield "from", "the working dataset"
    for use in step.reads:
        yield use.use if use.alias else "from", used(use)
    yield from entry_facts(step)


def entry_facts(step: PlannedStep) -> Iterator[tuple[str, str]]:
    if spread := step.spread:
        places = number(spread.scale, "decimal")
        yield "spread", f"{spread.column} over {spread.alias} by {spread.weight}, to {places}"
    if step.left_out:
        yield "left out", ", ".join(step.left_out)


def brought(step: PlannedStep) -> tuple[str, ...]:
    return tuple(value.column for value in step.values if value.expression is None)


def _there(found: Found) -> str:
    if found.version is not None:
        return f"table version {found.version}"
    if found.files is None:
        return "a table"
    note = f", {found.note}" if found.note else ""
    return f"{number(found.files, 'file')}, {number(found.bytes, 'byte')}{note}"
