"""Tables of a report: with a caption, numbers to the right, scrolling where there is no room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rowbook.drawing.markup import Markup, element


@dataclass(frozen=True, slots=True)
class ColumnHead:
    text: str
    kind: str | None = None


def table(
    caption: str,
    heads: Sequence[ColumnHead],
    rows: Iterable[Sequence[str]],
    *,
    kind: str | None = None,
) -> Markup:
    """A table. The first cell of a row is its heading."""
    body = [
        element(
            "tr",
            *(
                element("th", cell, class_=head.kind, scope="row")
                if i == 0
                else element("td", cell, class_=head.kind)
                for i, (head, cell) in enumerate(zip(heads, row, strict=True))
            ),
        )
        for row in rows
    ]
    top = element("tr", *(element("th", h.text, class_=h.kind, scope="col") for h in heads))
    inside = element(
        "table", element("caption", caption), element("thead", top), element("tbody", *body)
    )
    return scrolling(inside, caption, kind)


def scrolling(inside: Markup, called: str, kind: str | None = None) -> Markup:
    """What may be wider than the screen; it can be reached and moved by keyboard too."""
    shown = f"scroll {kind}" if kind else "scroll"
    return element("div", inside, class_=shown, role="region", aria_label=called, tabindex=0)
