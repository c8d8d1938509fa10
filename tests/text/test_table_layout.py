"""Which columns fit, and how wide they are."""

from __future__ import annotations

from rowbook.text.table_layout import (
    TextColumn,
    columns_that_fit,
    fit_widths,
    natural_widths,
    table_lines,
    total_width,
)

COLUMNS = (
    TextColumn("seq", numeric=True),
    TextColumn("operation", long="cut"),
    TextColumn("type", spare=2),
    TextColumn("rows", numeric=True, spare=1),
)
NATURAL = [3, 40, 6, 4]


def test_a_column_is_as_wide_as_its_widest_text() -> None:
    rows = [["1", "帳簿帳簿帳簿", "update", "10"]]
    assert natural_widths(COLUMNS, rows) == [3, 12, 6, 4]


def test_spare_columns_go_first_and_others_never() -> None:
    assert columns_that_fit(COLUMNS, NATURAL, 80) == [0, 1, 2, 3]
    assert columns_that_fit(COLUMNS, NATURAL, 30) == [0, 1, 3]
    assert columns_that_fit(COLUMNS, NATURAL, 5) == [0, 1]


def test_what_is_left_goes_to_the_columns_that_give_way() -> None:
    widths = fit_widths(COLUMNS, NATURAL, 50)
    assert widths == [3, 31, 6, 4]
    assert total_width(widths) == 50
    assert fit_widths(COLUMNS, NATURAL, None) == NATURAL


def test_rows_that_are_too_wide_for_a_table_are_lists() -> None:
    rows = [(("J1", 10), "line 4")]
    assert list(table_lines(("id", "n"), rows, 80)) == ["    id     n", "    'J1'  10  (line 4)"]
    assert list(table_lines(("id", "n"), rows, 18)) == [
        "    id: 'J1',",
        "      n: 10",
        "      (line 4)",
    ]
