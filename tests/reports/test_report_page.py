"""Pages as they shall be, in `goldens/`; `python -m` this module writes them anew."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.reports.model import RunReport
from rowbook.reports.report_page import report_html
from rowbook.reports.style import STYLE
from tests.reports.page_checks import Elements, check_hostile, check_page, elements_in
from tests.reports.samples import COMPLETED, HOSTILE, REPORTS

GOLDENS = Path(__file__).parent / "goldens"


def body_of(report: RunReport) -> str:
    """The page's body, a block a line, so that differences can be read."""
    page = report_html(report)
    body = page[page.index("<body>") :]
    return re.sub(
        r"(?=<(?:section|h[123]|p|dl|div|tr|details|figure|svg|text|footer)\b)", "\n", body
    )


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_is_as_its_golden(name: str) -> None:
    golden = (GOLDENS / f"{name}.html").read_text(encoding="utf-8")
    assert body_of(REPORTS[name]) == golden


def test_the_foot_says_the_seal_and_the_command_that_checks_it() -> None:
    report = replace(next(iter(REPORTS.values())), seal="12:0123456789abcdef")
    assert "Seal 12:0123456789abcdef: `rowbook seals verify --head 12:0123456789abcdef`" in (
        body_of(report)
    )


def elements_of(report: RunReport) -> Elements:
    return elements_in(report_html(report))


@pytest.mark.parametrize("report", [*REPORTS.values(), HOSTILE])
def test_a_page_needs_nothing_from_elsewhere_and_is_well_formed(report: RunReport) -> None:
    check_page(report_html(report))
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_a_column_that_nobody_asked_for_is_explained_and_others_are_named() -> None:
    assert COMPLETED.followed is not None
    chosen = replace(COMPLETED, followed=replace(COMPLETED.followed, others=("fee", "usd")))
    said = (
        "Of the decimals, it is the one that most operations give values and whose total is not 0"
        " at the end, as far as there is one. `--report-column NAME` follows another: fee, usd."
    )
    assert said in elements_of(chosen).texts
    assert not any("--report-column" in text for text in elements_of(COMPLETED).texts)


def test_hostile_texts_stay_texts() -> None:
    check_hostile(report_html(HOSTILE), report_html(COMPLETED))


def test_a_report_without_figures_says_how_to_get_them() -> None:
    page = report_html(REPORTS["failed"])
    assert "Amounts and sample rows are missing from operation 20" in page


if __name__ == "__main__":
    for each, made in REPORTS.items():
        (GOLDENS / f"{each}.html").write_text(body_of(made), encoding="utf-8")
