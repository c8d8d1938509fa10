"""A header that stands elsewhere than the options say is found, and they are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.header_guess import header_hint
from rowbook.sources.files.listing import data_files, file_kind
from tests.sources.tables import csv_file

PLAIN = CsvDialect()


def hint(folder: Path, text: str, dialect: CsvDialect = PLAIN) -> str | None:
    csv_file(folder, text)
    files = data_files(folder, file_kind("csv"))
    return header_hint(files, dialect, ["account", "amount"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "account;amount\n4000;1\n",
            "the file looks delimited by ';': set the option `delimiter` of the data source",
        ),
        (
            "account\tamount\n4000\t1\n",
            "the file looks delimited by a tab: set the option `delimiter` of the data source",
        ),
        (
            "Journal of January\n\naccount,amount\n4000,1\n",
            "the columns stand in line 3: set the option `header_row: 3` of the data source",
        ),
        (
            "Journal\naccount|amount\n",
            "the file looks delimited by '|' and the columns stand in line 2:"
            " set the options `delimiter` and `header_row: 2` of the data source",
        ),
    ],
)
def test_where_the_columns_stand_is_said(tmp_path: Path, text: str, said: str) -> None:
    assert hint(tmp_path, text) == said


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("account,amount\n", PLAIN),
        ("konto,betrag\n4000,1\n", PLAIN),
        ("4000,1\n", CsvDialect(header=False)),
        ("account,sum\namount\n", PLAIN),
    ],
)
def test_nothing_is_said_where_no_line_has_them_all_or_the_options_hold(
    tmp_path: Path, text: str, dialect: CsvDialect
) -> None:
    assert hint(tmp_path, text, dialect) is None
