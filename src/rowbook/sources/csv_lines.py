"""Csv files seen by Python: their headers, their ends, and, after a failure, their lines.

Spark reads the data. What Spark cannot say (which line) is found here, in the files themselves.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from rowbook.errors import RowbookError
from rowbook.sources.csv_dialect import LOST, CsvDialect
from rowbook.sources.raw import BadValue

_TAIL, _TELLING = 4096, 256
_LONGEST_HEAD = 1_000_000
_CHUNK = 1_000_000
_UNCLOSED = "a quote that is never closed"
_FIELD_LIMIT = 2**31 - 1
_LINE_END = re.compile(r"\r\n|\r|\n")
_OPENERS: Mapping[str, Callable[..., object]] = {".gz": gzip.open, ".bz2": bz2.open}


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a file: where it starts, its fields (None for NULL), what is wrong with it."""

    line: int
    fields: Sequence[str | None]
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a file: its fields, and how it ends."""

    fields: tuple[str, ...]
    line_end: str


def read_head(path: Path, dialect: CsvDialect, shown: str) -> Head:
    """The header, or the first row where there is no header. DATASOURCE_007 if it is no text."""
    try:
        with _open(path, dialect, "replace") as file:
            text = _first_record(file, dialect)
        rows = list(_reader([text], dialect)) if text else []
    except (UnicodeError, OSError, EOFError, csv.Error) as cause:
        raise RowbookError.of("DATASOURCE_007", f"{shown} cannot be read: {cause}") from cause
    if LOST in text:
        message = f"{shown}: its first line holds bytes that are no text in {dialect.encoding}"
        raise RowbookError.of("DATASOURCE_007", message, hint="set the option `encoding`")
    ends = _LINE_END.findall(text)
    return Head(tuple(rows[0]) if rows else (), ends[-1] if ends else "\n")


def column_names(head: Head, dialect: CsvDialect) -> tuple[str, ...]:
    """The names of a file's columns, those of the header or c1, c2 …; '' for one without."""
    if dialect.header:
        return head.fields
    return tuple(f"c{i + 1}" for i in range(len(head.fields)))


def unclosed_tail(path: Path, dialect: CsvDialect, line_end: str, shown: str) -> str | None:
    """What a last value would end with if its quote were never closed: such a value runs to the end
    of the file, and swallows all rows on its way. None where that cannot be, or cannot be told
    (packed files); DATASOURCE_007 where it is so within the last lines."""
    if path.suffix in _OPENERS or not dialect.is_ascii_based or line_end == "\r":
        return None
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL))
        end = file.read()
    at = end.rfind(dialect.quote.encode())
    if at >= 0:
        opens = at == 0 or end[at - 1 : at] in (dialect.delimiter.encode(), b"\n", b"\r")
        if opens:
            _refuse_unclosed(path, dialect, shown)
        return None
    text = end.decode(dialect.encoding, "ignore")
    text = text.replace("\r\n", "\n") if line_end == "\r\n" else text
    if size <= _TAIL or "\n" not in text:
        return None
    return text[-_TELLING:] if "\n" in text[-_TELLING:] else text


def _refuse_unclosed(path: Path, dialect: CsvDialect, shown: str) -> None:
    for record in records(path, dialect):
        if record.fault == _UNCLOSED:
            raise RowbookError.of("DATASOURCE_007", f"{shown}:{record.line}: {record.fault}")


def records(path: Path, dialect: CsvDialect) -> Iterator[Record]:
    """The rows of a file with their lines; bytes that are no text become U+FFFD."""
    csv.field_size_limit(_FIELD_LIMIT)
    with _open(path, dialect, "replace") as file:
        lines = _Lines(file)
        width, line_end, skip = 0, "", dialect.header
        for fields in _reader(lines, dialect):
            text, line = lines.take()
            if not fields:
                continue
            if not width:
                width, line_end = len(fields), _end_of(text)
            if skip:
                skip = False
                continue
            fault = _fault(text, len(fields), width, line_end, dialect)
            yield Record(line, _with_nulls(fields, text, dialect), fault)


def find(
    files: Sequence[tuple[Path, str]],
    dialect: CsvDialect,
    index: int | None,
    column: str,
    is_bad: Callable[[str | None], bool],
    most: int,
) -> list[BadValue]:
    """The first values of a column that are bad, in rows that are sound; with no index, what is
    wrong with rows that are not. Files come with the names they are shown by."""
    found: list[BadValue] = []
    for path, shown in files:
        for record in records(path, dialect):
            if index is None:
                value = record.fault
            elif record.fault is None:
                value = record.fields[index]
            else:
                continue
            if is_bad(value):
                found.append(BadValue(f"{shown}:{record.line}", column, value))
                if len(found) == most:
                    return found
    return found


def count_rows(path: Path, dialect: CsvDialect) -> int:
    """How many rows a sound file holds: the ends of lines outside quotes."""
    if dialect.escape != dialect.quote:
        return sum(1 for _ in records(path, dialect))
    ends, inside = 0, 0
    with _open(path, dialect, "replace") as file:
        while chunk := file.read(_CHUNK):
            parts = chunk.split(dialect.quote)
            ends += sum(part.count("\n") for part in parts[inside::2])
            inside ^= (len(parts) - 1) % 2
    return ends - dialect.header


class _Lines:
    """Lines for the csv module; remembers the text of the row it is at."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._text: list[str] = []
        self._next = 1

    def __iter__(self) -> Iterator[str]:
        for line in self._file:
            self._text.append(line)
            yield line

    def take(self) -> tuple[str, int]:
        """The text of the row just read, and the number of its first line."""
        text, first = "".join(self._text), self._next
        self._next += len(self._text)
        self._text.clear()
        return text, first


def _open(path: Path, dialect: CsvDialect, errors: str) -> IO[str]:
    encoding = "utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding
    opener = _OPENERS.get(path.suffix, open)
    return cast(IO[str], opener(path, "rt", encoding=encoding, errors=errors, newline=""))


def _first_record(file: IO[str], dialect: CsvDialect) -> str:
    """The lines up to where no quote is open; blank lines before are none."""
    lines: list[str] = []
    length = quotes = 0
    while length < _LONGEST_HEAD and (line := file.readline(_LONGEST_HEAD)):
        if lines or line.strip("\r\n"):
            lines.append(line)
            length += len(line)
            quotes += line.count(dialect.quote)
            if quotes % 2 == 0:
                break
    return "".join(lines)


def _reader(lines: Sequence[str] | _Lines, dialect: CsvDialect) -> Iterator[list[str]]:
    escape = None if dialect.escape == dialect.quote else dialect.escape
    return csv.reader(
        lines, delimiter=dialect.delimiter, quotechar=dialect.quote, escapechar=escape
    )


def _end_of(text: str) -> str:
    found = re.search(r"(?:\r\n|\r|\n)\Z", text)
    return found[0] if found else ""


def _fault(text: str, fields: int, width: int, line_end: str, dialect: CsvDialect) -> str | None:
    if fields != width:
        return f"{fields} fields instead of {width}"
    if text.count(dialect.quote) % 2 and dialect.escape == dialect.quote:
        return _UNCLOSED
    if line_end == "\n" and text.endswith("\r\n"):
        return "the line ends with CR LF, the first line with LF alone"
    return None


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
