"""A plan as a page: the picture, then everything that is read and done, without anything from
elsewhere and without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rowbook.drawing.colours import KINDS, MONO, SANS, in_both
from rowbook.drawing.flow import flow_of
from rowbook.drawing.markup import Markup, element, joined, page
from rowbook.drawing.svg import STYLE as PICTURE_STYLE
from rowbook.drawing.svg import picture
from rowbook.lineage.column_lineage import OutputLineage
from rowbook.planning.columns import is_system
from rowbook.runs.run_plan.plan_model import (
    PlannedColumn,
    PlannedRead,
    PlannedStep,
    PlannedWrite,
    RunPlan,
)
from rowbook.text.plan_words import (
    at_destination,
    at_source,
    brought,
    days,
    headline,
    manner,
    one_line,
    parameter_text,
    read_facts,
    rows_read,
    unpivot_text,
    windowed,
)
from rowbook.text.visible import number

STYLE = (
    f"body {{font: 15px/1.5 {SANS}; margin: 0 auto; max-width: 1240px; padding: 24px}}"
    "h1 {font-size: 26px; margin: 0} h2 {font-size: 19px; margin: 32px 0 8px}"
    "figure {margin: 24px 0; overflow-x: auto} .picture {height: auto; max-width: 100%}"
    "table {border-collapse: collapse; margin: 8px 0}"
    "th, td {padding: 4px 16px 4px 0; text-align: left; vertical-align: top}"
    "th {font-weight: 600} th, .whole {white-space: nowrap} td {overflow-wrap: anywhere}"
    "details {border-radius: 6px; margin: 8px 0; padding: 8px 14px}"
    "details details {margin: 8px 0 0; padding: 4px 0} summary {cursor: pointer}"
    f"code {{font: 13px {MONO}}} p {{margin: 4px 0}}"
    + in_both(
        ":root {color-scheme: light dark} body {background: $ground; color: $text}"
        "th, td {border-bottom: 1px solid $edge}"
        "details {background: $card; border: 1px solid $edge} details details {border: 0}"
        ".quiet {color: $quiet} .bad {color: $bad} .new {color: $new}"
        + "".join(f".type-{kind} {{color: ${kind}}}" for kind in KINDS)
    )
    + PICTURE_STYLE
)


def plan_html(plan: RunPlan, lineage: Sequence[OutputLineage] = ()) -> str:
    before = (plan.columns, *(step.columns for step in plan.steps))
    main = element(
        "main",
        element("h1", headline(plan)),
        *(element("p", one_line(text)) for text in [plan.description] if text),
        element("p", days(plan), class_="quiet"),
        *(element("p", f"warning: {each}", class_="bad") for each in plan.warnings),
        *_parameters(plan),
        element("figure", picture(flow_of(plan, lineage), headline(plan))),
        element("h2", "What is read"),
        *(_read(each, plan) for each in plan.reads),
        element("h2", "What is done"),
        *(_step(step, columns, plan) for step, columns in zip(plan.steps, before, strict=False)),
        *_expectations(plan),
    )
    return page(headline(plan), STYLE, main)


def _parameters(plan: RunPlan) -> Iterator[Markup]:
    if plan.parameters:
        yield element("h2", "Parameters")
        yield element("ul", *(element("li", parameter_text(each)) for each in plan.parameters))


def _read(read: PlannedRead, plan: RunPlan) -> Markup:
    role = "the input, " if read is plan.reads[0] else ""
    summary = element(
        "summary",
        element("strong", read.dataset),
        f" version {read.version}: {role}{rows_read(read, plan)}",
    )
    rule = f"by rule '{read.rule}' of resolver {read.resolver}" if read.rule else ""
    rows = (
        (
            element("code", each.location),
            element("span", ", ".join(each.periods), class_="whole"),
            element("span", at_source(each.found), class_=None if each.is_sound else "bad"),
            ", ".join(each.undeclared),
            element("span", ", ".join(each.lacking), class_="bad"),
        )
        for each in read.locations
    )
    headings = ("location", "for", "there", "not declared, not loaded", "declared, not there")
    is_open = None if all(each.is_sound for each in read.locations) else "open"
    table = _table(headings, rows)
    wide = element("p", unpivot_text(read.unpivot)) if read.unpivot else ""
    said = element("p", rule, class_="quiet")
    return element("details", summary, table, wide, said, open=is_open)


def _step(step: PlannedStep, before: Sequence[PlannedColumn], plan: RunPlan) -> Markup:
    summary = element(
        "summary",
        element("span", f"{step.seq} {step.type}", class_=f"type-{step.type}"),
        " ",
        element("strong", one_line(step.name)),
    )
    facts = [(element("strong", label), said) for label, said in _facts(step, plan)]
    values = [
        (
            element("code", value.column, class_="new" if value.is_new else None),
            value.type,
            element("code", one_line(value.expression)),
        )
        for value in step.values
        if value.expression is not None
    ]
    return element(
        "details",
        summary,
        *(element("p", one_line(text), class_="quiet") for text in [step.description] if text),
        *([_table((), facts)] if facts else []),
        *([_table(("column", "type", "value"), values)] if values else []),
        _columns(step, before),
        open="open",
    )


def _facts(step: PlannedStep, plan: RunPlan) -> Iterator[tuple[str, Markup]]:
    for label, said in read_facts(step):
        yield label, element("code", one_line(said))
    if step.selector is not None:
        yield "where", element("code", one_line(step.selector))
    for name, text in step.named_selectors.items():
        yield f"selector {name}", element("code", one_line(text))
    if step.group_by:
        yield "group by", element("code", ", ".join(step.group_by))
    for window in step.windows:
        yield "window", element("code", windowed(window))
    for level in step.levels:
        keys = element("code", ", ".join(level.group_by)) if level.group_by else joined("over all")
        yield f"level {level.name}", keys
    if names := brought(step):
        yield "columns", element("code", ", ".join(names))
    if step.loosened:
        yield "may be NULL now", element("code", ", ".join(step.loosened))
    if step.writes is not None:
        yield from _writes(step.writes, plan)


def _writes(write: PlannedWrite, plan: RunPlan) -> Iterator[tuple[str, Markup]]:
    yield "writes", joined(element("code", write.destination), f": {manner(write, plan)}")
    yield number(len(write.columns), "column"), element("code", ", ".join(write.columns))
    if (there := at_destination(write)) is not None:
        yield "there now", joined(there)
    if write.registered_as is not None:
        yield "registers", joined(f"dataset {write.registered_as}")


def _expectations(plan: RunPlan) -> Iterator[Markup]:
    if plan.expectations:
        rows = (
            (
                element("strong", one_line(each.name)),
                each.owner or "",
                element("span", each.at, class_="whole"),
                element("code", one_line(each.that)),
                one_line(each.words),
            )
            for each in plan.expectations
        )
        yield element("h2", "What is expected")
        yield _table(("name", "dataset", "at", "that", ""), rows)
    if plan.quarantine is not None:
        yield element("h2", "Where quarantined rows go")
        facts = _writes(plan.quarantine, plan)
        yield _table((), [(element("strong", label), said) for label, said in facts])


def _columns(step: PlannedStep, before: Sequence[PlannedColumn]) -> Markup:
    """The columns after a step, business first; new ones are marked."""
    known = {column.name for column in before}
    rows = (
        (
            element("code", column.name, class_=None if column.name in known else "new"),
            column.type,
            "" if column.nullable else "not null",
            "of the system" if is_system(column.name) else "",
        )
        for column in step.columns
    )
    said = f"{number(len(step.columns), 'column')} after it"
    table = _table(("column", "type", "", ""), rows)
    return element("details", element("summary", said, class_="quiet"), table)


def _table(headings: Iterable[str], rows: Iterable[Sequence[str]]) -> Markup:
    cells = [element("tr", *(element("td", cell) for cell in row)) for row in rows]
    heads = [element("th", heading, scope="col") for heading in headings]
    top = [element("thead", element("tr", *heads))] if heads else []
    return element("table", *top, element("tbody", *cells))
