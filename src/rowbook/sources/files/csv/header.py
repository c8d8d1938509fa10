"""The first line of a csv file, and its end: what is looked at before Spark reads it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import IO

from rowbook.errors import RowbookError, reason
from rowbook.sources.files.bundles import Bundles, Placed, bundle
from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.records import UNCLOSED, Lines, records, rows_in
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.text.content_guesses import encoding_hint, refuse_no_text
from rowbook.sources.files.text.encodings import LOST, PACKED, is_ascii_based, open_text
from rowbook.sources.stores.object_path import DataPath

_TAIL, _TELLING = 4096, 256
_LONGEST_HEAD = 1_000_000
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class CsvHeader:
    """`above` is how many rows a csv reader finds above it, where there are lines above it."""

    fields: tuple[str, ...]
    line_end: str
    above: int = 0


def csv_bundles(places: Sequence[FileTable], dialect: CsvDialect) -> Bundles[CsvHeader]:
    """Each file for itself where lines above the header are passed over: Spark counts rows of
    scans, not of files."""

    def head(placed: Placed) -> CsvHeader:
        return read_head(placed.file.path, dialect, placed.name)

    found = bundle(places, head)
    if dialect.header_row == 1:
        return found
    alone = (replace(each, files=(placed,)) for each in found.each for placed in each.files)
    return replace(found, each=tuple(alone))


def read_head(path: DataPath, dialect: CsvDialect, label: str) -> CsvHeader:
    """The header, or the first row where there is no header. DATASOURCE_007 if it is no text."""
    try:
        refuse_no_text(path, "csv", label)
        with open_text(path, dialect.encoding) as file:
            bounded = _bounded(file)
            above = _rows_above(list(islice(bounded, dialect.header_row - 1)), dialect, label)
            lines = Lines(bounded)
            fields = next((row for row in rows_in(lines, dialect) if row), [])
            text, _ = lines.take()
    except (UnicodeError, OSError, EOFError, csv.Error) as cause:
        message = f"{label} cannot be read: {reason(cause)}"
        hint = encoding_hint([path], dialect.encoding) if isinstance(cause, UnicodeError) else None
        raise RowbookError.of("DATASOURCE_007", message, hint=hint) from cause
    if len(text) >= _LONGEST_HEAD:
        message = f"{label}: its first line never ends"
        raise RowbookError.of("DATASOURCE_007", message, hint="look for a quote that is not closed")
    if LOST in text or "\0" in text:
        message = f"{label}: its first line holds bytes that are no text in {dialect.encoding}"
        hint = encoding_hint([path], dialect.encoding)
        raise RowbookError.of("DATASOURCE_007", message, hint=hint)
    ends = _LINE_END.findall(text)
    return CsvHeader(tuple(fields), ends[-1] if ends else "\n", above)


def header_size(path: DataPath, dialect: CsvDialect) -> int:
    if not dialect.header:
        return 0
    with open_text(path, dialect.encoding) as file:
        lines = Lines(file)
        next(iter(rows_in(lines, dialect)), None)
        return len(lines.take()[0].encode(dialect.encoding))


def column_names(head: CsvHeader, dialect: CsvDialect) -> tuple[str, ...]:
    """The names of a file's columns, those of the header or c1, c2 …; '' for one without."""
    if dialect.header:
        return head.fields
    return tuple(f"c{i + 1}" for i in range(len(head.fields)))


def unique_names(head: CsvHeader, dialect: CsvDialect, label: str) -> tuple[str, ...]:
    """As `column_names`; DATASOURCE_007 where one stands twice."""
    names = column_names(head, dialect)
    twice = sorted(name for name, times in Counter(names).items() if name and times > 1)
    if twice:
        message = f"{label}: column '{twice[0]}' stands twice in the header"
        raise RowbookError.of("DATASOURCE_007", message)
    return names


def unclosed_tail(path: DataPath, dialect: CsvDialect, line_end: str, label: str) -> str | None:
    """What a last value would end with if its quote were never closed. None where that cannot be,
    or cannot be told (packed files); DATASOURCE_007 where it is so."""
    if path.suffix in PACKED or not is_ascii_based(dialect.encoding) or line_end == "\r":
        return None
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL))
        end = file.read()
    at = end.rfind(dialect.quote.encode())
    if at >= 0:
        opens = at == 0 or end[at - 1 : at] in (dialect.delimiter.encode(), b"\n", b"\r")
        if opens:
            _refuse_unclosed(path, dialect, label)
        return None
    text = end.decode(dialect.spark_charset, "ignore")
    text = text.replace("\r\n", "\n") if line_end == "\r\n" else text
    if size <= _TAIL or "\n" not in text:
        return None
    return text[-_TELLING:] if "\n" in text[-_TELLING:] else text


def _refuse_unclosed(path: DataPath, dialect: CsvDialect, label: str) -> None:
    for record in records(path, dialect):
        if record.fault == UNCLOSED:
            raise RowbookError.of("DATASOURCE_007", f"{label}:{record.line}: {record.fault}")


def _rows_above(lines: Sequence[str], dialect: CsvDialect, label: str) -> int:
    """DATASOURCE_007 for a line that would not be a row of its own to Spark."""
    rows = 0
    for number, line in enumerate(lines, start=1):
        try:
            rows += sum(1 for row in rows_in([line], dialect, strict=True) if row)
        except csv.Error:
            message = f"{label}:{number}: a quote above the header that is not closed"
            raise RowbookError.of("DATASOURCE_007", message, hint="remove the line") from None
    return rows


def _bounded(file: IO[str]) -> Iterator[str]:
    length = 0
    while length < _LONGEST_HEAD and (line := file.readline(_LONGEST_HEAD)):
        length += len(line)
        yield line
