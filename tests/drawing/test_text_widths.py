"""What of a text fits into a room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.drawing.text_widths import drawn_width, fitted, fitted_end


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert fitted("amount", 100, 12, monospaced=True) == "amount"
    assert fitted_end("data/gl.csv", 100, 12) == "data/gl.csv"


def test_a_text_is_cut_at_its_end_and_a_path_at_its_beginning() -> None:
    assert fitted("amount_in_dollars", 60, 10, monospaced=True) == "amount_i…"
    assert fitted_end("data/lake/2026/gl.csv", 60, 10) == "…26/gl.csv"


@pytest.mark.parametrize(("narrow", "wide"), [("iii", "mmm"), ("abc", "ABC"), ("abc", "日本語")])
def test_letters_differ_in_width(narrow: str, wide: str) -> None:
    one, other = (drawn_width(text, 12, monospaced=False) for text in (narrow, wide))
    assert one < other


@given(st.text(), st.floats(20, 400), st.booleans())
def test_what_is_cut_fits(text: str, room: float, monospaced: bool) -> None:
    shown = fitted(text, room, 12, monospaced=monospaced)
    assert drawn_width(shown, 12, monospaced=monospaced) <= room
    assert shown == text or text.startswith(shown.removesuffix("…"))
