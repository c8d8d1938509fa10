"""Workbooks: what other programs find in them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from python_calamine import CalamineWorkbook

from rowbook.sources.files.excel.workbook_writer import SheetContent, check_size, write_workbook
from tests.support.refusal import refusal

MONEY = pa.decimal128(38, 2)


def sheet(folder: Path, name: str, kind: pa.DataType, *values: Any) -> SheetContent:
    """Rows of one column `v`, in two files."""
    half = len(values) // 2
    paths = []
    for number, part in enumerate((values[:half], values[half:])):
        path = folder / f"{name}-{number}.parquet"
        pq.write_table(pa.table({"v": pa.array(part, kind)}), path)
        paths.append(path)
    return SheetContent(name, tuple(paths), len(values))


def written(folder: Path, kind: pa.DataType, *values: Any) -> list[Any]:
    """The cells below the header, by openpyxl."""
    path = folder / "out.xlsx"
    write_workbook(path, [sheet(folder, "Rows", kind, *values)], "out.xlsx")
    return [row[0] for row in openpyxl.load_workbook(path)["Rows"].iter_rows(min_row=2)]


@pytest.mark.parametrize(
    ("kind", "value", "cell", "number_format"),
    [
        (MONEY, Decimal("1234.50"), 1234.5, "#,##0.00"),
        (MONEY, Decimal("-0.01"), -0.01, "#,##0.00"),
        (MONEY, Decimal("9999999999999.99"), 9999999999999.99, "#,##0.00"),
        (MONEY, Decimal("99999999999999.99"), "99999999999999.99", "@"),
        (pa.int64(), 123456789012345, 123456789012345, "0"),
        (pa.int64(), 2**63 - 1, "9223372036854775807", "@"),
        (pa.int64(), 10**17, 10**17, "0"),
        (pa.float64(), 0.1, 0.1, "General"),
        (pa.float64(), float("nan"), "NaN", "@"),
        (pa.float64(), float("-inf"), "-Infinity", "@"),
        (pa.bool_(), True, True, "General"),
        (pa.date32(), date(2026, 1, 31), datetime(2026, 1, 31), "yyyy-mm-dd"),
        (pa.date32(), date(1900, 2, 28), "1900-02-28", "@"),
        (
            pa.timestamp("us", "UTC"),
            datetime(2026, 1, 31, 10, 5, 7, tzinfo=UTC),
            datetime(2026, 1, 31, 10, 5, 7),
            "yyyy-mm-dd hh:mm:ss",
        ),
        (pa.string(), "=1+1", "=1+1", "General"),
        (pa.string(), "http://example.com", "http://example.com", "General"),
        (pa.string(), "007", "007", "General"),
        (pa.string(), None, None, "General"),
    ],
)
def test_a_value_is_what_it_is(
    tmp_path: Path, kind: pa.DataType, value: Any, cell: Any, number_format: str
) -> None:
    (found,) = written(tmp_path, kind, value) or [None]
    if value is None:
        assert found is None
        return
    assert (found.value, found.number_format) == (cell, number_format)


def test_a_text_that_looks_like_a_formula_is_text(tmp_path: Path) -> None:
    """Whatever reads it: a cell with a formula would have no value yet, and be a link to others."""
    written(tmp_path, pa.string(), "=1+1", "Łódź 😀", " x ")
    rows = CalamineWorkbook.from_path(tmp_path / "out.xlsx").get_sheet_by_name("Rows").to_python()
    assert rows == [["v"], ["=1+1"], ["Łódź 😀"], [" x "]]


def test_moments_far_away_are_those_that_spark_wrote(tmp_path: Path) -> None:
    """In an old form, which many readers take for nanoseconds: too small for the year 9999."""
    path, far = tmp_path / "0.parquet", datetime(9999, 12, 31, 23, 59, 59)
    table = pa.table({"v": pa.array([far], pa.timestamp("us"))})
    pq.write_table(table, path, use_deprecated_int96_timestamps=True)
    write_workbook(tmp_path / "out.xlsx", [SheetContent("Rows", (path,), 1)], "out.xlsx")
    assert openpyxl.load_workbook(tmp_path / "out.xlsx")["Rows"]["A2"].value == far


def test_a_sheet_has_a_header_that_stays_a_filter_and_widths(tmp_path: Path) -> None:
    written(tmp_path, pa.string(), "short", "a text that is rather long")
    found = openpyxl.load_workbook(tmp_path / "out.xlsx")["Rows"]
    assert (found.freeze_panes, found.auto_filter.ref) == ("A2", "A1:A3")
    assert found["A1"].font.bold
    assert found.column_dimensions["A"].width == pytest.approx(27, abs=1)


def test_a_workbook_has_its_sheets_in_order_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    sheets = [sheet(tmp_path, "GuV", MONEY, Decimal("1.00")), sheet(tmp_path, "Bilanz", MONEY)]
    write_workbook(tmp_path / "a.xlsx", sheets, "a.xlsx")
    write_workbook(tmp_path / "b.xlsx", sheets, "b.xlsx")
    assert openpyxl.load_workbook(tmp_path / "a.xlsx").sheetnames == ["GuV", "Bilanz"]
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".parquet"] * 4 + [".xlsx"] * 2


@pytest.mark.parametrize(("text", "length"), [("x" * 32_768, "32,768"), ("😀" * 16_384, "32,768")])
def test_a_text_that_no_cell_can_hold_is_refused(tmp_path: Path, text: str, length: str) -> None:
    rows = [sheet(tmp_path, "Rows", pa.string(), "x", text)]
    found = refusal(lambda: write_workbook(tmp_path / "a.xlsx", rows, "out/a.xlsx"), "OUTPUT_006")
    said = f"column 'v' holds a text of {length} characters in row 3"
    assert found.message == f"out/a.xlsx: {said}"


def test_the_longest_text_is_written(tmp_path: Path) -> None:
    (found,) = written(tmp_path, pa.string(), "x" * 32_767)
    assert len(found.value) == 32_767


def test_a_sheet_has_room_for_so_many_rows() -> None:
    check_size(1_048_575, 16_384, "out/a.xlsx")
    found = refusal(lambda: check_size(1_048_576, 2, "out/a.xlsx"), "OUTPUT_006")
    assert found.message == (
        "out/a.xlsx would have 1,048,576 rows; a sheet has room for 1,048,575 below its header"
    )
    refusal(lambda: check_size(1, 16_385, "out/a.xlsx"), "OUTPUT_006")
