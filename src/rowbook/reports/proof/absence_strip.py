"""All rows that were looked at for a figure, as a strip: those in it, and those that are not, by
reason. The parts add up to the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rowbook.drawing.markup import Markup, element, joined
from rowbook.expressions.values import Value
from rowbook.proof.explanation import Explanation
from rowbook.reports.html_tables import table
from rowbook.reports.proof.proof_style import PART_KINDS
from rowbook.text.number_format import format_value
from rowbook.text.plan_words import one_line
from rowbook.text.visible import number
from rowbook.value_class import dataclass

_WIDE, _HIGH = 1000.0, 30.0


@dataclass(frozen=True, slots=True)
class StripPart:
    kind: str
    label: str
    rows: int
    amount: Value = None
    places: tuple[str, ...] = ()


def strip_parts(found: Explanation) -> tuple[StripPart, ...]:
    """The rows in the figure first, where there are any. They are counted once each, however many
    lines of contributions they are in."""
    inside = len(found.largest) + found.more_rows
    parts = [StripPart("in", "in the figure", inside, found.total)] if inside else []
    for place, each in enumerate(found.not_in):
        kind = PART_KINDS[place] if place < len(PART_KINDS) else "other"
        parts.append(StripPart(kind, each.reason, each.rows, each.amount, each.places))
    return tuple(parts)


def absence_strip(found: Explanation) -> Iterator[Markup]:
    parts = strip_parts(found)
    total = sum(each.rows for each in parts)
    if not total:
        return
    yield _strip(parts, total)
    heads: dict[str, str | None] = {"": None, "Rows": "number", "Share": "number", "What": "said"}
    heads |= {"Amount": "number", "Such as": "name"}
    rows: list[tuple[str, ...]] = [
        (
            _swatch(each),
            f"{each.rows:,}",
            f"{100 * each.rows / total:.1f} %",
            one_line(each.label),
            "" if each.amount is None else format_value(each.amount),
            _places(each),
        )
        for each in parts
    ]
    strong = [element("strong", text) for text in (f"{total:,}", "rows looked at")]
    rows.append((joined(""), strong[0], "", strong[1], "", ""))
    said = "The amount of rows that are not in it is what they had, as far as they came"
    yield table(said, heads, rows)


def _strip(parts: Sequence[StripPart], total: int) -> Markup:
    drawn, left = [], 0
    for each in parts:
        label = f"{number(each.rows, 'row')}: {one_line(each.label)}"
        drawn.append(
            element(
                "rect",
                element("title", label),
                class_=f"part-{each.kind}",
                x=_WIDE * left / total,
                y=0,
                width=_WIDE * each.rows / total,
                height=_HIGH,
            )
        )
        left += each.rows
    return element(
        "svg",
        element("title", "The rows that were looked at, by what became of them"),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        class_="strip",
        viewBox=f"0 0 {_WIDE:g} {_HIGH:g}",
        preserveAspectRatio="none",
        role="img",
    )


def _swatch(part: StripPart) -> Markup:
    box = element("rect", class_=f"part-{part.kind}", width=14, height=14, rx=3)
    return element(
        "svg",
        box,
        xmlns="http://www.w3.org/2000/svg",
        class_="swatch",
        viewBox="0 0 14 14",
        aria_hidden="true",
    )


def _places(part: StripPart) -> str:
    if not part.places:
        return ""
    more = ", …" if part.rows > len(part.places) else ""
    return element("code", one_line(", ".join(part.places)), more)
