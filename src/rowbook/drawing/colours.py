"""The colours of pictures and pages, for light and dark surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Palette: TypeAlias = Mapping[str, str]

_COLOURS = {
    "ground": ("#f6f7f9", "#12161c"),
    "card": ("#ffffff", "#1c222b"),
    "edge": ("#c3c9d2", "#3b4555"),
    "text": ("#1b212b", "#e8ecf2"),
    "quiet": ("#566072", "#a3aebe"),
    "new": ("#1a7f37", "#5fce7d"),
    "bad": ("#c0262d", "#ff8a8a"),
    "dataset": ("#56657a", "#9fb0c6"),
    "table": ("#8a5a00", "#e2b35c"),
    "update": ("#1f63c4", "#78aefc"),
    "aggregate": ("#7a3fc0", "#c39bff"),
    "append": ("#1a7f37", "#5fce7d"),
    "delete": ("#c0262d", "#ff8a8a"),
    "output": ("#8a5a00", "#e2b35c"),
}
"""By name: on light ground, and on dark."""

LIGHT: Palette = {name: light for name, (light, _) in _COLOURS.items()}
DARK: Palette = {name: dark for name, (_, dark) in _COLOURS.items()}
KINDS = ("dataset", "table", "update", "aggregate", "append", "delete", "output")
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def in_both(rules: str) -> str:
    return f"{_filled(rules, LIGHT)}@media (prefers-color-scheme: dark) {{{_filled(rules, DARK)}}}"


def _filled(rules: str, palette: Palette) -> str:
    for name in sorted(palette, key=len, reverse=True):
        rules = rules.replace(f"${name}", palette[name])
    return rules
