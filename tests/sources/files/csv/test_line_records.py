"""Which csv files Spark may read in parts: those in which each line is a record."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.sources.files.csv import line_records
from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.line_records import lines_are_records

PLAIN = CsvDialect()


def told(tmp_path: Path, text: str, dialect: CsvDialect = PLAIN, line_end: str = "\n") -> bool:
    path = tmp_path / "lines.csv"
    path.write_bytes(text.encode(dialect.encoding))
    return lines_are_records(path, dialect, line_end)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        "a,b\n1,2",
        "\n\na,b\n\n1,2\n\n",
        'a,b\n"1","x, y"\n',
        'a,b\n"say ""no""",2\n',
        'a,b\n"""",""\n',
        'a,b\n1,"last"',
        "a,b\n 1, 2 \n",
    ],
)
def test_lines_that_are_records(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('a,b\n"1\n2",3\n', "a line end in quotes"),
        ('a,b\n"1,2\n', "a quote that is not closed"),
        ('a,b\n1",2\n', "a quote that begins nowhere"),
        ('a,b\nx"1,"2\n3",4\n', "a stray quote hides that another is open at the line's end"),
        ('a,b\n"1"x,2\n', "a quote that ends before its value does"),
        ("a,b\r\n1,2\n", "two kinds of line ends"),
        ("a,b\n1,2\r3,4\n", "a carriage return inside a value"),
        ("a,b\n  \n1,2\n", "a line of spaces, which is a broken record"),
        ("a,b\n1,2\n\t", "the last line of spaces"),
        (" \na,b\n1,2\n", "the first line of spaces"),
    ],
)
def test_lines_that_may_not_be_records(tmp_path: Path, text: str, why: str) -> None:
    assert not told(tmp_path, text), why


def test_lines_that_end_with_two_characters(tmp_path: Path) -> None:
    assert told(tmp_path, 'a,b\r\n"1",2\r\n', line_end="\r\n")
    assert not told(tmp_path, "a,b\r\n1,2\n", line_end="\r\n")
    assert not told(tmp_path, "a,b\r\n1,2\r3\r\n", line_end="\r\n")


def test_what_cannot_be_told_is_read_as_a_whole(tmp_path: Path) -> None:
    text = "a,b\n1,2\n"
    assert not told(tmp_path, text, replace(PLAIN, encoding="utf-16"))
    assert not told(tmp_path, text, replace(PLAIN, header_row=2))
    assert not told(tmp_path, text, line_end="\r")
    assert not told(tmp_path, "a,b\n1,x\\y\n", replace(PLAIN, escape="\\"))
    assert not lines_are_records(tmp_path / "lines.csv.gz", PLAIN, "\n")


def test_other_marks(tmp_path: Path) -> None:
    german = replace(PLAIN, delimiter=";", quote="'", escape="'", encoding="cp1252")
    assert told(tmp_path, "a;b\n'ä;1';2\n", german)
    assert not told(tmp_path, "a;b\n'ä\n1';2\n", german)
    assert told(tmp_path, "a\tb\n\t2\n", replace(PLAIN, delimiter="\t"))


cells = st.text(st.sampled_from('ab",\n\r '), max_size=4)


@given(st.lists(st.lists(cells, min_size=2, max_size=2), min_size=1, max_size=6), st.booleans())
def test_a_file_that_is_told_gives_the_same_records_line_by_line(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], is_raw: bool
) -> None:
    """Whatever is in it, and wherever it is cut into blocks."""
    text = "\n".join(",".join(row) for row in rows)
    if not is_raw:
        written = io.StringIO()
        csv.writer(written, lineterminator="\n").writerows(rows)
        text = written.getvalue()
    path = tmp_path_factory.mktemp("told") / "lines.csv"
    path.write_bytes(text.encode())
    answers = set()
    for size in (3, 7, 1 << 20):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(line_records, "_BLOCK", size)
            answers.add(lines_are_records(path, PLAIN, "\n"))
    assert len(answers) == 1
    if answers == {True}:
        whole = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        by_line = [row for line in text.split("\n") for row in csv.reader([line], strict=True)]
        assert [row for row in whole if row] == [row for row in by_line if row]
