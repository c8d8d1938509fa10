"""The style of a report: every class that a page uses has one, colours of both palettes are in."""

from __future__ import annotations

import re

import pytest

from rowbook.drawing.colours import DARK, KINDS, LIGHT
from rowbook.reports.report_page import report_html
from rowbook.reports.style import STYLE
from tests.reports.page_checks import elements_in
from tests.reports.samples import COMPLETED, FAILED


def test_braces_close_and_no_colour_is_left_to_be_filled_in() -> None:
    depth = 0
    for char in STYLE:
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0
    assert "$" not in STYLE


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_operation_has_its_colour_in_light_and_dark(kind: str) -> None:
    light, dark = STYLE.split("@media (prefers-color-scheme: dark)", 1)
    assert f".type-{kind} {{color: {LIGHT[kind]}}}" in light
    assert f".type-{kind} {{color: {DARK[kind]}}}" in dark


def test_every_class_of_a_page_is_styled() -> None:
    named = set(re.findall(r"\.([a-z][a-z-]*)", STYLE))
    for report in (COMPLETED, FAILED):
        classes = elements_in(report_html(report)).attributes["class"]
        used = {name for each in classes for name in each.split()}
        assert used - named == set()


def test_a_printed_page_is_a4_and_shows_what_is_folded() -> None:
    assert "@page {size: A4" in STYLE
    printed = STYLE[STYLE.index("@media print") :]
    assert "details::details-content {block-size: auto; content-visibility: visible}" in printed
