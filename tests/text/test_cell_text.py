"""Cells as people and programs read them, and texts cut to fit a line."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rowbook.expressions import types as t
from rowbook.text.cell_text import (
    JsonValue,
    Unfit,
    as_json,
    encodable,
    first_difference,
    format_both,
    format_cell,
    one_line,
)

if TYPE_CHECKING:
    from rowbook.text.cell_text import Cell

CELLS: list[tuple[Cell, str, JsonValue]] = [
    (None, "NULL", None),
    ("", "''", ""),
    (" x ", "' x '", " x "),
    ("NULL", "'NULL'", "NULL"),
    ("a\nb", "'a\\nb'", "a\nb"),
    (True, "true", True),
    (7, "7", 7),
    (Decimal("10.50"), "10.50", "10.50"),
    (Decimal("1E+3"), "1000", "1000"),
    (Decimal("0E-18"), "0.000000000000000000", "0.000000000000000000"),
    (0.5, "0.5", 0.5),
    (math.nan, "NaN", "NaN"),
    (math.inf, "Infinity", "Infinity"),
    (-math.inf, "-Infinity", "-Infinity"),
    (date(2026, 1, 31), "2026-01-31", "2026-01-31"),
    (datetime(2026, 1, 31, 10, tzinfo=UTC), "2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"),
    (Unfit("much", t.decimal(18, 2)), "'much' (no decimal(18,2))", "much"),
]


@pytest.mark.parametrize(("cell", "text", "value"), CELLS)
def test_a_cell_is_told_apart_for_people_and_exact_for_programs(
    cell: Cell, text: str, value: JsonValue
) -> None:
    assert format_cell(cell) == text
    assert as_json(cell) == value
    json.dumps(as_json(cell), allow_nan=False)


def test_texts_that_look_the_same_are_shown_in_ascii() -> None:
    assert format_both("é", "e\u0301") == ("'\\xe9'", "'e\\u0301'")
    assert format_both("a", "b") == ("'a'", "'b'")
    assert format_both("1", 1) == ("'1'", "1")


def test_half_a_character_becomes_its_escape() -> None:
    assert encodable("x\ud800é") == "x\\ud800é"


def test_a_name_takes_one_line() -> None:
    assert one_line("a\nb\x1b[0m\tc") == "a b [0m c"


@pytest.mark.parametrize(
    ("a", "b", "place"), [("abc", "abd", 2), ("ab", "abc", 2), ("", "", 0), ("x", "y", 0)]
)
def test_texts_differ_from_a_place_on(a: str, b: str, place: int) -> None:
    assert first_difference(a, b) == place
