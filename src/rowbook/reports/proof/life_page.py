"""The lives of rows as a page: each a line of time, from where it was read to its end."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.drawing.markup import Markup, element, page
from rowbook.expressions.bound_text import literal
from rowbook.proof.row_life import CellStep, LifeStep, RowLife, RowTrace
from rowbook.reports.proof.bars import STYLE as BAR_STYLE
from rowbook.reports.proof.explanation_page import cells_text, notes, run_words
from rowbook.reports.style import STYLE
from rowbook.text.number_format import format_value
from rowbook.text.visible import number

_MET = {True: "met", False: "not met", None: "NULL, not met"}


def trace_html(trace: RowTrace) -> str:
    title = f"{number(len(trace.rows) + trace.more, 'row')} of run {trace.run_id}"
    return page(title, f"{STYLE}{BAR_STYLE}", element("main", *_trace(trace, "h1")))


def _trace(trace: RowTrace, heading: str) -> Iterator[Markup]:
    run = run_words(trace.run_id, trace.project, trace.version, trace.period)
    yield element(heading, "The life of a row" if len(trace.rows) == 1 else "The lives of rows")
    yield element("p", run, class_="quiet")
    yield from notes(trace.warnings, is_now=trace.inputs == "changed")
    for life in trace.rows:
        yield from _life(life)
    if trace.more:
        yield element("p", f"and {number(trace.more, 'more row')}", class_="quiet")


def _life(life: RowLife) -> Iterator[Markup]:
    name = life.place or life.birth or life.row_id or "a row"
    yield element("h2", f"{life.dataset}: {name}")
    if life.row_id:
        yield element("p", element("code", life.row_id), class_="quiet")
    if life.fate == "not read":
        yield element("p", f"not read: {life.reason}", class_="bad")
        return
    yield element("div", *_moments(life), class_="time")
    for earlier in life.earlier:
        yield element("h2", "In the run that wrote it")
        yield from _trace(earlier, "h3")


def _moments(life: RowLife) -> Iterator[Markup]:
    yield _moment("", life.birth or "read", [element("p", cells_text(life.values))])
    for step in life.steps:
        yield _moment(step.type, f"{step.seq} {step.name}", list(_step(step)))
    for group in life.groups:
        window = f" window {group.alias}" if group.alias else ""
        level = f", level {group.level}" if group.level else ""
        words = f"{cells_text(group.keys)}: one of {number(group.rows, 'row')}"
        title = f"{group.seq}{window} counted it{level}"
        yield _moment("aggregate", title, [element("p", words)])
    for output in life.outputs:
        written = [element("p", cells_text(output.values))]
        yield _moment("output", f"{output.seq} wrote it to {output.table}", written)
    if life.fate != "published":
        kind = "delete" if life.fate in ("deleted", "quarantined") else ""
        yield _moment(kind, life.fate, [element("p", life.reason)])


def _moment(kind: str, title: str, inside: list[Markup]) -> Markup:
    heading = element("h3", title, class_=f"type-{kind}" if kind else None)
    return element("section", heading, *inside)


def _step(step: LifeStep) -> Iterator[Markup]:
    if step.condition:
        outcome = f" → {step.outcome}" if step.outcome else ""
        text = f"{_MET[step.met]}: {step.condition}{outcome}"
        yield element("p", element("code", text), class_="quiet")
    elif step.outcome:
        yield element("p", step.outcome, class_="quiet")
    for change in step.changes:
        yield element("p", *_change(change))
    for joined in step.joined:
        place = joined.place or "no match"
        yield element("p", f"{joined.alias}: {place}  {cells_text(joined.values)}", class_="quiet")


def _change(change: CellStep) -> Iterator[str]:
    yield f"{change.column} "
    yield element("span", format_value(change.before), class_="was")
    yield " → "
    yield element("span", format_value(change.after), class_="changed")
    if change.formula not in ("", literal(change.after)):
        yield " "
        yield element("code", change.formula)
    if change.overwritten_by is not None:
        yield f" overwritten by {change.overwritten_by}"
    if change.is_published:
        yield " as published"
