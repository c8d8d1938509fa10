"""A plan as a Mermaid flowchart: text that wikis and code hosts draw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rowbook.drawing.flow import Card, Flow, flow_of
from rowbook.lineage.column_lineage import OutputLineage
from rowbook.runs.run_plan.plan_model import RunPlan
from rowbook.text.visible import visible

_LONGEST = 60
_SPECIAL = re.compile(r"[^\w .,:/()=%…·-]|(?<![^\W_])_|_(?![^\W_])|^-")
"""What Mermaid, Markdown or HTML might read as more than text; `_` inside a word is none."""
_SHAPES = {"dataset": ("[(", ")]"), "table": ("[/", "/]")}


def plan_mermaid(plan: RunPlan, lineage: Sequence[OutputLineage] = ()) -> str:
    return "".join(f"{line}\n" for line in _lines(flow_of(plan, lineage)))


def _lines(flow: Flow) -> Iterator[str]:
    yield "flowchart TD"
    yield f"    input{mermaid_node(flow.start)}"
    before = "input"
    for at, row in enumerate(flow.rows, start=1):
        step = f"step{at}"
        yield f"    {step}{mermaid_node(row.step)}"
        yield f"    {before} --> {step}"
        for n, link in enumerate(row.reads, start=1):
            yield f"    {step}read{n}{mermaid_node(link.card)}"
            yield f"    {step}read{n} -->|{mermaid_text(link.label)}| {step}"
        for n, link in enumerate(row.writes, start=1):
            yield f"    {step}write{n}{mermaid_node(link.card)}"
            yield f"    {step} -->|{mermaid_text(link.label)}| {step}write{n}"
        before = step


def mermaid_node(card: Card) -> str:
    opened, closed = _SHAPES.get(card.kind, ("[", "]"))
    text = mermaid_text(card.label, card.title, *(note.text for note in card.notes))
    return f"{opened}{text}{closed}"


def mermaid_text(*lines: str) -> str:
    """Quoted, with nothing in it that means more than itself."""
    return f'"{"<br/>".join(_escaped(line) for line in lines)}"'


def _escaped(text: str) -> str:
    """The text, cut to what a box has room for, with special characters by their numbers."""
    cut = visible(text)
    cut = cut if len(cut) <= _LONGEST else f"{cut[: _LONGEST - 1]}…"
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", cut)
