"""Delimiter and header of csv files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.inference.extracts.delimiter_guess import DelimiterGuess, guess_delimiter


def _guess(tmp_path: Path, text: str) -> DelimiterGuess:
    path = tmp_path / "f.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return guess_delimiter(path, "utf-8")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_gives_every_line_as_many_fields(delimiter: str, tmp_path: Path) -> None:
    lines = [["id", "text", "amount"], ["1", "a", "2"], ["2", "b", "3"]]
    found = _guess(tmp_path, "".join(delimiter.join(line) + "\n" for line in lines))
    assert (found.delimiter, found.fields, found.header_row) == (delimiter, 3, 1)


def test_decimal_commas_are_no_delimiters(tmp_path: Path) -> None:
    assert _guess(tmp_path, "a;b\n1,5;2,5\n3,5;4,5\n").delimiter == ";"


def test_delimiters_inside_of_quotes_do_not_count(tmp_path: Path) -> None:
    found = _guess(tmp_path, 'a,b\n"x;y;z",1\n"p;q",2\n"multi\nline;",3\n')
    assert (found.delimiter, found.fields) == (",", 2)


def test_lines_above_the_header_are_titles(tmp_path: Path) -> None:
    found = _guess(tmp_path, "Journal of January\nprinted 2026-02-01\nid;day;n\n1;2;3\n4;5;6\n")
    assert (found.header_row, found.fields) == (3, 3)


def test_a_first_line_with_figures_is_no_header(tmp_path: Path) -> None:
    assert _guess(tmp_path, "1;a\n2;b\n").header_row is None
    assert _guess(tmp_path, "2026;a\nx;b\n").header_row == 1


def test_one_column_is_divided_by_nothing(tmp_path: Path) -> None:
    found = _guess(tmp_path, "name\nx\ny\n")
    assert (found.delimiter, found.fields, found.header_row) == (",", 1, 1)
