"""Chance that is the same everywhere."""

from __future__ import annotations

from rowbook.starter.chance import Chance


def test_parts_add_up_to_the_total() -> None:
    for sum_ in (-100_003, 0, 7, 999_999):
        parts = Chance("parts", sum_).split(sum_, 7)
        assert (len(parts), sum(parts)) == (7, sum_)
