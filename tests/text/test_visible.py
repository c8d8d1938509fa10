"""Texts that may hold anything, fit to be shown."""

from __future__ import annotations

import pytest

from rowbook.text.visible import number, visible, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", ""), ("a é 日", "a é 日"), ("a\nb\tc", "a·b·c"), ("\x1b[31m", "·[31m"), ("\u202e", "·")],
)
def test_what_a_terminal_would_take_as_a_command_is_a_dot(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_number_has_its_noun() -> None:
    assert [number(count, "row") for count in (0, 1, 2, 12345)] == [
        *("0 rows", "1 row", "2 rows", "12,345 rows"),
    ]


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 1), ("日本", 4), ("Ａ", 2)]
)
def test_a_text_is_as_wide_as_it_looks(text: str, columns: int) -> None:
    assert width(text) == columns
