"""Tables in sheets: where they are, what names their columns, which rows they have."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rowbook.sources.files.excel.sheet_table import SheetPlace, SheetRows, read_rows
from tests.sources.files.excel.books import write_book
from tests.support.refusal import refusal

CHART = [["account", "name"], [1000, "Cash"], [2000, "Loans"]]
TITLED = [
    ["Chart of accounts"],
    [],
    [None, "account", "name"],
    [None, 1000, "Cash"],
]


def rows(folder: Path, cells: Sequence[Any], **options: str) -> SheetRows:
    path = write_book(folder / "chart.xlsx", ("Sheet1", cells))
    return read_rows(path, "chart.xlsx", SheetPlace.of(options), None)


def test_the_first_row_that_is_not_empty_names_the_columns(tmp_path: Path) -> None:
    found = rows(tmp_path, [[], [], *CHART])
    assert found.columns == {"account": [1000.0, 2000.0], "name": ["Cash", "Loans"]}
    assert (found.header.row, found.numbers) == (3, [4, 5])


@pytest.mark.parametrize("options", [{"header_row": "3"}, {"range": "B3:C"}, {"range": "b3:c4"}])
def test_a_header_may_stand_below_a_title(tmp_path: Path, options: dict[str, str]) -> None:
    found = rows(tmp_path, TITLED, **options)
    assert found.columns == {"account": [1000.0], "name": ["Cash"]}


def test_a_range_takes_its_rows_and_columns_alone(tmp_path: Path) -> None:
    cells = [["a", "b", "c"], [1, 2, 3], [4, 5, 6], [7, 8, 9]]
    found = rows(tmp_path, cells, range="A1:B3")
    assert found.columns == {"a": [1.0, 4.0], "b": [2.0, 5.0]}


def test_empty_rows_are_no_rows(tmp_path: Path) -> None:
    found = rows(tmp_path, [["a", "b"], [1, None], [], [None, 2], [], [None, None]])
    assert found.numbers == [2, 4]
    assert found.columns == {"a": [1.0, None], "b": [None, 2.0]}


def test_numbers_and_dates_name_columns_as_they_are_read(tmp_path: Path) -> None:
    found = rows(tmp_path, [[2024, date(2026, 1, 31), " spaces "], [1, 2, 3]])
    assert list(found.columns) == ["2024", "2026-01-31", "spaces"]


def test_a_table_may_have_no_rows(tmp_path: Path) -> None:
    found = rows(tmp_path, [["a", "b"]])
    assert (found.columns, found.numbers) == ({"a": [], "b": []}, [])


def test_columns_that_are_not_wanted_are_not_kept(tmp_path: Path) -> None:
    path = write_book(tmp_path / "chart.xlsx", ("Sheet1", CHART))
    found = read_rows(path, "chart.xlsx", SheetPlace(), ("name",))
    assert list(found.columns) == ["name"]
    assert list(found.header.columns) == ["account", "name"]


@pytest.mark.parametrize(
    ("cells", "options", "code", "message"),
    [
        ([["a", None, "c"], [1, 2, 3]], {}, "DATASOURCE_013",
         "chart.xlsx Sheet1!B1 is empty, and should name a column"),
        ([["a", "b", "a"]], {}, "DATASOURCE_013",
         "chart.xlsx Sheet1!C1: column 'a' stands at A1 too"),
        ([["a", True]], {}, "DATASOURCE_013",
         "chart.xlsx Sheet1!B1 holds True, which is no name of a column"),
        ([["a"], [1, 2], [3, None]], {}, "DATASOURCE_013",
         "chart.xlsx Sheet1!B2 holds a value, but B1 is empty, and should name the column"),
        ([["a", "b"], [1, 2]], {"range": "A1:C9"}, "DATASOURCE_013",
         "chart.xlsx Sheet1!C1 is empty, and should name a column"),
        ([["a"], [], [1]], {"header_row": "2"}, "DATASOURCE_013",
         "chart.xlsx Sheet1!2:2 is empty, and should name the columns"),
        ([["a"], [1]], {"header_row": "9"}, "DATASOURCE_012",
         "row 9 is outside of the cells of chart.xlsx Sheet1, A1:A2"),
        ([["a"], [1]], {"range": "D1:E2"}, "DATASOURCE_012",
         "range D1:E2 is outside of the cells of chart.xlsx Sheet1, A1:A2"),
        ([], {}, "DATASOURCE_012", "chart.xlsx Sheet1 has no cells"),
    ],
)  # fmt: skip
def test_what_is_no_header_is_refused_with_its_cell(
    tmp_path: Path, cells: list[list[Any]], options: dict[str, str], code: str, message: str
) -> None:
    assert refusal(lambda: rows(tmp_path, cells, **options), code).message == message


@pytest.mark.parametrize("merged", ["A1:B1", "B1:B2"])
def test_merged_cells_in_a_header_are_refused(tmp_path: Path, merged: str) -> None:
    path = write_book(tmp_path / "chart.xlsx", ("Sheet1", [["a", "b"], [1, 2]]), merged=merged)
    found = refusal(lambda: read_rows(path, "chart.xlsx", SheetPlace(), None), "DATASOURCE_013")
    assert found.message == f"chart.xlsx Sheet1!{merged}: cells of the header are merged"
