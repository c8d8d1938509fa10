"""Tables of a report: with a caption, numbers to the right, scrolling where there is no room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rowbook.drawing.markup import Markup, element


def table(
    caption: str,
    heads: Mapping[str, str | None],
    rows: Iterable[Sequence[str]],
    *,
    kind: str | None = None,
) -> Markup:
    """`heads` gives the kind of each column. The first cell of a row is its heading."""
    body = [element("tr", *_cells(row, heads.values())) for row in rows]
    top = (element("th", text, class_=of, scope="col") for text, of in heads.items())
    inside = (element("thead", element("tr", *top)), element("tbody", *body))
    return scrolling(element("table", element("caption", caption), *inside), caption, kind)


def _cells(row: Sequence[str], kinds: Iterable[str | None]) -> Iterator[Markup]:
    for i, (kind, cell) in enumerate(zip(kinds, row, strict=True)):
        yield element("td" if i else "th", cell, class_=kind, scope=None if i else "row")


def scrolling(inside: Markup, called: str, kind: str | None = None) -> Markup:
    """What may be wider than the screen; it can be reached and moved by keyboard too."""
    shown = f"scroll {kind}" if kind else "scroll"
    return element("div", inside, class_=shown, role="region", aria_label=called, tabindex=0)
