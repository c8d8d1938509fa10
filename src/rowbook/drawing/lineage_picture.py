"""Lineage as a picture: datasets with their columns on the left, outputs on the right, a line for
each column that another comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rowbook.drawing.colours import in_both
from rowbook.drawing.markup import Markup, element
from rowbook.drawing.mermaid import mermaid_text
from rowbook.drawing.svg import STYLE as PICTURE_STYLE
from rowbook.drawing.text_widths import fitted
from rowbook.lineage.column_lineage import ColumnSource, OutputLineage
from rowbook.lineage.influences import SourceColumn
from rowbook.runs.chains.chain_lineage import LineageResult
from rowbook.text.lineage_words import source_lines
from rowbook.value_class import dataclass

_MARGIN, _HEADING, _PADDING = 24.0, 64.0, 12.0
_LEFT, _BETWEEN, _RIGHT = 250.0, 260.0, 420.0
_TOP, _LINE, _GAP = 46.0, 20.0, 24.0
_FONT, _SMALL = 12.0, 11.0
_ROWS = "which rows"
_LEGEND = "solid: values are made of it · dotted: it decides which value or row there is"

STYLE = PICTURE_STYLE + (
    ".picture .direct, .picture .indirect {fill: none}"
    ".picture .direct {stroke-width: 1.5} .picture .indirect {stroke-dasharray: 2 4}"
    ".picture .how {text-anchor: end}"
    + in_both(
        ".picture .direct {stroke: $update} .picture .indirect {stroke: $edge}"
        ".picture .how {fill: $quiet}"
    )
)


@dataclass(frozen=True, slots=True)
class _Target:
    """A line of an output: one of its columns, or which rows it has."""

    name: str
    sources: tuple[ColumnSource, ...]
    operations: tuple[int, ...]

    @property
    def note(self) -> str:
        direct = [line for line in source_lines(self.sources) if line.kind in _SHOWN]
        by = f"by {', '.join(map(str, self.operations))}" if self.operations else ""
        kinds = ", ".join(line.kind for line in direct)
        return "  ".join(part for part in (kinds, by) if part)


_SHOWN = ("transformation", "aggregation")


@dataclass(frozen=True, slots=True)
class _Card:
    label: str
    title: str
    kind: str
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    y: float

    @property
    def height(self) -> float:
        return _TOP + _LINE * len(self.lines) + _PADDING

    def middle(self, line: int) -> float:
        return self.y + _TOP + _LINE * line + _LINE / 2


def lineage_svg(found: LineageResult) -> str:
    targets = [(each, _targets(each)) for each in found.outputs]
    left = _datasets(targets)
    right = _stacked(
        [
            (f"output {each.seq}", each.label, "output", tuple(t.name for t in lines), lines)
            for each, lines in targets
        ]
    )
    anchors = {
        SourceColumn(card.title, name): card.middle(place)
        for card in left
        for place, name in enumerate(card.lines)
    }
    lines = list(_lines(targets, right, anchors))
    width = 2 * _MARGIN + _LEFT + _BETWEEN + _RIGHT
    height = max((card.y + card.height for card in (*left, *right)), default=_HEADING) + _MARGIN
    title = f"Lineage of {found.project}"
    return element(
        "svg",
        element("title", title),
        element("style", Markup(STYLE)),
        element("rect", class_="ground", width=width, height=height),
        element("text", title, class_="big", x=_MARGIN, y=_MARGIN + 16),
        element("text", _LEGEND, class_="days", x=_MARGIN, y=_MARGIN + 38),
        *(line for line in lines if "indirect" in line),
        *(line for line in lines if "indirect" not in line),
        *(_drawn(card, _MARGIN, _LEFT) for card in left),
        *(_drawn(card, _MARGIN + _LEFT + _BETWEEN, _RIGHT) for card in right),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
    )


def lineage_mermaid(found: LineageResult) -> str:
    """Thick lines for values, dotted ones for what only decides."""
    return "".join(f"{line}\n" for line in _mermaid_lines(found))


def _targets(output: OutputLineage) -> tuple[_Target, ...]:
    columns = (_Target(each.column, each.sources, each.operations) for each in output.columns)
    rows = _Target(_ROWS, output.rows, ())
    return (*columns, *([rows] if output.rows else ()))


def _datasets(targets: Sequence[tuple[OutputLineage, tuple[_Target, ...]]]) -> list[_Card]:
    """Columns in the order in which outputs name them, direct ones first: few lines cross."""
    columns: dict[str, dict[str, None]] = {}
    for is_direct in (True, False):
        for _, lines in targets:
            for source in (each for line in lines for each in line.sources):
                if source.is_direct is is_direct:
                    columns.setdefault(source.dataset, {}).setdefault(source.column)
    return _stacked(
        [("dataset", name, "dataset", tuple(found), ()) for name, found in columns.items()]
    )


def _stacked(
    cards: Sequence[tuple[str, str, str, tuple[str, ...], Sequence[_Target]]],
) -> list[_Card]:
    y, made = _MARGIN + _HEADING, list[_Card]()
    for label, title, kind, lines, targets in cards:
        card = _Card(label, title, kind, lines, tuple(each.note for each in targets), y)
        made.append(card)
        y += card.height + _GAP
    return made


def _lines(
    targets: Sequence[tuple[OutputLineage, tuple[_Target, ...]]],
    cards: Sequence[_Card],
    anchors: Mapping[SourceColumn, float],
) -> Iterator[Markup]:
    """One for two columns; a direct one where there are both."""
    x1, x2 = _MARGIN + _LEFT, _MARGIN + _LEFT + _BETWEEN
    for card, (_, lines) in zip(cards, targets, strict=True):
        for place, target in enumerate(lines):
            ways = {each.key: False for each in target.sources}
            ways |= {each.key: True for each in target.sources if each.is_direct}
            for key, is_direct in ways.items():
                y1, y2 = anchors[key], card.middle(place)
                path = f"M{x1:g} {y1:g} C{x1 + 110:g} {y1:g} {x2 - 110:g} {y2:g} {x2:g} {y2:g}"
                tip = element("title", f"{key} → {target.name}")
                yield element("path", tip, d=path, class_="direct" if is_direct else "indirect")


def _drawn(card: _Card, x: float, width: float) -> Markup:
    inner, room = x + _PADDING + 4, width - 2 * _PADDING - 4
    texts: list[Markup] = []
    for place, name in enumerate(card.lines):
        y = card.middle(place) + 4
        is_rows = name == _ROWS
        texts.append(element("text", name, class_="plain" if is_rows else "code", x=inner, y=y))
        if card.notes and card.notes[place]:
            note = fitted(card.notes[place], room * 0.6, _SMALL, monospaced=False)
            texts.append(element("text", note, class_="how", x=x + width - _PADDING, y=y))
    return element(
        "g",
        element("rect", class_="card", x=x, y=card.y, width=width, height=card.height, rx=6),
        element("rect", class_=f"is-{card.kind}", x=x, y=card.y, width=4, height=card.height, rx=2),
        element("text", card.label, class_=f"label is-{card.kind}", x=inner, y=card.y + 18),
        element("text", card.title, class_="title", x=inner, y=card.y + 36),
        *texts,
    )


def _mermaid_lines(found: LineageResult) -> Iterator[str]:
    targets = [(each, _targets(each)) for each in found.outputs]
    names: dict[SourceColumn, str] = {}
    yield "flowchart LR"
    for at, card in enumerate(_datasets(targets), start=1):
        yield f"    subgraph dataset{at}[{mermaid_text(card.title)}]"
        for place, name in enumerate(card.lines, start=1):
            node = names[SourceColumn(card.title, name)] = f"dataset{at}column{place}"
            yield f"        {node}[{mermaid_text(name)}]"
        yield "    end"
    for output, lines in targets:
        yield f"    subgraph output{output.seq}[{mermaid_text(output.label)}]"
        for place, target in enumerate(lines, start=1):
            yield f"        output{output.seq}column{place}[{mermaid_text(target.name)}]"
        yield "    end"
    for output, lines in targets:
        for place, target in enumerate(lines, start=1):
            ways = {each.key: "-.->" for each in target.sources}
            ways |= {each.key: "==>" for each in target.sources if each.is_direct}
            for key, arrow in ways.items():
                yield f"    {names[key]} {arrow} output{output.seq}column{place}"
