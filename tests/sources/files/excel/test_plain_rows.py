"""Rows of workbooks: which cells fit which types, and how those that do not are told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rowbook.definitions.models.dataset import ColumnFormat, UnpivotDefinition
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import LoadedRows, SourceTables, load
from rowbook.sources.files.excel.plain_rows import read_plain_excel
from rowbook.sources.files.file_table import FileTable
from tests.sources.files.excel.books import Error, table_at, write_book
from tests.sources.tables import context, dataset

DAY, MOMENT = date(2026, 1, 31), datetime(2026, 1, 31, 10, 5, 7)


def loaded(wanted: Dataset, *tables: FileTable) -> LoadedRows:
    source = SourceTables(read_plain_excel(tables))
    return load(wanted, source, context(), keep_deleted=True)


def book(folder: Path, *rows: Sequence[Any], **options: str) -> FileTable:
    return table_at(write_book(folder / "chart.xlsx", ("Sheet1", rows)), **options)


def refused(wanted: Dataset, *tables: FileTable) -> tuple[Diagnostic, ...]:
    with pytest.raises(RowbookError) as caught:
        loaded(wanted, *tables)
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        ("string", "Cash", "Cash"),
        ("string", 1000, "1000"),
        ("string", -7.0, "-7"),
        ("integer", 1000, 1000),
        ("integer", "1000", 1000),
        ("decimal(18,2)", 12.1, Decimal("12.10")),
        ("decimal(18,2)", 1000, Decimal("1000.00")),
        ("decimal(18,2)", 0.125, Decimal("0.13")),
        ("decimal(18,2)", "12.10", Decimal("12.10")),
        ("float", 0.1, 0.1),
        ("float", 3, 3.0),
        ("boolean", True, True),
        ("boolean", "false", False),
        ("date", DAY, DAY),
        ("date", datetime(2026, 1, 31), DAY),
        ("date", "2026-01-31", DAY),
        ("timestamp", MOMENT, MOMENT.replace(tzinfo=UTC)),
        ("timestamp", DAY, datetime(2026, 1, 31, tzinfo=UTC)),
        ("integer", None, None),
    ],
)
def test_cells_become_values_of_the_declared_type(
    tmp_path: Path, kind: str, cell: object, value: object
) -> None:
    found = loaded(dataset("n integer", f"v {kind}"), book(tmp_path, ["n", "v"], [1, cell]))
    assert list(found.rows) == [{"n": 1, "v": value}]


@pytest.mark.parametrize(
    ("kind", "cell", "told"),
    [
        ("string", 12.5, "12.5"),
        ("string", 1e15, "1.0E15"),
        ("string", DAY, "2026-01-31"),
        ("string", True, "true"),
        ("string", Error("#N/A"), "#N/A"),
        ("integer", 12.5, "12.5"),
        ("integer", 1e20, "1.0E20"),
        ("integer", DAY, "2026-01-31"),
        ("integer", "1.000", "1.000"),
        ("decimal(4,2)", 1000, "1000.0"),
        ("decimal(18,2)", "12.105", "12.105"),
        ("decimal(18,2)", Error("#DIV/0!"), "#DIV/0!"),
        ("boolean", 1, "1.0"),
        ("date", MOMENT, "2026-01-31 10:05:07"),
        ("date", 46053, "46053.0"),
        ("timestamp", time(10, 5), "10:05:00"),
    ],
)
def test_a_cell_that_does_not_fit_is_told_by_its_name(
    tmp_path: Path, kind: str, cell: object, told: str
) -> None:
    table = book(tmp_path, ["n", "v"], [1, None], [2, cell])
    (found,) = refused(dataset("n integer", f"v {kind}"), table)
    assert (found.code, found.message) == (
        "DATASET_011",
        f"dataset 'gl_entries': 1 value of column 'v' does not fit {kind}:"
        f" '{told}' at chart.xlsx Sheet1!B3",
    )


def test_faults_are_counted_and_five_are_shown(tmp_path: Path) -> None:
    rows = [["x", None]] * 7
    (one, other) = refused(dataset("a integer", "b string!"), book(tmp_path, ["a", "b"], *rows))
    assert one.message == (
        "dataset 'gl_entries': 7 values of column 'a' do not fit integer: "
        + ", ".join(f"'x' at chart.xlsx Sheet1!A{n}" for n in range(2, 7))
        + " …"
    )
    assert (other.code, other.message) == (
        "DATASET_012",
        "dataset 'gl_entries': column 'b' is not nullable, but NULL in 7 rows: "
        + ", ".join(f"chart.xlsx Sheet1!B{n}" for n in range(2, 7))
        + " …",
    )


def test_texts_are_read_as_the_options_say(tmp_path: Path) -> None:
    options = {"decimal_separator": ",", "date_format": "dd.MM.yyyy"}
    table = book(tmp_path, ["a", "d"], ["12,5", "31.01.2026"], [12.5, DAY], **options)
    assert [tuple(row.values()) for row in loaded(dataset("a float", "d date"), table).rows] == [
        (12.5, DAY),
        (12.5, DAY),
    ]


def test_rows_are_told_apart_by_file_and_number(tmp_path: Path) -> None:
    found = loaded(dataset("a integer"), book(tmp_path, ["a"], [1], [None], [1]))
    assert found.unique
    assert list(found.identities) == [("chart.xlsx", 2), ("chart.xlsx", 4)]


def test_a_folder_of_workbooks_is_one_table(tmp_path: Path) -> None:
    folder = tmp_path / "rates"
    write_book(folder / "a.xlsx", ("One", [["x", "y"], [1, "a"]]))
    write_book(folder / "region=007" / "b.xlsx", ("Two", [["y", "x"], ["b", 2]]))
    write_book(folder / "~$a.xlsx", ("Open", [["z"]]))
    found = loaded(dataset("x integer", "y string"), table_at(folder))
    assert list(found.rows) == [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]
    assert list(found.identities) == [("rates/a.xlsx", 2), ("rates/region=007/b.xlsx", 2)]


def test_a_column_that_is_missing_is_told_with_those_that_are_there(tmp_path: Path) -> None:
    (found,) = refused(dataset("acount integer"), book(tmp_path, ["account", "name"], [1, "a"]))
    assert (found.code, found.message) == (
        "DATASET_010",
        "dataset 'gl_entries': column 'acount' is missing in chart.xlsx",
    )
    assert found.hint == "did you mean 'account' for 'acount'?  columns: account, name"


def test_columns_that_become_rows_are_written_as_the_one_that_holds_them(tmp_path: Path) -> None:
    wanted = dataset(
        *("name string", "amount decimal(18,2)"),
        unpivot=UnpivotDefinition(columns=("a", "b"), name="name", value="amount"),
        formats={"amount": ColumnFormat(thousands_separator=".", decimal_separator=",")},
    )
    found = loaded(wanted, book(tmp_path, ["a", "b"], ["1.234,56", 12.5]))
    assert list(found.rows) == [
        {"name": "a", "amount": Decimal("1234.56")},
        {"name": "b", "amount": Decimal("12.50")},
    ]
