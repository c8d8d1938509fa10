"""Bars of what adds to a figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from rowbook.proof.explanation import Contribution
from rowbook.reports.proof.contribution_bars import contribution_bars
from tests.reports.page_checks import elements_in, in_order


def lines(*amounts: str | None) -> list[Contribution]:
    found = [None if each is None else Decimal(each) for each in amounts]
    return [Contribution("gl", (place,), {}, 1, each) for place, each in enumerate(found)]


def bars(found: Sequence[Contribution]) -> list[tuple[str, float, float]]:
    page = contribution_bars("c", found, None)
    drawn = re.findall(r'class="(up|down)" x="([^"]+)" y="0" width="([^"]+)"', page)
    return [(kind, float(x), float(wide)) for kind, x, wide in drawn]


def test_what_is_below_zero_lies_to_the_left_of_it() -> None:
    assert bars(lines("300", "-100", "0", None)) == [("up", 250, 750), ("down", 0, 250)]


def test_what_is_very_small_is_seen() -> None:
    assert bars(lines("1000000", "1")) == [("up", 0, 1000), ("up", 0, 4)]


def test_what_is_no_number_has_no_bar() -> None:
    witness = Contribution("gl", (), {}, 1, "abc")
    assert bars([witness]) == []
    assert "abc" in elements_in(contribution_bars("c", [witness], "abc")).texts


def test_of_many_lines_the_smaller_ones_are_one_and_all_add_up() -> None:
    page = contribution_bars("c", lines(*["2.00"] * 20, "1.50", "-0.25"), Decimal("41.25"))
    texts = elements_in(page).texts
    assert in_order(texts, "1.25", "2 smaller lines", "41.25", "together")
    assert texts.count("2.00") == 20
