"""Pages of a past run, from Python and by commands, without Spark."""

from __future__ import annotations

import shutil
from pathlib import Path

from rowbook import Workspace
from tests.reports.page_checks import check_page, elements_in, in_order
from tests.runs.proof.ledgers import drafts
from tests.support.shell import Shell


def texts_of(path: Path) -> list[str]:
    page = path.read_text(encoding="utf-8")
    check_page(page)
    return elements_in(page).texts


def test_a_figure_becomes_a_page(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    page = shell.folder / "figure.html"
    where = "entity = 'DE'"
    Workspace.open(shell.folder).explain(run, "total", output="40", where=where, page=page)
    texts = texts_of(page)
    assert in_order(texts, "total", "16.00", "adds up to the figure, replayed: equal", run)
    assert in_order(texts, "What it is made of", "16.00", "gl", "16.00", "together")
    assert in_order(texts, "The largest rows", "data/gl/2026-01.csv:2")
    assert in_order(texts, "4", "rows looked at")


def test_the_life_of_a_row_is_a_page(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    ended = shell.run("trace", run, "id=1", "-o", "life.html")
    assert (ended.code, ended.out) == (0, "wrote life.html\n")
    texts = texts_of(shell.folder / "life.html")
    assert in_order(texts, "data/gl/2026-01.csv:2", "10 update", "convert", "usd", "11.00")
    assert in_order(texts, "ROUND(10.00 * 1.1000, 2)", "20 output", "out/closed", "30 aggregate")


def test_a_place_that_cannot_be_written_is_refused(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    ended = shell.run("explain", run, "--output", "40", "--column", "total", "-o", "no/page.html")
    assert (ended.code, "there is no such folder" in ended.err) == (2, True)


def test_a_report_explains_the_largest_figures_or_says_why_not(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    workspace = Workspace.open(shell.folder)
    workspace.report(run, shell.folder / "report.html")
    texts = texts_of(shell.folder / "report.html")
    assert in_order(texts, "20 output", "usd", "in all rows of publish", "What it is made of")
    assert in_order(texts, "40 output", "total", "16.00", "where entity = 'DE' of report")
    shutil.rmtree(shell.folder / ".rowbook" / "evidence")
    rates = shell.folder / "data" / "rates.csv"
    rates.write_text(rates.read_text(encoding="utf-8").replace("1.1", "1.2"), encoding="utf-8")
    workspace.report(run, shell.folder / "later.html")
    said = [each for each in texts_of(shell.folder / "later.html") if "not explained here" in each]
    assert len(said) == 2, "one for each output"
    assert all("data/rates.csv" in each for each in said)
