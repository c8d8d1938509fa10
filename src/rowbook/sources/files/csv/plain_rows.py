"""Rows of csv files without Spark: every column as text, as csv/read.py has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from rowbook.expressions.values import Value
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.sources.files.bundles import Bundle, Placed
from rowbook.sources.files.csv import header
from rowbook.sources.files.csv.dialect import CsvDialect, dialect_of
from rowbook.sources.files.csv.header import CsvHeader
from rowbook.sources.files.csv.records import MISQUOTED, UNCLOSED, Record, records_in
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.text.column_reading import text_fit
from rowbook.sources.files.text.content_guesses import encoding_hint
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.files.text.plain_text import LineBudget, read_plain_text
from rowbook.sources.source_errors import NotPlainError


def read_plain_csv(places: Sequence[FileTable], budget: LineBudget) -> tuple[PlainTable, ...]:
    dialect = dialect_of(places[0].options, places[0].label)
    found = header.csv_bundles(places, dialect)
    return tuple(_table(each, dialect, budget, with_rows=found.with_rows) for each in found.each)


def _table(
    each: Bundle[CsvHeader], dialect: CsvDialect, budget: LineBudget, *, with_rows: bool
) -> PlainTable:
    names = header.unique_names(each.shape, dialect, each.files[0].name)
    for placed in each.files:
        header.unclosed_tail(placed.file.path, dialect, each.shape.line_end, placed.name)
    rows: list[Mapping[str, Value]] = []
    lines: list[str] = []
    broken: list[str] = []
    for placed in each.files if with_rows else ():
        added = each.cells_of(placed)
        for record in _records(placed, dialect, budget):
            place = f"{placed.name}:{record.line}"
            if record.fault is not None:
                broken.append(f"{place} ({record.fault})")
                continue
            rows.append({**dict(zip(names, record.fields, strict=True)), **added})
            lines.append(place)
    period = each.place_period
    return PlainTable(
        tuple(dict.fromkeys((*filter(None, names), *each.partitions))),
        rows,
        each.origin,
        period=period.period,
        period_column=period.column,
        by_position=not dialect.header,
        partitions=each.partitions,
        fit=text_fit(dialect.form),
        lines=lines,
        broken=broken,
        lost=LOST if budget.lost else None,
        encoding_hint=lambda: encoding_hint((p.file.path for p in each.files), dialect.encoding),
    )


def _records(placed: Placed, dialect: CsvDialect, budget: LineBudget) -> Iterator[Record]:
    """With quotes as everybody reads them. Spark takes a line's end inside of quotes for LF. Of a
    file that goes on, the last row may have more lines than were read, and is none then."""
    text, has_more = read_plain_text(placed.file.path, dialect.encoding, placed.name, budget)
    own_escape = dialect.escape != dialect.quote
    if own_escape and (dialect.escape in text or dialect.quote * 2 in text):
        raise NotPlainError(f"{placed.name} uses its escape character")
    has_returns = "\r" in text
    records = records_in(StringIO(text, newline=""), dialect, strict=True)
    if dialect.header:
        next(records, None)
    for record in records:
        if record.fault in (MISQUOTED, UNCLOSED):
            if has_more:
                return
            raise NotPlainError(f"{placed.name}:{record.line}: {record.fault}")
        if has_returns and record.fault is None:
            fields = [each.replace("\r\n", "\n") if each else each for each in record.fields]
            yield Record(record.line, fields)
        else:
            yield record
