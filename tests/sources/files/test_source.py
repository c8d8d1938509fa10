"""Workbooks as tables of files: found, looked into and kept like any other."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_table import FileTable
from tests.sources.files.excel.books import table_at, write_book
from tests.sources.tables import local
from tests.support.refusal import refusal

CELLS = [["account", "name"], [1000, "Cash"], [None, None], [2000, "Loans"]]


@pytest.fixture
def chart(tmp_path: Path) -> FileTable:
    return table_at(write_book(tmp_path / "chart.xlsx", ("Accounts", CELLS), ("Notes", [["x"]])))


def names(table: FileTable) -> list[object]:
    (found,) = registry.read_plain([table])
    return [row["name"] for row in found.rows]


def test_columns_and_rows_are_known_from_the_header(chart: FileTable) -> None:
    assert registry.columns(chart) == ("account", "name")
    assert registry.count_plain(chart, 100) == 3


def test_a_sheet_that_nobody_named_is_noted(chart: FileTable) -> None:
    noted = registry.layout(chart).note
    assert noted == "sheet 'Accounts', as none is named; beside it Notes"
    named = table_at(local(chart.path), sheet="Accounts")
    assert registry.layout(named).note is None


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    missing = table_at(tmp_path / "chart.xlsx")
    assert refusal(lambda: registry.contents(missing)).code == "DATASOURCE_006"


def test_a_pinned_workbook_is_read_as_it_was(chart: FileTable, tmp_path: Path) -> None:
    with ExitStack() as resources:
        pinned = registry.pin(chart, keeping=Keeping(resources, tmp_path / "kept"))
        assert isinstance(pinned, FileTable)
        before = registry.fingerprint(pinned)
        other = write_book(tmp_path / "other.xlsx", ("Accounts", [["name"], ["New"]]))
        other.replace(local(chart.path))
        with pytest.raises(RowbookError, match=r"RUN_011.*chart\.xlsx changed"):
            registry.check(pinned)
        assert registry.fingerprint(pinned) == before
    assert names(chart) == ["New"]


def test_a_header_is_read_again_when_the_file_is_another(chart: FileTable) -> None:
    assert registry.columns(chart) == ("account", "name")
    write_book(local(chart.path), ("Accounts", [["code"], [1]]))
    assert registry.columns(chart) == ("code",)
