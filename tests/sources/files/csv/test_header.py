"""The header of a csv file, and its end, before Spark reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.header import CsvHeader, read_head, unclosed_tail
from rowbook.sources.files.csv.records import records
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
