"""Reading places without Spark, whatever their kind."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.sources.files.bundles import alike
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.text.plain_text import count_lines
from rowbook.sources.source import NotPlainError


def count_rows(place: FileTable, most: int) -> int:
    """Rows of parquet, lines of text; counting ends above `most`."""
    rows = 0
    for file in place.files()[0]:
        match place.kind:
            case "csv" | "json":
                rows += count_lines(file.path, most - rows)
            case "parquet":
                from rowbook.sources.files.parquet.metadata import read_footer

                rows += read_footer(file.path, place.name_of(file)).rows
            case "orc" | "excel":
                raise _not_plain(place)
        if rows > most:
            break
    return rows


def read_places(places: Sequence[FileTable]) -> tuple[PlainTable, ...]:
    """In the order and the parts that Spark reads them in."""
    return tuple(table for group in alike(places) for table in _read(group))


def _read(places: Sequence[FileTable]) -> tuple[PlainTable, ...]:
    match places[0].kind:
        case "csv":
            from rowbook.sources.files.csv.plain_rows import read_plain_csv

            return read_plain_csv(places)
        case "json":
            from rowbook.sources.files.json.plain_rows import read_plain_json

            return read_plain_json(places)
        case "parquet":
            from rowbook.sources.files.parquet.plain_rows import read_plain_parquet

            return read_plain_parquet(places)
        case "orc" | "excel":
            raise _not_plain(places[0])


def _not_plain(place: FileTable) -> NotPlainError:
    return NotPlainError(f"{place.label} is {place.kind}, which Spark reads")
