"""The lives of rows as a page: a time line for each, from where it was read to what became of
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rowbook.drawing.markup import Markup, element, joined, page
from rowbook.expressions.bound_text import literal
from rowbook.proof.row_life import CellStep, JoinedMatch, LifeGroup, LifeStep, RowLife, RowTrace
from rowbook.reports.html_sections import facts, list_section, page_footer
from rowbook.reports.html_tables import table
from rowbook.reports.proof.cell_html import cells_html
from rowbook.reports.style import STYLE
from rowbook.text.plan_words import one_line
from rowbook.text.proof_words import NOW, fate_words, inputs_words, project_label
from rowbook.text.visible import number

_GOOD, _BAD = {"published"}, {"deleted", "quarantined", "not read"}


def trace_page(trace: RowTrace, seal: str | None = None) -> str:
    """`seal` is the newest over the run."""
    count = number(len(trace.rows), "row")
    title = f"The life of {count} in {trace.project} for {trace.period}"
    header = element("header", element("h1", title, _dated(trace)), facts(_facts(trace)))
    said = f"`rowbook runs show {trace.run_id}` has the record of the run."
    main = element("main", header, *_lives(trace, 2))
    return page(title, STYLE, main, page_footer(said, seal))


def _facts(trace: RowTrace) -> Iterator[tuple[str, str]]:
    yield "Project", project_label(trace.project, trace.version)
    yield "Period", trace.period
    yield "Run", trace.run_id
    yield "Inputs", inputs_words(trace.inputs)


def _lives(trace: RowTrace, level: int) -> Iterator[Markup]:
    yield from list_section("Warnings", trace.warnings, "box", level=level)
    for life in trace.rows:
        yield _life(life, trace, level)
    if trace.more:
        said = f"And {number(trace.more, 'more row')}: `--all` tells of all."
        yield element("p", said, class_="quiet")


def _life(life: RowLife, trace: RowTrace, level: int) -> Markup:
    name = f"Row {life.row_id}" if life.row_id else "A row"
    tone = "good" if life.fate in _GOOD else "bad" if life.fate in _BAD else "quiet"
    place = [" ", element("code", one_line(life.place))] if life.place else []
    return element(
        "section",
        element(f"h{level}", name, _dated(trace)),
        element(
            "p",
            element("span", life.fate, class_=f"status {tone}"),
            f" {one_line(life.dataset)}",
            *place,
        ),
        element("ol", *_events(life), class_="life"),
        *_unmet([each for each in life.steps if _is_aside(each)]),
        *(_earlier(each, level) for each in life.earlier),
    )


def _earlier(trace: RowTrace, level: int) -> Markup:
    below = min(level + 1, 6)
    said = f"Before that, in run {trace.run_id}"
    label = f"{project_label(trace.project, trace.version)} for {trace.period}"
    heading = element(f"h{below}", said, _dated(trace))
    inside = (heading, element("p", label), *_lives(trace, min(below + 1, 6)))
    return element("section", *inside, class_="earlier")


def _is_aside(step: LifeStep) -> bool:
    """What passed a row by; that it was not deleted is part of its life."""
    return step.met is False and step.type != "delete"


def _events(life: RowLife) -> Iterator[Markup]:
    if life.fate == "not read":
        yield _event("", "", "not read", [element("p", one_line(life.reason))], "delete")
        return
    values = [element("p", cells_html(life.values))]
    yield _event("", "", life.birth or "read", values, "dataset")
    groups: dict[int, list[LifeGroup]] = {}
    for group in life.groups:
        groups.setdefault(group.seq, []).append(group)
    events = [
        (step.seq, _step(step, groups.pop(step.seq, ())))
        for step in life.steps
        if not _is_aside(step)
    ]
    for seq, found in groups.items():
        inside = [element("ul", *map(_group, found))]
        events.append((seq, _event(str(seq), "aggregate", "", inside, "aggregate")))
    for each in life.outputs:
        written = joined("writes ", element("code", one_line(each.table)), " ")
        inside = [element("p", written, cells_html(each.values))]
        events.append((each.seq, _event(str(each.seq), "output", "", inside, "output")))
    yield from (event for _, event in sorted(events, key=lambda each: each[0]))
    if life.fate != "published":
        yield _event("", "", f"end: {one_line(fate_words(life))}", [], "delete")


def _step(step: LifeStep, groups: Sequence[LifeGroup]) -> Markup:
    inside: list[Markup] = []
    if not step.met or step.type == "delete":
        inside.append(_decision(step))
    elif step.condition or step.outcome:
        inside.append(element("p", *_rule(step)))
    parts = (*map(_change, step.changes), *map(_joined, step.joined), *map(_group, groups))
    if parts:
        inside.append(element("ul", *parts))
    return _event(str(step.seq), step.type, step.name, inside, step.type)


def _event(seq: str, type_: str, name: str, inside: Sequence[Markup], tone: str) -> Markup:
    kind = element("span", f"{seq} {type_}".strip(), class_=f"kind type-{tone}")
    label = joined(kind, " " if seq else "", element("strong", one_line(name)))
    return element("li", element("div", label), *inside, class_=f"of-{tone}")


def _decision(step: LifeStep) -> Markup:
    """Whether an operation picked the row, and which part of its condition decided that."""
    words = {True: "deleted", False: "not met", None: "NULL, not met"}[step.met]
    tone = "bad" if step.met else "quiet"
    return element("p", element("strong", words, class_=tone), " ", *_rule(step))


def _rule(step: LifeStep) -> Iterator[Markup]:
    if step.condition:
        yield element("code", one_line(step.condition))
    if step.outcome:
        yield joined(" → ", element("code", one_line(step.outcome)))


def _change(change: CellStep) -> Markup:
    after = one_line(literal(change.after))
    parts: list[str] = [element("code", one_line(change.column)), " "]
    if change.before is not None or change.formula:
        kind = "quiet" if change.before is None else "was"
        parts += [element("span", one_line(literal(change.before)), class_=kind), " "]
    parts += ["→ ", element("span", after, class_="changed")]
    if change.formula not in ("", literal(change.after)):
        parts += [" = ", element("code", one_line(change.formula))]
    if change.overwritten_by is not None:
        parts += [" ", element("span", f"overwritten by {change.overwritten_by}", class_="tag bad")]
    if change.is_published:
        parts += [" ", element("span", "as published", class_="tag good")]
    return element("li", *parts)


def _joined(match: JoinedMatch) -> Markup:
    label = element("span", f"{one_line(match.alias)} ", class_="quiet")
    place = element("code", one_line(match.place or "no match"))
    return element("li", label, place, " ", cells_html(match.values))


def _group(group: LifeGroup) -> Markup:
    what = f"window {group.alias}" if group.alias else f"in {group.level or 'the group'}"
    count = f"1 of {number(group.rows, 'row')}" if group.rows else ""
    return element(
        "li",
        element("span", f"{one_line(what)} ", class_="quiet"),
        cells_html(group.keys),
        element("span", count, class_="quiet"),
    )


def _unmet(steps: Sequence[LifeStep]) -> Iterator[Markup]:
    if not steps:
        return
    rows = [
        (
            str(each.seq),
            one_line(each.name),
            element("code", one_line(each.condition)),
            element("code", one_line(each.outcome)),
        )
        for each in steps
    ]
    heads = {"Seq": "number", "Operation": "name", "Condition": "said", "Of this row": "said"}
    said = f"{number(len(steps), 'operation')} passed it by"
    body = table("Their conditions were FALSE for it", heads, rows)
    yield element("details", element("summary", said), body)


def _dated(trace: RowTrace) -> Markup:
    return joined(f" {NOW}" if trace.inputs == "changed" else "")
