"""The colours of pictures and pages, for light and dark surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Palette: TypeAlias = Mapping[str, str]

LIGHT: Palette = {
    "ground": "#f6f7f9",
    "card": "#ffffff",
    "edge": "#c3c9d2",
    "text": "#1b212b",
    "quiet": "#566072",
    "new": "#1a7f37",
    "bad": "#c0262d",
    "dataset": "#56657a",
    "table": "#8a5a00",
    "update": "#1f63c4",
    "aggregate": "#7a3fc0",
    "append": "#1a7f37",
    "delete": "#c0262d",
    "output": "#8a5a00",
}
DARK: Palette = {
    "ground": "#12161c",
    "card": "#1c222b",
    "edge": "#3b4555",
    "text": "#e8ecf2",
    "quiet": "#a3aebe",
    "new": "#5fce7d",
    "bad": "#ff8a8a",
    "dataset": "#9fb0c6",
    "table": "#e2b35c",
    "update": "#78aefc",
    "aggregate": "#c39bff",
    "append": "#5fce7d",
    "delete": "#ff8a8a",
    "output": "#e2b35c",
}
KINDS = ("dataset", "table", "update", "aggregate", "append", "delete", "output")
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def in_both(rules: str) -> str:
    return f"{_filled(rules, LIGHT)}@media (prefers-color-scheme: dark) {{{_filled(rules, DARK)}}}"


def _filled(rules: str, palette: Palette) -> str:
    for name in sorted(palette, key=len, reverse=True):
        rules = rules.replace(f"${name}", palette[name])
    return rules
