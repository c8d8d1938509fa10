"""Csv files seen by Python: their rows with the lines they start at, and what is wrong with them.

Spark reads the data. What Spark cannot say (which line) is found here, in the files themselves.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.text.encodings import open_text
from rowbook.sources.raw import BadValue
from rowbook.sources.stores.object_path import DataPath

UNCLOSED = "a quote that is never closed"
MISQUOTED = "a quote that does not end its cell"

_CHUNK = 1_000_000
_FIELD_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a file: where it starts, its fields (None for NULL), what is wrong with it."""

    line: int
    fields: Sequence[str | None]
    fault: str | None = None


def records(path: DataPath, dialect: CsvDialect) -> Iterator[Record]:
    with open_text(path, dialect.encoding) as file:
        rows = records_in(file, dialect)
        if dialect.header:
            next(rows, None)
        yield from rows


def records_in(
    texts: Iterable[str], dialect: CsvDialect, *, strict: bool = False
) -> Iterator[Record]:
    """With `strict`, a quote that does not end its cell is a fault; nothing is read behind it."""
    lines = Lines(texts, after=dialect.header_row - 1)
    width, line_end = 0, ""
    try:
        for fields in rows_in(lines, dialect, strict=strict):
            text, line = lines.take()
            if not fields:
                continue
            if not width:
                width, line_end = len(fields), _end_of(text)
            fault = _fault(text, len(fields), width, line_end, dialect)
            yield Record(line, _with_nulls(fields, text, dialect), fault)
    except csv.Error:
        if not strict:
            raise
        yield Record(lines.take()[1], (), MISQUOTED)


def find(
    files: Sequence[tuple[DataPath, str]],
    dialect: CsvDialect,
    index: int | None,
    column: str,
    is_bad: Callable[[str | None], bool],
    most: int,
) -> list[BadValue]:
    """Bad values of a column in sound rows; with no index, what is wrong with the other rows."""
    found = (
        BadValue(f"{label}:{record.line}", column, value)
        for path, label in files
        for record in records(path, dialect)
        if index is None or record.fault is None
        if is_bad(value := record.fault if index is None else record.fields[index])
    )
    return list(islice(found, most))


def count_rows(path: DataPath, dialect: CsvDialect) -> int:
    """How many rows a sound file holds: the ends of lines outside quotes."""
    if dialect.escape != dialect.quote:
        return sum(1 for _ in records(path, dialect))
    ends, inside = 0, 0
    with open_text(path, dialect.encoding) as file:
        while chunk := file.read(_CHUNK):
            parts = chunk.split(dialect.quote)
            ends += sum(part.count("\n") for part in parts[inside::2])
            inside ^= (len(parts) - 1) % 2
    return ends - dialect.header


class Lines:
    """Lines for the csv module, those `after` a number of them; remembers the text of the row it is
    at."""

    def __init__(self, lines: Iterable[str], after: int = 0) -> None:
        self._lines = islice(lines, after, None) if after else lines
        self._text: list[str] = []
        self._next = 1 + after

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self._text.append(line)
            yield line

    def take(self) -> tuple[str, int]:
        text, first = "".join(self._text), self._next
        self._next += len(self._text)
        self._text.clear()
        return text, first


def row_texts(lines: Iterable[str], dialect: CsvDialect) -> Iterator[str]:
    texts = Lines(lines)
    for _ in rows_in(texts, dialect):
        yield texts.take()[0]


def rows_in(
    lines: Iterable[str], dialect: CsvDialect, *, strict: bool = False
) -> Iterator[list[str]]:
    csv.field_size_limit(_FIELD_LIMIT)
    escape = None if dialect.escape == dialect.quote else dialect.escape
    return csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote,
        escapechar=escape,
        strict=strict,
    )


def _end_of(text: str) -> str:
    found = re.search(r"(?:\r\n|\r|\n)\Z", text)
    return found[0] if found else ""


def _fault(text: str, fields: int, width: int, line_end: str, dialect: CsvDialect) -> str | None:
    if fields != width:
        return f"{fields} fields instead of {width}"
    if text.count(dialect.quote) % 2 and _isopen_text(text, dialect):
        return UNCLOSED
    if line_end == "\n" and text.endswith("\r\n"):
        return "the line ends with CR LF, the first line with LF alone"
    return None


def _isopen_text(text: str, dialect: CsvDialect) -> bool:
    """Whether a row ends inside quotes; one in the middle of a field is a character like others."""
    if dialect.escape != dialect.quote:
        return False
    q = re.escape(dialect.quote)
    quoted, at = re.compile(f"{q}(?:[^{q}]|{q}{q})*{q}(?!{q})"), 0
    while at < len(text):
        if text[at] == dialect.quote:
            closed = quoted.match(text, at)
            if not closed:
                return True
            at = closed.end()
        delimiter = text.find(dialect.delimiter, at)
        at = delimiter + 1 if delimiter >= 0 else len(text)
    return False


def _with_nulls(fields: list[str], text: str, dialect: CsvDialect) -> list[str | None]:
    """Fields as Spark has them: the text of a row tells `""` from nothing at all."""
    if "" not in fields or dialect.null_text == "":
        return [None if f in ("", dialect.null_text) else f for f in fields]
    q, d = re.escape(dialect.quote), re.escape(dialect.delimiter)
    token = re.compile(rf"({q}(?:[^{q}]|{q}{q})*{q})?[^{d}\r\n]*(?:{d}|$|\r|\n)")
    quoted = [bool(found[1]) for found in token.finditer(text)]
    quoted += [False] * len(fields)
    return [
        None if f == dialect.null_text or (f == "" and not quoted[i]) else f
        for i, f in enumerate(fields)
    ]
