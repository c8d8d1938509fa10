"""Where the cards of a flow stand: the operations as a spine, what they read on its left, what they
write on its right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowbook.drawing.flow import Card, Flow, Link, Row

MARGIN, HEADING = 24.0, 60.0
PADDING = 12.0
LABEL, TITLE, AFTER_TITLE, LINE = 12.0, 21.0, 2.0, 18.0
_SIDE, _SPINE = 270.0, 420.0
_LEFT_GAP, _RIGHT_GAP = 120.0, 80.0
_BETWEEN_ROWS, _BETWEEN_CARDS = 34.0, 14.0


@dataclass(frozen=True, slots=True)
class Box:
    card: Card
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Arrow:
    x1: float
    y1: float
    x2: float
    y2: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class FlowLayout:
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def lay_out(flow: Flow, *, headed: bool) -> FlowLayout:
    """A side that nothing stands on takes no room; above all, a heading if there is one."""
    left = _SIDE + _LEFT_GAP if any(row.reads for row in flow.rows) else 0.0
    right = _SIDE + _RIGHT_GAP if any(row.writes for row in flow.rows) else 0.0
    spine = MARGIN + left
    top = MARGIN + HEADING if headed else MARGIN
    before = Box(flow.start, spine, top, _SPINE, _height(flow.start))
    boxes, arrows = [before], []
    for row in flow.rows:
        y = before.bottom + _BETWEEN_ROWS
        step = Box(row.step, spine, y, _SPINE, _row_height(row))
        middle = spine + _SPINE / 2
        arrows.append(Arrow(middle, before.bottom, middle, y))
        for box, link in _stacked(row.reads, MARGIN, step):
            boxes.append(box)
            arrows.append(Arrow(box.right, box.middle, spine, box.middle, link.label))
        for box, link in _stacked(row.writes, step.right + _RIGHT_GAP, step):
            boxes.append(box)
            arrows.append(Arrow(step.right, box.middle, box.x, box.middle, link.label))
        boxes.append(step)
        before = step
    width = MARGIN + left + _SPINE + right + MARGIN
    return FlowLayout(width, before.bottom + MARGIN, tuple(boxes), tuple(arrows))


def _height(card: Card) -> float:
    return PADDING + LABEL + TITLE + AFTER_TITLE + LINE * len(card.notes) + PADDING


def _stack_height(links: Sequence[Link]) -> float:
    return sum(_height(link.card) + _BETWEEN_CARDS for link in links) - _BETWEEN_CARDS


def _row_height(row: Row) -> float:
    """An operation is as high as what stands beside it, so that all arrows are level."""
    return max(_height(row.step), _stack_height(row.reads), _stack_height(row.writes))


def _stacked(links: Sequence[Link], x: float, step: Box) -> Iterator[tuple[Box, Link]]:
    y = step.middle - _stack_height(links) / 2
    for link in links:
        box = Box(link.card, x, y, _SIDE, _height(link.card))
        yield box, link
        y = box.bottom + _BETWEEN_CARDS
