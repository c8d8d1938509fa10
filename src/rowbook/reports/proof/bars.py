"""Bars for what adds to a figure, and a strip for what is not in it."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.drawing.colours import in_both
from rowbook.drawing.markup import Markup, element

_WIDE, _HIGH = 320, 14
_STRIP, _STRIP_HIGH = 1000, 26
_SHADES = 6

STYLE = (
    ".bar {height: 14px; max-width: 320px; width: 100%} .strip {height: 26px; width: 100%}"
    ".time {border-left: 3px solid; margin: 12px 0 12px 8px; padding-left: 18px}"
    ".time > section {margin: 0 0 14px; position: relative}"
    ".time h3 {font-size: 15px} .time .quiet {font-size: 13px}"
    + in_both(
        ".bar .more, .strip .more {fill: $new} .bar .less {fill: $bad}"
        ".bar .axis {stroke: $edge} .time {border-color: $edge}"
        ".strip rect {stroke: $card} "
        + "".join(
            f".strip .part-{n} {{fill: ${kind}}}"
            for n, kind in enumerate(
                ("update", "aggregate", "output", "dataset", "delete", "append")
            )
        )
    )
)


def bar(amount: float, smallest: float, largest: float) -> Markup:
    """From nothing to an amount, between the smallest and the largest of all."""
    low, high = min(smallest, 0.0), max(largest, 0.0)
    unit = _WIDE / (high - low) if high > low else 0.0
    axis, length = -low * unit, abs(amount) * unit
    start = axis if amount >= 0 else axis - length
    return element(
        "svg",
        element("line", x1=axis, x2=axis, y1=0, y2=_HIGH, class_="axis"),
        element(
            "rect",
            x=start,
            y=2,
            width=max(length, 0.5),
            height=_HIGH - 4,
            class_="more" if amount >= 0 else "less",
        ),
        viewBox=f"0 0 {_WIDE} {_HIGH}",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
    )


def strip(parts: Sequence[tuple[str, int]]) -> Markup:
    """Parts of a whole beside each other, as wide as they count; the first is what is in it."""
    whole = sum(count for _, count in parts) or 1
    place, rects = 0.0, list[Markup]()
    for number, (label, count) in enumerate(parts):
        width = _STRIP * count / whole
        kind = "more" if not number else f"part-{(number - 1) % _SHADES}"
        title = element("title", f"{label}: {count:,}")
        rects.append(
            element("rect", title, x=place, y=0, width=width, height=_STRIP_HIGH, class_=kind)
        )
        place += width
    return element(
        "svg",
        *rects,
        viewBox=f"0 0 {_STRIP} {_STRIP_HIGH}",
        preserveAspectRatio="none",
        class_="strip",
        role="img",
        aria_label="; ".join(f"{label}: {count:,}" for label, count in parts),
    )
