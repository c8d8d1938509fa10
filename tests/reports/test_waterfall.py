"""The picture of a total: a bar for each operation that moved it, drawn to scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from rowbook.engine.measure.figures import Moved
from rowbook.reports.model import Followed, ReportStep
from rowbook.reports.waterfall import waterfall
from tests.reports.samples import CONVERT, FOLLOWED, STEPS

NOTHING = Decimal("0.00")


def steps_to(*totals: str, start: str = "0.00") -> list[ReportStep]:
    """Operations after which the total is as given."""
    before, made = Decimal(start), []
    for seq, total in enumerate(map(Decimal, totals), start=1):
        change = Moved(max(total - before, NOTHING), max(before - total, NOTHING))
        made.append(replace(CONVERT, seq=seq, name=f"op {seq}", total=total, moved=change))
        before = total
    return made


def near(place: float) -> object:
    """A place to a hundredth of a pixel."""
    return pytest.approx(place, abs=0.01)


def bars(steps: Sequence[ReportStep], followed: Followed) -> list[tuple[str, float, float]]:
    """Kind, left end and width of each bar."""
    drawn = waterfall(steps, followed)
    assert drawn is not None
    found = re.findall(r'<rect class="(\w+)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn)
    return [(kind, float(x), float(width)) for kind, x, width in found]


def texts(steps: Sequence[ReportStep], followed: Followed) -> list[str]:
    return re.findall(
        r"<text[^>]*>(?:<title>[^<]*</title>)?([^<]*)<", waterfall(steps, followed) or ""
    )


def test_bars_begin_where_the_one_before_ended() -> None:
    found = bars(steps_to("150", "50", start="100"), Followed("x", Decimal(100), 1))
    (first, zero, hundred), (up, gained_at, gained), (down, lost_at, lost), (last, _, end) = found
    assert (first, up, down, last) == ("sum", "up", "down", "sum")
    assert gained_at == near(zero + hundred)
    assert (gained, lost, end) == (near(hundred / 2), near(hundred), near(hundred / 2))
    assert lost_at == near(zero + hundred / 2)


def test_totals_below_zero_lie_left_of_it() -> None:
    (_, zero, _), (kind, left, width), *_ = bars(steps_to("-10"), Followed("x", NOTHING, 1))
    assert kind == "down"
    assert left + width == near(zero)


def test_changes_and_totals_are_written_beside_them() -> None:
    assert texts(STEPS, FOLLOWED) == [
        *("change", "total"),
        *("Input", "−1,500.00"),
        *("10  Convert", "+249.50", "−1,250.50"),
        *("20  Drop", "0.00", "−1,250.50"),
        *("At the end", "−1,250.50"),
    ]


def test_there_is_no_picture_where_nothing_can_move() -> None:
    still = [replace(step, moved=None) for step in STEPS]
    assert waterfall(still, FOLLOWED) is None


def test_of_very_many_changes_the_smaller_ones_are_drawn_as_one() -> None:
    totals = [str(i) for i in range(1, 101)]
    large = [str(100 + 50 * i) for i in range(1, 41)]
    labels = texts(steps_to(*totals, *large), Followed("x", NOTHING, 1))
    assert "100 smaller changes" in labels
    assert "100  op 100" not in labels
    assert "101  op 101" in labels
    assert labels[-1] == "2,100"


def test_a_name_that_is_too_long_is_whole_in_its_tooltip() -> None:
    long = replace(CONVERT, name="w" * 200)
    drawn = waterfall([long], FOLLOWED) or ""
    assert f"<title>10  {'w' * 200}</title>" in drawn
    assert "www…" in drawn
