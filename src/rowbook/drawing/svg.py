"""A plan as a picture: one SVG document, without anything from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rowbook.drawing.colours import KINDS, MONO, SANS, in_both
from rowbook.drawing.flow import Flow, Note, flow_of
from rowbook.drawing.layout import (
    AFTER_TITLE,
    LABEL,
    LINE,
    MARGIN,
    PADDING,
    TITLE,
    Arrow,
    Box,
    FlowLayout,
    lay_out,
)
from rowbook.drawing.markup import Markup, element, joined
from rowbook.drawing.text_widths import fitted, fitted_end
from rowbook.lineage.column_lineage import OutputLineage
from rowbook.runs.run_plan.plan_model import RunPlan
from rowbook.text.plan_words import days, headline

_BIG, _TITLE, _NOTE, _SMALL = 20.0, 14.0, 12.0, 11.0
_STRIPE = 4.0
_BOLD = 1.12

STYLE = (
    f".picture text {{font-family: {SANS}; font-size: {_NOTE:g}px}}"
    f".picture .big {{font-size: {_BIG:g}px; font-weight: 600}}"
    f".picture .title {{font-size: {_TITLE:g}px; font-weight: 600}}"
    f".picture .label, .picture .link {{font-size: {_SMALL:g}px}}"
    f".picture .code, .picture .new {{font-family: {MONO}}}"
    ".picture .arrow {fill: none; stroke-width: 1.5}"
    + in_both(
        ".picture .ground {fill: $ground}"
        ".picture text {fill: $text}"
        ".picture .plain, .picture .path, .picture .link, .picture .days {fill: $quiet}"
        ".picture .new {fill: $new}"
        ".picture .bad {fill: $bad}"
        ".picture .card {fill: $card; stroke: $edge}"
        ".picture .arrow {stroke: $quiet}"
        ".picture .tip {fill: $quiet}"
        + "".join(f".picture .is-{kind} {{fill: ${kind}}}" for kind in KINDS)
    )
)
"""The rules of the picture; all of them hold inside `.picture` alone."""

_TIP = Markup(
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"'
    ' markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 Z" class="tip"></path>'
    "</marker></defs>"
)


def plan_svg(plan: RunPlan, lineage: Sequence[OutputLineage] = ()) -> str:
    return flow_svg(flow_of(plan, lineage), headline(plan), days(plan))


def flow_svg(flow: Flow, title: str, said: str) -> str:
    """A whole document, with a heading and a line below it."""
    layout = lay_out(flow, headed=True)
    return _svg(title, layout, element("style", Markup(STYLE)), *_heading(title, said, layout))


def picture(flow: Flow, title: str) -> Markup:
    """The picture without heading, for a page that has one, and the picture's rules."""
    return _svg(title, lay_out(flow, headed=False), Markup())


def _svg(title: str, layout: FlowLayout, style: Markup, *heading: Markup) -> Markup:
    return element(
        "svg",
        element("title", title),
        style,
        _TIP,
        element("rect", class_="ground", width=layout.width, height=layout.height),
        *heading,
        *(_arrow(each) for each in layout.arrows),
        *(_box(each) for each in layout.boxes),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        viewBox=f"0 0 {layout.width:g} {layout.height:g}",
        width=layout.width,
        height=layout.height,
        role="img",
    )


def _heading(title: str, said: str, layout: FlowLayout) -> Iterator[Markup]:
    room = layout.width - 2 * MARGIN
    yield _text(title, "big", MARGIN, MARGIN + _BIG, room, _BIG * _BOLD)
    yield _text(said, "days", MARGIN, MARGIN + _BIG + LINE + 2, room, _NOTE)


def _arrow(arrow: Arrow) -> Markup:
    line = element(
        "path",
        d=f"M{arrow.x1:g} {arrow.y1:g} L{arrow.x2:g} {arrow.y2:g}",
        class_="arrow",
        marker_end="url(#tip)",
    )
    room = arrow.x2 - arrow.x1 - 20
    if not arrow.label:
        return line
    return joined(line, _text(arrow.label, "link", arrow.x1 + 8, arrow.y1 - 6, room, _SMALL))


def _box(box: Box) -> Markup:
    card, x, y = box.card, box.x, box.y
    inner, room = x + PADDING + _STRIPE, box.width - 2 * PADDING - _STRIPE
    y_label = y + PADDING + LABEL
    y_title = y_label + TITLE
    notes = (
        _note(note, inner, y_title + AFTER_TITLE + LINE * line, room)
        for line, note in enumerate(card.notes, start=1)
    )
    return element(
        "g",
        element("rect", class_="card", x=x, y=y, width=box.width, height=box.height, rx=6),
        element("rect", class_=f"is-{card.kind}", x=x, y=y, width=_STRIPE, height=box.height, rx=2),
        _text(card.label, f"label is-{card.kind}", inner, y_label, room, _SMALL),
        _text(card.title, "title", inner, y_title, room, _TITLE * _BOLD),
        *notes,
    )


def _note(note: Note, x: float, y: float, room: float) -> Markup:
    if note.tone == "path":
        return _drawn(fitted_end(note.text, room, _NOTE), note.text, note.tone, x, y)
    monospaced = note.tone in ("code", "new")
    return _text(note.text, note.tone, x, y, room, _NOTE, monospaced=monospaced)


def _text(
    text: str, kind: str, x: float, y: float, room: float, size: float, *, monospaced: bool = False
) -> Markup:
    return _drawn(fitted(text, room, size, monospaced=monospaced), text, kind, x, y)


def _drawn(shown: str, text: str, kind: str, x: float, y: float) -> Markup:
    """A line of text; where it was cut, it is whole in a tooltip."""
    whole = (element("title", text),) if shown != text else ()
    return element("text", *whole, shown, class_=kind, x=x, y=y)
