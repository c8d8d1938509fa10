"""Reading places without Spark, whatever their kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.sources.files.bundles import Placed, alike
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.text.plain_text import LineBudget, count_lines
from rowbook.sources.source import PlainSample
from rowbook.sources.source_errors import NotPlainError

_SAMPLED_FILES = 5


def count_rows(place: FileTable, most: int) -> int:
    """Rows of parquet and of sheets, lines of text; counting ends above `most`."""
    rows = 0
    for file in place.files()[0]:
        match place.kind:
            case "csv" | "json":
                rows += count_lines(file.path, most - rows)
            case "parquet":
                from rowbook.sources.files.parquet.metadata import read_footer

                rows += read_footer(file.path, place.name_of(file)).rows
            case "excel":
                from rowbook.sources.files.excel.plain_rows import header_of

                header = header_of(Placed(place, file))
                rows += header.last_row - header.row
            case "orc":
                raise _not_plain(place)
        if rows > most:
            break
    return rows


def read_places(places: Sequence[FileTable]) -> tuple[PlainTable, ...]:
    """In the order and the parts that Spark reads them in."""
    return tuple(table for group in alike(places) for table in _read(group, LineBudget()))


def sample_place(place: FileTable, most: int) -> PlainSample:
    """The beginnings of the first text files; NotPlainError for other kinds."""
    if place.kind not in ("csv", "json"):
        raise NotPlainError(f"{place.label} has no lines")
    files, _ = place.files()
    budget = LineBudget(most)
    few = replace(place, most_files=_SAMPLED_FILES)
    tables = _read([few], budget)
    is_whole = not budget.cut and len(files) <= _SAMPLED_FILES
    return PlainSample(tables, budget.read, is_whole)


def _read(places: Sequence[FileTable], budget: LineBudget) -> tuple[PlainTable, ...]:
    match places[0].kind:
        case "csv":
            from rowbook.sources.files.csv.plain_rows import read_plain_csv

            return read_plain_csv(places, budget)
        case "json":
            from rowbook.sources.files.json.plain_rows import read_plain_json

            return read_plain_json(places, budget)
        case "parquet":
            from rowbook.sources.files.parquet.plain_rows import read_plain_parquet

            return read_plain_parquet(places)
        case "excel":
            from rowbook.sources.files.excel.plain_rows import read_plain_excel

            return read_plain_excel(places)
        case "orc":
            raise _not_plain(places[0])


def _not_plain(place: FileTable) -> NotPlainError:
    return NotPlainError(f"{place.label} is {place.kind}, which Spark reads")
