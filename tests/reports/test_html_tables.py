"""Tables of a report: headings, kinds of cells, and a frame that scrolls."""

from __future__ import annotations

import pytest

from rowbook.drawing.markup import Markup, element
from rowbook.reports.html_tables import scrolling, table

HEADS = {"Name": "name", "Rows": "number", "Note": None}


def test_the_first_cell_of_a_row_is_its_heading() -> None:
    made = table("All", HEADS, [("gl", "7", "")])
    assert made == (
        '<div class="scroll" role="region" aria-label="All" tabindex="0"><table>'
        "<caption>All</caption><thead><tr>"
        '<th class="name" scope="col">Name</th><th class="number" scope="col">Rows</th>'
        '<th scope="col">Note</th></tr></thead><tbody><tr>'
        '<th class="name" scope="row">gl</th><td class="number">7</td><td></td>'
        "</tr></tbody></table></div>"
    )


def test_a_table_may_have_no_rows() -> None:
    assert "<tbody></tbody>" in table("None", HEADS, [])


def test_texts_are_escaped_and_markup_is_not() -> None:
    made = table("a < b", HEADS, [("<i>", element("b", "x"), "&")])
    assert "<caption>a &lt; b</caption>" in made
    assert '<th class="name" scope="row">&lt;i&gt;</th>' in made
    assert '<td class="number"><b>x</b></td><td>&amp;</td>' in made


def test_a_row_has_as_many_cells_as_there_are_heads() -> None:
    with pytest.raises(ValueError, match="zip"):
        table("short", HEADS, [("gl", "7")])


def test_what_scrolls_can_be_reached_by_keyboard_and_has_a_name() -> None:
    assert scrolling(Markup("<p>x</p>"), 'a "b"', "samples") == (
        '<div class="scroll samples" role="region" aria-label="a &quot;b&quot;" tabindex="0">'
        "<p>x</p></div>"
    )
