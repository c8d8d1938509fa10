"""How what is particular to proofs looks: bars, strips, time lines."""

from __future__ import annotations

from rowbook.drawing.colours import KINDS, MONO, in_both

PART_KINDS = ("delete", "table", "aggregate", "append", "dataset")
"""The colours of the first reasons of a strip, in this order; others are quiet."""

STYLE = (
    "h4, h5, h6 {font-size: 15px; margin: 20px 0 4px} .box h4 {margin: 0}"
    ".figure {font-variant-numeric: tabular-nums; white-space: nowrap}"
    f".formula {{border-radius: 8px; font: 15px/1.5 {MONO}; margin: 12px 0; padding: 10px 16px}}"
    ".bar, .strip, .swatch {display: block}"
    ".bar {height: 14px; margin: 3px 0; min-width: 90px; width: 100%}"
    ".bars td:nth-child(2) {width: 26%}"
    ".strip {border-radius: 4px; height: 30px; margin: 12px 0; width: 100%}"
    ".swatch {height: 14px; margin: 4px 0; width: 14px}"
    ".cell {display: inline-block; margin-right: 12px; overflow-wrap: anywhere}"
    ".life {list-style: none; margin: 16px 0; padding: 0}"
    ".life > li {border-left: 2px solid; margin: 0 0 0 7px; padding: 0 0 16px 20px;"
    " position: relative}"
    ".life > li:last-child {padding-bottom: 0}"
    ".life > li::before {border: 3px solid; border-radius: 50%; content: ''; height: 14px;"
    " left: -8px; position: absolute; top: 5px; width: 14px}"
    ".life ul {list-style: none; padding: 0} .life ul li {margin: 4px 0}"
    ".tag {border: 1px solid; border-radius: 999px; font-size: 12px; padding: 0 8px;"
    " white-space: nowrap}"
    ".earlier {border-left: 4px solid; margin: 24px 0; padding-left: 20px}"
    + in_both(
        ".formula {background: $card; border: 1px solid $edge}"
        ".bar .up {fill: $append} .bar .down {fill: $delete} .bar .line {stroke: $edge}"
        ".strip rect {stroke: $card; stroke-width: 1px}"
        ".part-in {fill: $update} .part-other {fill: $quiet}"
        + "".join(f".part-{kind} {{fill: ${kind}}}" for kind in PART_KINDS)
        + ".life > li, .earlier {border-color: $edge}"
        ".life > li::before {background: $ground}"
        + "".join(f".life > .of-{kind}::before {{border-color: ${kind}}}" for kind in KINDS)
        + ".cell .quiet {font-size: 13px}"
    )
    + "@media print {.life > li {break-inside: avoid} .formula {background: none}"
    " .bar, .strip, .swatch {print-color-adjust: exact}}"
    "@media (max-width: 560px) {.life > li {padding-left: 14px} .earlier {padding-left: 10px}}"
)
