"""Cells: what is read, what must not be, and how messages show it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.bound import Column
from rowbook.expressions.values import Value
from rowbook.reference.working_rows import Overflows, read_cell, seen, text_of


def test_the_first_overflow_is_told_whichever_is_read() -> None:
    overflows = Overflows()
    one, two = (overflows.note(Diagnostic("RUN_001", text)) for text in ("one", "two"))
    assert seen(7) == 7
    for cell in (one, two):
        with pytest.raises(RowbookError, match="RUN_001  one"):
            seen(cell)


def test_an_expression_reads_its_own_row_or_that_of_a_join() -> None:
    row = {None: {"x": 1}, "fx": {"x": 2}}
    own, other = (read_cell(Column(source, "x", t.INTEGER, True)) for source in (None, "fx"))
    assert (own(row), other(row)) == (1, 2)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (True, "true"),
        (Decimal("1.50"), "1.50"),
        (1e7, "1.0E7"),
        (date(2026, 1, 31), "2026-01-31"),
        (datetime(2026, 1, 31, 10, 0, 0, 500000, tzinfo=UTC), "2026-01-31 10:00:00.5"),
        (datetime(2026, 1, 31, 10, tzinfo=UTC), "2026-01-31 10:00:00"),
    ],
)
def test_values_are_shown_as_spark_shows_them(value: Value, text: str) -> None:
    assert text_of(value) == text
