"""Csv files as Python sees them: lines, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.records import count_rows, find, records
from rowbook.sources.raw import BadValue
from tests.sources.tables import csv_file

PLAIN = CsvDialect()


def test_a_row_starts_at_its_first_line(tmp_path: Path) -> None:
    path = csv_file(tmp_path, 'a,b\n1,2\n"x\ny",3\n\n4,5\n')
    found = [(record.line, list(record.fields)) for record in records(path, PLAIN)]
    assert found == [(2, ["1", "2"]), (3, ["x\ny", "3"]), (6, ["4", "5"])]


def test_null_is_told_from_empty_text(tmp_path: Path) -> None:
    path = csv_file(tmp_path, 'a,b,c,d\n,"",x,NA\n"a,""b""",,"",""\n')
    found = [list(record.fields) for record in records(path, CsvDialect(null_text="NA"))]
    assert found == [[None, "", "x", None], ['a,"b"', None, "", ""]]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a,b\n1,2\n1\n1,2,3\n", [None, "1 fields instead of 2", "3 fields instead of 2"]),
        ('a,b\n1,2\n3,"x\n4,5\n', [None, "a quote that is never closed"]),
        ('a,b\n1,2\n3,"x""\n4,5\n', [None, "a quote that is never closed"]),
        ('a,b\n5" pipe,2\n3,4" pipe\n', [None, None]),
        ('a,b\n"x"",",5" pipe\n', [None]),
        ("a,b\n1,2\r\n3,4\n", ["the line ends with CR LF, the first line with LF alone", None]),
        ("a,b\r\n1,2\r\n", [None]),
    ],
)
def test_what_is_wrong_with_a_line_is_said(
    tmp_path: Path, text: str, faults: list[str | None]
) -> None:
    path = csv_file(tmp_path, text)
    assert [record.fault for record in records(path, PLAIN)] == faults


def test_bad_values_are_found_with_file_and_line(tmp_path: Path) -> None:
    one = csv_file(tmp_path, "a,b\nx,1\ny,2\nz,x\n", "1.csv")
    two = csv_file(tmp_path, "a,b\nx,1\nx\nx,x\n", "2.csv")
    files = [(one, "gl/1.csv"), (two, "gl/2.csv")]

    def is_x(value: str | None) -> bool:
        return value == "x"

    assert find(files, PLAIN, 0, "a", is_x, 5) == [
        BadValue("gl/1.csv:2", "a", "x"),
        BadValue("gl/2.csv:2", "a", "x"),
        BadValue("gl/2.csv:4", "a", "x"),
    ]
    assert find(files, PLAIN, 1, "b", is_x, 1) == [BadValue("gl/1.csv:4", "b", "x")]
    assert find(files, PLAIN, None, "lines", bool, 5) == [
        BadValue("gl/2.csv:3", "lines", "1 fields instead of 2")
    ]


@pytest.mark.parametrize(
    ("dialect", "text", "rows"),
    [
        (PLAIN, "a,b\n", 0),
        (PLAIN, "a,b\n1,2\n3,4\n", 2),
        (PLAIN, 'a,b\n"x\ny""\n""",2\n3,"\n"\n', 2),
        (CsvDialect(header=False), "1,2\n3,4\n", 2),
        (CsvDialect(escape="\\"), 'a,b\n"x\\"\n",2\n', 1),
    ],
)
def test_rows_are_counted_by_line_ends_outside_quotes(
    tmp_path: Path, dialect: CsvDialect, text: str, rows: int
) -> None:
    assert count_rows(csv_file(tmp_path, text), dialect) == rows


def test_rows_of_a_packed_file_are_counted(tmp_path: Path) -> None:
    path = csv_file(tmp_path, gzip.compress(b"a\n1\n2\n"), "gl.csv.gz")
    assert count_rows(path, PLAIN) == 2
