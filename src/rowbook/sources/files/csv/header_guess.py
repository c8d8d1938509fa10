"""Where the header of a csv file may be, when it is not where the options say."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.records import rows_in
from rowbook.sources.files.listing import DataFile
from rowbook.sources.files.text.encodings import open_text

_DELIMITERS = {";": "';'", "\t": "a tab", ",": "','", "|": "'|'"}
_LINES, _LONGEST = 50, 100_000


def header_hint(
    files: Sequence[DataFile], dialect: CsvDialect, missing: Collection[str]
) -> str | None:
    """What to say of the first file that holds columns which its header lacks: in another line,
    divided by another sign, or both."""
    if not dialect.header:
        return None
    return next((hint for file in files if (hint := _hint(file, dialect, missing))), None)


def _hint(file: DataFile, dialect: CsvDialect, missing: Collection[str]) -> str | None:
    try:
        with open_text(file.path, dialect.encoding) as text:
            lines = list(islice(iter(lambda: text.readline(_LONGEST), ""), _LINES))
    except (UnicodeError, OSError, EOFError):
        return None
    for delimiter, line in _places(lines, dialect, missing):
        said = {}
        if delimiter != dialect.delimiter:
            said[f"the file looks delimited by {_DELIMITERS[delimiter]}"] = "`delimiter`"
        if line != dialect.header_row:
            said[f"the columns stand in line {line}"] = f"`header_row: {line}`"
        options = f"option{'s' * (len(said) > 1)} {' and '.join(said.values())}"
        return f"{' and '.join(said)}: set the {options} of the data source"
    return None


def _places(
    lines: Sequence[str], dialect: CsvDialect, missing: Collection[str]
) -> Iterator[tuple[str, int]]:
    """The delimiters and lines with which all columns are there; those of the dialect first."""
    for delimiter in dict.fromkeys((dialect.delimiter, *_DELIMITERS)):
        divided = replace(dialect, delimiter=delimiter)
        for number, line in enumerate(lines, start=1):
            try:
                fields = {field for row in rows_in([line], divided) for field in row}
            except csv.Error:
                continue
            if fields.issuperset(missing):
                yield delimiter, number
