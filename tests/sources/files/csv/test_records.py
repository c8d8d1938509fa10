"""Csv files as Python sees them: heads, lines, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.header import CsvHeader, read_head, unclosed_tail
from rowbook.sources.files.csv.records import count_rows, find, records
from rowbook.sources.raw import BadValue
from tests.sources.tables import csv_file
from tests.support.refusal import refusal

PLAIN = CsvDialect()


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("a,b\n1,2\n", CsvHeader(("a", "b"), "\n")),
        ("a,b\r\n1,2\r\n", CsvHeader(("a", "b"), "\r\n")),
        ("a,b\r1,2\r", CsvHeader(("a", "b"), "\r")),
        ("\n\na,b\n", CsvHeader(("a", "b"), "\n")),
        ('"a\nb",c\r\n', CsvHeader(("a\nb", "c"), "\r\n")),
        ("a,b", CsvHeader(("a", "b"), "\n")),
        ('5" pipe,b\r\n1,2\r\n', CsvHeader(('5" pipe', "b"), "\r\n")),
        ("a\x85b,c\u2028d\n", CsvHeader(("a\x85b", "c\u2028d"), "\n")),
        ("", CsvHeader((), "\n")),
        ("\n", CsvHeader((), "\n")),
    ],
)
def test_the_head_is_the_first_row_and_how_its_line_ends(
    tmp_path: Path, text: str, head: CsvHeader
) -> None:
    assert read_head(csv_file(tmp_path, text), PLAIN, "gl.csv") == head


def test_a_quote_in_the_head_that_never_closes_is_refused(
    tmp_path: Path,
) -> None:
    path = csv_file(tmp_path, '"a,b\n' + "1,2\n" * 1_000_000)
    diagnostic = refusal(lambda: read_head(path, PLAIN, "data/gl.csv"))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message == "data/gl.csv: its first line never ends"


def test_lines_above_the_header_are_passed_over(tmp_path: Path) -> None:
    path = csv_file(tmp_path, 'Journal, "printed"\n\n;\na,b\n1,2\n"x\ny",3\n')
    dialect = CsvDialect(header_row=4)
    assert read_head(path, dialect, "gl.csv") == CsvHeader(("a", "b"), "\n", above=2)
    found = [(record.line, list(record.fields)) for record in records(path, dialect)]
    assert found == [(5, ["1", "2"]), (6, ["x\ny", "3"])]


def test_a_quote_above_the_header_must_be_closed(tmp_path: Path) -> None:
    path = csv_file(tmp_path, 'x\n"Journal\na,b\n1,2\n')
    diagnostic = refusal(lambda: read_head(path, CsvDialect(header_row=3), "data/gl.csv"))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message == "data/gl.csv:2: a quote above the header that is not closed"


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


LINES = "".join(f"{i},text {i}\n" for i in range(1000))


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        'a,b\n1,"2"\n',
        'a,b\n1,""\n',
        'a,b\n1,"x,"\n',
        'a,b\n5" pipe,"x,"\n',
        f'a,b\n"x",y\n{LINES}1,"x\n2"\n',
    ],
)
def test_a_file_whose_quotes_are_all_closed_has_no_such_tail(tmp_path: Path, text: str) -> None:
    assert unclosed_tail(csv_file(tmp_path, text), PLAIN, "\n", "gl.csv") is None


def test_a_quote_near_the_end_that_never_closes_is_refused(tmp_path: Path) -> None:
    path = csv_file(tmp_path, f'a,b\n{LINES}1,"x\n2,y\n')
    diagnostic = refusal(lambda: unclosed_tail(path, PLAIN, "\n", "data/gl.csv"))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message == "data/gl.csv:1002: a quote that is never closed"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_where_no_quote_is_near_the_end_a_value_could_run_up_to_it(
    tmp_path: Path, line_end: str
) -> None:
    text = f'a,b\n1,"x\n{LINES}'.replace("\n", line_end)
    tail = unclosed_tail(csv_file(tmp_path, text), PLAIN, line_end, "gl.csv")
    assert tail is not None
    assert tail == LINES[-256:]
