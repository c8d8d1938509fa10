"""What a figure is made of: a page of its own, and the same sections within the report of a run."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.drawing.markup import Markup, element, joined, page
from rowbook.proof.explanation import ContributingRow, Explanation, JoinedShare
from rowbook.reports.html_sections import facts, list_section, page_footer
from rowbook.reports.html_tables import table
from rowbook.reports.proof.absence_strip import absence_strip
from rowbook.reports.proof.cell_html import cells_html, value_html
from rowbook.reports.proof.contribution_bars import contribution_bars
from rowbook.reports.style import STYLE
from rowbook.text.number_format import format_value
from rowbook.text.plan_words import one_line
from rowbook.text.proof_words import NOW, inputs_words, outcome_words, project_label
from rowbook.text.visible import number

_MOST = 20
_REPLAYED = {
    "equal": "in Python: equal to what was published",
    "differs": "in Python: DIFFERS from what was published",
    "no": "in Python; not compared with what was published",
}


def explanation_page(found: Explanation, seal: str | None = None) -> str:
    """`seal` is the newest over the run."""
    figure = format_value(found.figure)
    main = element("main", *_header(found), *explanation_sections(found, 2))
    title = f"{found.column} {figure}: {found.output} for {found.period}"
    said = f"`rowbook explain {found.run_id}` explains other figures of the run, and"
    trace = f"`rowbook trace {found.run_id} ROW` tells the life of a row."
    return page(title, STYLE, main, page_footer(f"{said} {trace}", seal))


def _header(found: Explanation, level: int = 1) -> Iterator[Markup]:
    figure = element("span", value_html(found.figure), class_="figure")
    yield element(
        "header",
        element(f"h{level}", one_line(found.column), " ", figure, _dated(found)),
        element("p", outcome_pill(found), " ", f"{found.output} for {found.period}"),
        facts(_facts(found)),
    )


def outcome_pill(found: Explanation) -> Markup:
    tone = "good" if found.ties and found.replayed != "differs" else "bad"
    return element("span", outcome_words(found), class_=f"status {tone}")


def _facts(found: Explanation) -> Iterator[tuple[str, str]]:
    yield "Project", project_label(found.project, found.version)
    yield "Period", found.period
    yield "Run", found.run_id
    yield "Output", f"{found.output}, {number(found.rows, 'row')}"
    yield "Inputs", inputs_words(found.inputs)
    yield "Replayed", _REPLAYED[found.replayed]


def explanation_sections(found: Explanation, level: int) -> Iterator[Markup]:
    """All but the heading; headings are of this level and those below it."""
    yield element("p", "= ", one_line(found.formula), class_="formula")
    yield from list_section("Warnings", found.warnings, "box", level=level)
    yield from _made_of(found, level)
    yield from _largest(found, level)
    yield from _joined_rows(found, level)
    if found.not_in:
        absent = number(sum(each.rows for each in found.not_in), "row")
        yield element(f"h{level}", f"What is not in it: {absent}", _dated(found))
        yield from absence_strip(found)
    for earlier in found.earlier:
        below = min(level + 1, 6)
        inside = (*_header(earlier, level), *explanation_sections(earlier, below))
        yield element("section", *inside, class_="earlier")


def _made_of(found: Explanation, level: int) -> Iterator[Markup]:
    yield element(f"h{level}", "What it is made of", _dated(found))
    if found.contributions:
        said = outcome_words(found)
        yield contribution_bars(f"It {said}", found.contributions, found.total)
    else:
        yield element("p", f"Of no rows; {outcome_words(found)}.")
    if not found.ties:
        figure, total = format_value(found.figure), format_value(found.total)
        said = f"The lines add up to {total}, the figure is {figure}."
        yield element("p", said, class_="bad")
    for part in found.parts:
        caption = f"{one_line(part.formula)} = {format_value(part.value)}"
        yield contribution_bars(f"Part {caption}", part.contributions, part.value)


def _largest(found: Explanation, level: int) -> Iterator[Markup]:
    if not found.largest:
        return
    heads: dict[str, str | None] = {"Amount": "number", "Row": "name", "Values": "said"}
    yield element(f"h{level}", "The largest rows", _dated(found))
    more = f", and {number(found.more_rows, 'more row')}" if found.more_rows else ""
    caption = f"{number(len(found.largest), 'row')}{more}; each by file and line, or table and key"
    yield table(caption, heads, map(_row, found.largest))


def _row(each: ContributingRow) -> tuple[str, ...]:
    return _amount(each), _place(each.place), cells_html(each.values)


def _joined_rows(found: Explanation, level: int) -> Iterator[Markup]:
    if not found.joined:
        return
    heads: dict[str, str | None] = {"Amount": "number", "Joined as": "short", "Row": "name"}
    heads |= {"Values": "said", "Used by rows": "number"}
    shown = found.joined[:_MOST]
    more = len(found.joined) - len(shown)
    caption = "What the rows that used them add to the figure"
    if more:
        caption += f"; {number(more, 'joined row')} more"
    yield element(f"h{level}", "Joined rows that took part", _dated(found))
    yield table(caption, heads, map(_share, shown))


def _share(each: JoinedShare) -> tuple[str, ...]:
    place = _place(each.place or "no match")
    return _amount(each), one_line(each.alias), place, cells_html(each.values), f"{each.rows:,}"


def _amount(each: ContributingRow | JoinedShare) -> str:
    return "" if each.amount is None else format_value(each.amount)


def _place(place: str) -> Markup:
    return element("code", one_line(place))


def _dated(found: Explanation) -> Markup:
    return joined(f" {NOW}" if found.inputs == "changed" else "")
