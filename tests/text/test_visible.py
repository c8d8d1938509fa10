"""Texts as wide as they look, and cut to fit."""

from __future__ import annotations

import pytest

from rowbook.text.visible import clip, pad, visible, width


def test_what_a_terminal_would_obey_is_a_dot() -> None:
    assert visible("a\033[31mb\rc") == "a·[31mb·c"


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("帳簿", 4), ("e\u0301", 1), ("", 0)])
def test_wide_letters_take_two_columns_and_marks_none(text: str, columns: int) -> None:
    assert width(text) == columns


def test_numbers_are_filled_up_at_their_left() -> None:
    assert (pad("帳", 4), pad("12", 4, right=True)) == ("帳  ", "  12")


@pytest.mark.parametrize(
    ("around", "expected"), [(0, "abcdefg…"), (12, "…klmnop…"), (25, "…tuvwxyz")]
)
def test_a_text_is_cut_such_that_a_place_is_seen(around: int, expected: str) -> None:
    assert clip("abcdefghijklmnopqrstuvwxyz", 8, around) == expected


def test_a_text_that_fits_is_whole() -> None:
    assert clip("帳簿", 4) == "帳簿"


@pytest.mark.parametrize(
    ("text", "columns", "around", "seen"),
    [
        ("abcdef", 6, 0, "abcdef"),
        ("abcdefgh", 6, 0, "abcde…"),
        ("abcdefgh", 6, 7, "…defgh"),
        ("abcdefghijklmnop", 7, 8, "…ghijk…"),
        ("帳簿帳簿", 6, 0, "帳簿…"),
    ],
)
def test_a_long_text_is_cut_around_what_must_be_seen(
    text: str, columns: int, around: int, seen: str
) -> None:
    assert clip(text, columns, around) == seen
    assert width(seen) <= columns
