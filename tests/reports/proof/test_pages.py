from __future__ import annotations

import re

from rowbook import Workspace
from rowbook.reports.proof.bars import bar, strip
from tests.runs.proof.ledgers import drafts
from tests.support.shell import Shell


def test_a_page_has_the_figure_its_rows_and_no_scripts(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    page = shell.folder / "figure.html"
    where = "entity = 'DE'"
    Workspace.open(shell.folder).explain(run, "total", output="40", where=where, page=page)
    html = page.read_text(encoding="utf-8")
    assert "<h1>total 16.00</h1>" in html
    assert "data/gl/2026-01.csv:2" in html
    assert "The lines add up to the figure: 16.00; replayed: equal" in html
    assert "4 rows in all, each in one part." in html
    assert "<script" not in html
    assert "style=" not in html


def test_the_life_of_a_row_is_a_page(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    assert shell.run("trace", run, "id=1", "-o", "life.html").code == 0
    html = (shell.folder / "life.html").read_text(encoding="utf-8")
    assert "gl: data/gl/2026-01.csv:2" in html
    assert "ROUND(10.00 * 1.1000, 2)" in html
    assert "20 wrote it to out/closed" in html


def test_parts_of_a_strip_are_as_wide_as_they_count() -> None:
    widths = re.findall(r'width="([\d.]+)"', strip([("in it", 1), ("deleted", 3)]))
    assert widths == ["250", "750"]


def test_a_bar_goes_to_the_left_of_nothing_where_it_takes_away() -> None:
    assert 'x="0"' in bar(-10.0, -10.0, 30.0)
    assert 'x="80"' in bar(30.0, -10.0, 30.0)
