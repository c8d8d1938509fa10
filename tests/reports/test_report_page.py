"""Pages as they shall be, in `goldens/`; `python -m` this module writes them anew."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rowbook.reports.model import RunReport
from rowbook.reports.report_page import report_html
from rowbook.reports.style import STYLE
from tests.reports.samples import COMPLETED, EVIL, HOSTILE, REPORTS

GOLDENS = Path(__file__).parent / "goldens"
_VOID = {"meta"}


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


class _Elements(HTMLParser):
    """What a page has: elements, attributes, texts; every element is closed where it shall be."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.attributes: dict[str, set[str]] = {}
        self.headings: list[int] = []
        self.tables = self.captions = 0
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.tables += tag == "table"
        self.captions += tag == "caption"
        if tag not in _VOID:
            self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def close(self) -> None:
        super().close()
        assert self._open == []


def elements_in(page: str) -> _Elements:
    found = _Elements()
    found.feed(page)
    found.close()
    return found


def elements_of(report: RunReport) -> _Elements:
    return elements_in(report_html(report))


@pytest.mark.parametrize("report", [*REPORTS.values(), HOSTILE])
def test_a_page_needs_nothing_from_elsewhere_and_no_scripts(report: RunReport) -> None:
    found = elements_of(report)
    assert found.tags.isdisjoint({"script", "img", "link", "iframe", "object", "form", "a", "base"})
    assert found.attributes.keys().isdisjoint({"src", "href", "style", "srcset", "action"})
    assert not any(name.startswith("on") for name in found.attributes)
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
    page = report_html(HOSTILE)
    usual = elements_of(COMPLETED)
    found = elements_of(HOSTILE)
    assert found.tags <= usual.tags
    assert found.attributes.keys() <= usual.attributes.keys()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 40, "they are all shown"
    for mark in "\u202e\u2066\u0000":
        assert mark not in page
    assert EVIL not in page


@pytest.mark.parametrize("report", REPORTS.values())
def test_headings_go_down_one_level_at_a_time_and_tables_have_captions(report: RunReport) -> None:
    found = elements_of(report)
    assert found.headings[0] == 1
    assert found.headings.count(1) == 1
    steps = zip(found.headings, found.headings[1:], strict=False)
    assert all(below <= above + 1 for above, below in steps)
    assert found.tables == found.captions > 0


def test_a_report_without_figures_says_how_to_get_them() -> None:
    page = report_html(REPORTS["failed"])
    assert "Amounts and sample rows are missing from operation 20" in page


if __name__ == "__main__":
    for each, made in REPORTS.items():
        (GOLDENS / f"{each}.html").write_text(body_of(made), encoding="utf-8")
