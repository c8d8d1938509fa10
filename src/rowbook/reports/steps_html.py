"""An operation in a report: what it does in English, how it is written, and rows that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rowbook.drawing.markup import Markup, element, joined
from rowbook.engine.measure.figures import Number, Sample
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.reports.figure_checks import minus
from rowbook.reports.html_tables import table
from rowbook.reports.model import ReportStep, RunReport
from rowbook.text.number_format import format_signed, format_value
from rowbook.text.plan_words import one_line
from rowbook.text.visible import number

_MOST_COLUMNS = 10
_DID = {
    "update": "changed",
    "aggregate": "added",
    "append": "added",
    "delete": "deleted",
    "output": "wrote",
}


def change_of(step: ReportStep) -> Number | None:
    """How an operation changed the total; None where it cannot, or where that is not known."""
    return minus(step.moved.gained, step.moved.lost) if step.moved is not None else None


def operation(step: ReportStep, report: RunReport, *, is_open: bool) -> Markup:
    summary = element(
        "summary",
        element(
            "h3",
            element("span", f"{step.seq} {step.type}", class_=f"kind type-{step.type}"),
            " ",
            one_line(step.name),
        ),
        *_came_to(step, report),
    )
    return element(
        "details",
        summary,
        *(element("p", one_line(text), class_="quiet") for text in [step.description] if text),
        *(element("p", one_line(each.english), class_="english") for each in step.lookups),
        element("p", one_line(step.english), class_="english"),
        *_written(step),
        *_sample(step, report),
        class_="step",
        open="open" if is_open else None,
    )


def _came_to(step: ReportStep, report: RunReport) -> Iterator[Markup]:
    if step.failed:
        yield element("strong", " failed here", class_="bad")
    if step.counts is not None:
        said = [f"{_DID[step.type]} {number(_touched(step), 'row')}"]
        change = change_of(step)
        if change is not None and report.followed is not None:
            said.append(f"{report.followed.column} {format_signed(change)}")
        yield element("span", f" {', '.join(said)}", class_="quiet")


def _touched(step: ReportStep) -> int:
    counts = step.counts
    if counts is None:
        return 0
    return counts.added if step.type in ("aggregate", "append") else counts.matched


def _written(step: ReportStep) -> Iterator[Markup]:
    rows: list[tuple[str, str, str]] = []
    for each in step.lookups:
        what = f"{each.dataset} version {each.version}"
        rows.append((f"looks up {each.alias}", what, element("code", one_line(each.condition))))
    rows += [
        (f"window {each.alias}", each.english, element("code", each.written))
        for each in step.windows
    ]
    if step.selector is not None:
        rows.append(("which rows", step.where or "", element("code", one_line(step.selector))))
    for rule in step.rules:
        if rule.expression is not None:
            name = joined(element("code", rule.column), " (new)" if rule.is_new else "")
            rows.append((name, rule.english, element("code", one_line(rule.expression))))
    brought = [rule.column for rule in step.rules if rule.expression is None]
    if brought:
        rows.append(("brings columns", "", element("code", ", ".join(brought))))
    if rows:
        heads = {"Part": "name", "In words": "said", "As written": "said"}
        yield table("The rules of the operation", heads, rows)


def _sample(step: ReportStep, report: RunReport) -> Iterator[Markup]:
    sample = step.sample
    if sample is None or not sample.rows:
        return
    shown = _chosen(step, sample, report)
    heads = {f.name: "number" if f.type.is_numeric else "short" for f in shown}
    set_here = {rule.column for rule in step.rules} if step.type == "update" else set()
    rows = []
    for i, row in enumerate(sample.rows):
        was = sample.was[i] if sample.was else {}
        rows.append([_cell(f, row[f.name], was, changed=f.name in set_here) for f in shown])
    of = f" of {number(_touched(step), 'row')}" if step.counts is not None else ""
    columns = f", {len(shown)} of {len(sample.fields)} columns"
    left_out = columns if len(shown) < len(sample.fields) else ""
    caption = f"{len(sample.rows)}{of} that it {_DID[step.type]}{left_out}"
    yield table(caption, heads, rows, kind="samples")


def _chosen(step: ReportStep, sample: Sample, report: RunReport) -> list[Field]:
    """The columns that say most: the first two, those the operation sets and the one that is
    followed, then others that hold anything."""
    wanted = {rule.column for rule in step.rules if rule.expression is not None}
    if report.followed is not None:
        wanted.add(report.followed.column)
    holding = [
        f
        for f in sample.fields
        if f.name in wanted or any(row[f.name] is not None for row in sample.rows)
    ]
    first = [f for i, f in enumerate(holding) if i < 2 or f.name in wanted]
    others = [f for f in holding if f not in first]
    return [*first, *others][: max(_MOST_COLUMNS, len(first))]


def _cell(field: Field, value: Value, was: Mapping[str, Value], *, changed: bool) -> Markup:
    before = was.get(field.name)
    if value is None:
        text = element("span", "NULL", class_="quiet")
    elif changed and before != value:
        text = element("span", format_value(value), class_="changed")
    else:
        text = joined(format_value(value))
    if not changed or before is None or before == value:
        return text
    return joined(element("span", format_value(before), class_="was"), " ", text)
