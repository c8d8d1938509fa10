"""How a report looks: on a wide screen, a narrow one, in light and dark, and on A4."""

from __future__ import annotations

from rowbook.drawing.colours import KINDS, MONO, SANS, in_both
from rowbook.reports.proof.proof_style import STYLE as PROOF_STYLE
from rowbook.reports.waterfall import STYLE as WATERFALL_STYLE

STYLE = (
    "* {box-sizing: border-box}"
    f"body {{font: 15px/1.5 {SANS}; margin: 0 auto; max-width: 1160px; padding: 24px}}"
    "h1 {font-size: 27px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere}"
    "h2 {font-size: 20px; margin: 40px 0 8px; padding-bottom: 4px}"
    "h3 {font-size: 16px; margin: 0; overflow-wrap: anywhere}"
    "p {margin: 6px 0; overflow-wrap: anywhere} ul {margin: 6px 0; padding-left: 22px}"
    "td, th, code, dd, li, p, strong, h1, h3, caption {unicode-bidi: isolate}"
    f"code {{font: 13px/1.45 {MONO}; overflow-wrap: anywhere; white-space: pre-wrap}}"
    "figure {margin: 12px 0}"
    ".scroll {border-radius: 8px; margin: 8px 0; overflow-x: auto}"
    ".scroll:focus-visible {outline: 2px solid; outline-offset: 2px}"
    "table {border-collapse: collapse; font-size: 14px; width: 100%}"
    "caption {font-size: 13px; padding: 8px 10px; text-align: left}"
    "th, td {padding: 5px 10px; text-align: left; vertical-align: top}"
    "thead th {font-size: 13px; font-weight: 600; white-space: nowrap}"
    "tbody th {font-weight: 400}"
    ".number {font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap}"
    ".short {white-space: nowrap}"
    ".name, .said {overflow-wrap: anywhere} .name {min-width: 11em} .said {min-width: 18em}"
    ".status {border: 1px solid; border-radius: 999px; font-size: 13px; font-weight: 600;"
    " padding: 1px 10px; white-space: nowrap}"
    ".facts {display: grid; gap: 2px 24px; margin: 16px 0;"
    " grid-template-columns: repeat(auto-fit, minmax(min(100%, 230px), 1fr))}"
    ".facts div {padding: 6px 0} .facts dt {font-size: 12.5px}"
    ".facts dd {margin: 0; overflow-wrap: anywhere}"
    ".box {border-left: 4px solid; border-radius: 6px; margin: 16px 0; padding: 10px 16px}"
    ".box h2 {margin: 0; padding: 0}"
    ".step {border-radius: 8px; margin: 14px 0; padding: 12px 16px}"
    ".step > summary {cursor: pointer} .step > summary h3 {display: inline}"
    ".kind {font-size: 12.5px; font-weight: 600; letter-spacing: .03em; text-transform: uppercase}"
    ".english {font-size: 16px; margin: 8px 0}"
    "details summary {cursor: pointer}"
    "footer {font-size: 13px; margin-top: 40px; padding-top: 8px}"
    + in_both(
        ":root {color-scheme: light dark} body {background: $ground; color: $text}"
        "h2 {border-bottom: 1px solid $edge} .box h2 {border: 0}"
        "footer {border-top: 1px solid $edge}"
        ".scroll {background: $card; border: 1px solid $edge}"
        "th, td {border-top: 1px solid $edge} thead th {border-top: 0}"
        ".facts div {border-top: 1px solid $edge}"
        ".facts dt, .quiet, caption, thead th {color: $quiet}"
        ".step {background: $card; border: 1px solid $edge}"
        ".step .scroll {border-color: $edge}"
        ".box {background: $card; border-color: $table}"
        ".good {color: $new} .bad {color: $bad} .box.failed {border-color: $bad}"
        ".changed {font-weight: 600; color: $update}"
        ".was {color: $quiet; font-weight: 400; text-decoration: line-through}"
        + "".join(f".type-{kind} {{color: ${kind}}}" for kind in KINDS)
    )
    + WATERFALL_STYLE
    + PROOF_STYLE
    + "@media (max-width: 560px) {body {padding: 14px} h1 {font-size: 22px} .step {padding: 10px}}"
    "@page {size: A4; margin: 14mm}"
    "@media print {"
    "body {background: none; font-size: 10pt; max-width: none; padding: 0}"
    "table, code, caption, thead th {font-size: 8pt} .english {font-size: 10pt}"
    "th, td {padding: 3px 5px}"
    ".scroll {overflow: visible} .name, .said {min-width: 0}"
    "thead {display: table-header-group} tr, figure, .box {break-inside: avoid}"
    "h2, h3, summary, caption {break-after: avoid}"
    ".step, .scroll {background: none} .samples td {overflow-wrap: anywhere; white-space: normal}"
    "details::details-content {block-size: auto; content-visibility: visible}"
    "}"
)
