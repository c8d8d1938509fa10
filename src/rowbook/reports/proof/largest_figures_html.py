"""The largest figures of a run in its report: what each is made of, and how to go on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rowbook.drawing.markup import Markup, element, joined
from rowbook.reports.model import RunReport
from rowbook.reports.proof.cell_html import value_html
from rowbook.reports.proof.explanation_html import explanation_sections, outcome_pill
from rowbook.runs.proof.largest_figures import RunFigure
from rowbook.text.plan_words import one_line

_SAID = (
    "The largest figures of outputs that sum up rows, and the totals of others. The run was"
    " computed once more for this, in Python, on what it read."
)


def largest_figures_html(report: RunReport) -> Iterator[Markup]:
    if not report.largest:
        return
    yield element("h2", "What the largest figures are made of")
    yield element("p", _SAID, class_="quiet")
    outputs = set[int]()
    for each in report.largest:
        yield _figure(each, report.run_id, is_open=each.seq not in outputs)
        outputs.add(each.seq)


def _figure(each: RunFigure, run_id: str, *, is_open: bool) -> Markup:
    found, request = each.found, each.request
    figure = value_html(found.figure) if found else joined("")
    where = f" where {one_line(request.where)}" if request.where else ""
    heading = element(
        "h3",
        element("span", f"{each.seq} output", class_="kind type-output"),
        f" {one_line(request.column)} ",
        element("span", figure, class_="figure"),
    )
    said = element("span", f"{where or ' in all rows'} of {one_line(each.output)} ", class_="quiet")
    why = f"It is not explained here: {one_line(each.why)}."
    inside = explanation_sections(found, 4) if found else [element("p", why)]
    return element(
        "details",
        element("summary", heading, said, *([outcome_pill(found)] if found else [])),
        *inside,
        element("p", "More of it: ", element("code", explain_command(each, run_id))),
        class_="step",
        open="open" if is_open else None,
    )


def explain_command(each: RunFigure, run_id: str) -> str:
    """What to type for the same figure."""
    request = each.request
    words = ["rowbook", "explain", run_id, "--output", str(each.seq), "--column", request.column]
    return " ".join(map(_typed, [*words, *(["--where", request.where] if request.where else [])]))


def _typed(word: str) -> str:
    """A word of a command for a shell: texts in conditions have quotes, so others are around."""
    simple = shlex.quote(word)
    return f'"{word}"' if simple != word and not set(word) & set('"$`!\\') else simple
