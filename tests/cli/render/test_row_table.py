"""Rows as csv that can be loaded again, and which columns are shown."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from rowbook.cli.render.row_table import choose_columns, csv_lines, rows_json
from rowbook.errors import RowbookError


def _csv(**cells: Any) -> str:
    return "".join(csv_lines(list(cells), [cells]))


def test_csv_tells_null_from_empty_text() -> None:
    assert _csv(a=None, b="", c="x") == 'a,b,c\n,"",x\n'


def test_csv_quotes_what_would_be_read_as_more_than_one_cell() -> None:
    assert _csv(a="x,y", b='say "no"', c="two\nlines") == (
        'a,b,c\n"x,y","say ""no""","two\nlines"\n'
    )


def test_csv_has_plain_numbers_and_iso_dates() -> None:
    assert _csv(
        n=Decimal("-1234567.80"), e=Decimal("1E+3"), d=date(2026, 1, 31), b=True, i=1234
    ) == ("n,e,d,b,i\n-1234567.80,1000,2026-01-31,true,1234\n")
    assert _csv(at=datetime(2026, 1, 31, 10, tzinfo=UTC), f=float("-inf")) == (
        "at,f\n2026-01-31T10:00:00Z,-Infinity\n"
    )


def test_csv_of_one_column_refuses_null_as_the_line_would_be_empty() -> None:
    assert _csv(a="x") == "a\nx\n"
    with pytest.raises(RowbookError, match="the line would be empty"):
        _csv(a=None)


def test_json_has_decimals_as_text_which_keeps_their_digits() -> None:
    row = {"a": Decimal("1.10"), "b": None, "c": 2}
    assert rows_json(["a", "b", "c"], [row]) == {
        "columns": ["a", "b", "c"],
        "rows": [{"a": "1.10", "b": None, "c": 2}],
    }


def test_columns_are_those_that_are_named_else_all_but_the_systems() -> None:
    known = ("a", "b", "_row_id", "_period")
    assert choose_columns(known, None, system=False) == ["a", "b", "_period"]
    assert choose_columns(known, None, system=True) == list(known)
    assert choose_columns(known, "b, _row_id", system=False) == ["b", "_row_id"]
    with pytest.raises(RowbookError, match="there is no column 'c'"):
        choose_columns(known, "c", system=False)
