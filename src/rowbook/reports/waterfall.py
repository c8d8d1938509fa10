"""The way of a total through the operations, as a picture: where it began, what each operation
moved, where it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from rowbook.drawing.colours import SANS, in_both
from rowbook.drawing.markup import Markup, element
from rowbook.drawing.text_widths import fitted
from rowbook.engine.measure.figures import Number
from rowbook.reports.figure_checks import minus
from rowbook.reports.model import Followed, ReportStep
from rowbook.text.number_format import format_number, format_signed
from rowbook.text.visible import number

_WIDTH, _ROW, _TOP = 1000.0, 28.0, 30.0
_LABEL, _BARS, _CHANGE = 270.0, 640.0, 820.0
"""Where labels, bars and changes end; totals end at the right."""
_TEXT, _BAR, _LEAST = 13.0, 16.0, 2.0
_MOST = 40

STYLE = (
    ".waterfall {display: block; height: auto; min-width: 660px; width: 100%}"
    f".waterfall text {{font: {_TEXT:g}px {SANS}; font-variant-numeric: tabular-nums}}"
    ".waterfall .right {text-anchor: end} .waterfall .whole {font-weight: 600}"
    ".waterfall .line {stroke-width: 1}"
    + in_both(
        ".waterfall text {fill: $text} .waterfall .head {fill: $quiet}"
        ".waterfall .line {stroke: $edge} .waterfall .sum {fill: $dataset}"
        ".waterfall .up {fill: $append} .waterfall .down {fill: $delete}"
        ".waterfall .none {fill: $quiet}"
    )
)


@dataclass(frozen=True, slots=True)
class _Bar:
    """A line of the picture; a sum begins at 0."""

    label: str
    begins: Number
    ends: Number
    is_sum: bool = False

    @property
    def change(self) -> Number:
        return minus(self.ends, self.begins)


def waterfall(steps: Sequence[ReportStep], followed: Followed) -> Markup | None:
    """The picture; None where no operation moved the total. Where very many did, the smaller
    changes that follow each other are one bar."""
    bars = tuple(_bars(steps, followed))
    if len(bars) < 3:
        return None
    height = _TOP + _ROW * len(bars) + 6
    scale = _Scale.of(bars)
    return element(
        "svg",
        element("title", f"The total of {followed.column} from operation to operation"),
        *_heading(),
        element("path", class_="line", d=f"M{scale.zero:g} {_TOP:g} V{height - 6:g}"),
        *(part for i, bar in enumerate(bars) for part in _drawn(bar, i, scale)),
        *_links(bars, scale),
        xmlns="http://www.w3.org/2000/svg",
        class_="waterfall",
        viewBox=f"0 0 {_WIDTH:g} {height:g}",
        role="img",
    )


def _bars(steps: Sequence[ReportStep], followed: Followed) -> Iterator[_Bar]:
    nothing: Number = Decimal(0)
    total = nothing if followed.opening is None else followed.opening
    yield _Bar("Input", nothing, total, is_sum=True)
    moves: list[_Bar] = []
    for step in steps:
        if step.moved is not None and step.total is not None:
            moves.append(_Bar(f"{step.seq}  {step.name}", total, step.total))
            total = step.total
    yield from _fewer(moves)
    yield _Bar("At the end", nothing, total, is_sum=True)


def _fewer(moves: Sequence[_Bar]) -> Iterator[_Bar]:
    ranked = sorted(range(len(moves)), key=lambda i: -abs(float(moves[i].change)))
    large = set(ranked[:_MOST])
    waiting: list[_Bar] = []
    for i, move in enumerate(moves):
        if i in large:
            yield from _as_one(waiting)
            waiting = []
            yield move
        else:
            waiting.append(move)
    yield from _as_one(waiting)


def _as_one(moves: Sequence[_Bar]) -> Iterator[_Bar]:
    if moves:
        label = number(len(moves), "smaller change")
        yield _Bar(label, moves[0].begins, moves[-1].ends)


@dataclass(frozen=True, slots=True)
class _Scale:
    zero: float
    unit: float

    @classmethod
    def of(cls, bars: Sequence[_Bar]) -> _Scale:
        ends = [0.0, *(float(each) for bar in bars for each in (bar.begins, bar.ends))]
        low, high = min(ends), max(ends)
        unit = (_BARS - _LABEL) / ((high - low) or 1.0)
        return cls(_LABEL - low * unit, unit)

    def at(self, amount: Number) -> float:
        return self.zero + float(amount) * self.unit


def _heading() -> Iterator[Markup]:
    for text, x, kind in (("change", _CHANGE, "head right"), ("total", _WIDTH - 4, "head right")):
        yield element("text", text, class_=kind, x=x, y=_TOP - 12)


def _drawn(bar: _Bar, row: int, scale: _Scale) -> Iterator[Markup]:
    top = _TOP + _ROW * row
    base = top + _ROW / 2 + _TEXT / 3
    label = fitted(bar.label, _LABEL - 24, _TEXT, monospaced=False)
    whole = (element("title", bar.label),) if label != bar.label else ()
    yield element("text", *whole, label, class_="whole" if bar.is_sum else None, x=4, y=base)
    left, right = sorted((scale.at(bar.begins), scale.at(bar.ends)))
    yield element(
        "rect",
        class_=_kind(bar),
        x=left,
        y=top + (_ROW - _BAR) / 2,
        width=max(right - left, _LEAST),
        height=_BAR,
        rx=2,
    )
    if not bar.is_sum:
        yield element("text", format_signed(bar.change), class_="right", x=_CHANGE, y=base)
    total = "right whole" if bar.is_sum else "right"
    yield element("text", format_number(bar.ends), class_=total, x=_WIDTH - 4, y=base)


def _kind(bar: _Bar) -> str:
    if bar.is_sum:
        return "sum"
    return "up" if bar.change > 0 else "down" if bar.change < 0 else "none"


def _links(bars: Sequence[_Bar], scale: _Scale) -> Iterator[Markup]:
    for row, (bar, _) in enumerate(pairwise(bars)):
        x, y = scale.at(bar.ends), _TOP + _ROW * row + (_ROW + _BAR) / 2
        yield element("path", class_="line", d=f"M{x:g} {y:g} v{_ROW - _BAR:g}")
