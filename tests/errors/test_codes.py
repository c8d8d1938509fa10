"""The catalogue of codes: each once, each with a remedy."""

from __future__ import annotations

import re

import pytest

from rowbook.errors.codes import CODES, Code, _table


def test_a_code_says_what_it_means_and_what_to_do() -> None:
    assert CODES["UPDATE_001"] == Code(
        *("UPDATE_001", "no assignments", "add at least one assignment"), ("VR-001", "BR-007")
    )
    assert [code.code for code in CODES.values() if not (code.meaning and code.remedy)] == []


def test_a_code_is_a_word_and_three_digits_but_for_the_seeds_own() -> None:
    assert [code for code in CODES if not re.fullmatch(r"[A-Z]+_\d{3}", code)] == ["SYSTEM_COLUMN"]


def test_a_code_stands_once() -> None:
    row = ("X_001", "a meaning", "a remedy")
    with pytest.raises(ValueError, match="a code stands twice"):
        _table(row, row)
