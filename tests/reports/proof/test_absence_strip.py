"""The strip of all rows that were looked at."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from rowbook.drawing.markup import joined
from rowbook.proof.explanation import Absence, Explanation
from rowbook.reports.proof.absence_strip import absence_strip, strip_parts
from tests.reports.page_checks import elements_in, in_order
from tests.reports.proof.proof_samples import EXPLAINED

MANY = replace(EXPLAINED, not_in=tuple(Absence(f"why {n}", n, n, None) for n in range(1, 12)))


def test_rows_in_the_figure_come_first_and_parts_are_all_rows() -> None:
    found = [(each.kind, each.label, each.rows) for each in strip_parts(EXPLAINED)]
    assert found == [
        ("in", "in the figure", 3),
        ("delete", "deleted by 10 'Drop'", 5),
        ("table", "not chosen by 30 'Totals'", 2),
    ]


@pytest.mark.parametrize("found", [EXPLAINED, MANY, replace(MANY, largest=(), more_rows=0)])
def test_the_parts_of_the_picture_lie_side_by_side_and_fill_it(found: Explanation) -> None:
    strip = next(absence_strip(found))
    boxes = re.findall(r'x="([^"]+)" y="0" width="([^"]+)"', strip)
    ends = [(float(x), float(x) + float(wide)) for x, wide in boxes]
    assert len(ends) == len(strip_parts(found))
    assert ends[0][0] == 0
    assert ends[-1][1] == pytest.approx(1000, abs=0.01)
    for (_, end), (begin, _) in pairwise(ends):
        assert begin == pytest.approx(end, abs=0.01)


def test_the_table_adds_them_up() -> None:
    texts = elements_in(joined(*absence_strip(EXPLAINED))).texts
    assert in_order(texts, "3", "30.0 %", "in the figure", "70.00")
    assert in_order(texts, "5", "50.0 %", "deleted by 10 'Drop'", "data/gl.csv:4, data/gl.csv:5, …")
    assert in_order(texts, "2", "20.0 %", "−8.00", "data/gl.csv:9, …", "10", "rows looked at")


def test_there_is_no_strip_of_no_rows() -> None:
    assert list(absence_strip(replace(EXPLAINED, largest=(), more_rows=0, not_in=()))) == []
