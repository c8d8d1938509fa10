"""Bars as SVG, drawn by hand: one panel for each case, each with a scale of its own.

Without a background, and in colours that can be read on white and on black; where the viewer says
which of them it is, text gets more contrast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.measuring.results import Results, shown_seconds

_WIDTH, _LABEL, _VALUE = 760, 190, 90
_BAR, _GAP, _PANEL_GAP, _TOP = 20, 6, 34, 44
_STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #768390 }
  .title { font-size: 15px; font-weight: 600 }
  .case { font-weight: 600 }
  .first { fill: #d9730d } .other { fill: #7d8a97 }
  .none { font-style: italic }
  @media (prefers-color-scheme: light) { text { fill: #57606a } .title { fill: #24292f } }
  @media (prefers-color-scheme: dark) { text { fill: #9da7b1 } .title { fill: #e6edf3 } }
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """A contestant's figure and how it is written; without a figure, only what is written."""

    value: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One case: a bar for each contestant."""

    title: str
    bars: Mapping[str, Bar]


def panel(results: Results, case: str) -> Panel:
    """The medians of a case."""
    made: dict[str, Bar] = {}
    for name in results.contestants():
        spread = results.spread(name, case)
        if spread is None:
            made[name] = Bar(None, results.failure(name, case) or "not measured")
        else:
            made[name] = Bar(spread.median, shown_seconds(spread.median))
    return Panel(case, made)


def bars(title: str, panels: Sequence[Panel], emphasised: str) -> str:
    """The chart; the bars of one contestant stand out."""
    parts: list[str] = [_text(0, 18, title, "title")]
    y = _TOP
    for panel in panels:
        parts.append(_text(0, y + 12, panel.title, "case"))
        y += _BAR + _GAP
        longest = max((bar.value for bar in panel.bars.values() if bar.value), default=1.0)
        for name, bar in panel.bars.items():
            parts += _row(y, name, bar, longest, "first" if name == emphasised else "other")
            y += _BAR + _GAP
        y += _PANEL_GAP - _BAR
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 {_WIDTH} {y}" width="{_WIDTH}"'
        f' height="{y}" role="img" aria-label="{escape(title, quote=True)}">\n'
        f"<style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def _row(y: int, name: str, bar: Bar, longest: float, kind: str) -> list[str]:
    label = _text(_LABEL - 10, y + 15, name, "label", anchor="end")
    if bar.value is None:
        return [label, _text(_LABEL, y + 15, bar.text, "none")]
    width = max(2.0, (_WIDTH - _LABEL - _VALUE - 16) * bar.value / longest)
    drawn = (
        f'<rect class="{kind}" x="{_LABEL}" y="{y}" width="{width:.1f}" height="{_BAR}" rx="2"/>'
    )
    return [label, drawn, _text(_LABEL + width + 8, y + 15, bar.text, "value")]


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    )
