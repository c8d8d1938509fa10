"""A report in a real browser: no script runs, nothing is asked for elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.reports.report_page import report_html
from tests.reports.browser import loaded, trap
from tests.reports.samples import COMPLETED, HOSTILE

pytestmark = pytest.mark.slow


def test_hostile_names_neither_run_nor_ask(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    with trap() as server:
        text = report_html(HOSTILE).replace("http://127.0.0.1:9/", server.url(""))
        page.write_text(text, encoding="utf-8")
        shown = loaded(page)
    assert server.asked == []
    assert "<title>owned</title>" not in shown
    assert "<script" not in shown
    assert "<img" not in shown
    assert shown.count("&lt;script&gt;document.title='owned'&lt;/script&gt;") > 40


def test_a_page_that_did_would_be_noticed(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    with trap() as server:
        bad = f"<script>document.title='owned'</script><img src={server.url('x')}>"
        page.write_text(f"<!doctype html><title>a</title>{bad}", encoding="utf-8")
        shown = loaded(page)
    assert server.asked == ["/x"]
    assert "<title>owned</title>" in shown


def test_what_slipped_through_would_be_stopped_by_the_policy(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    with trap() as server:
        bad = f"<script>document.title='owned'</script><img src={server.url('x')}>"
        text = report_html(COMPLETED).replace("<main>", f"<main>{bad}")
        page.write_text(text, encoding="utf-8")
        shown = loaded(page)
    assert server.asked == []
    assert "<title>owned</title>" not in shown
