"""What is known of a place without Spark and without reading rows: its columns, its files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rowbook.sources.csv_dialect import dialect_of
from rowbook.sources.csv_heads import column_names, read_head
from rowbook.sources.parquet_footer import read_footer
from rowbook.sources.places import SourcePlace


@dataclass(frozen=True, slots=True)
class FileState:
    """What identifies the content of a file."""

    name: str
    size: int
    modified_ns: int


def file_states(place: SourcePlace) -> tuple[FileState, ...]:
    """The files that a run would read."""
    wanted, _ = place.files()
    return tuple(FileState(place.name_of(f), f.size, f.modified_ns) for f in wanted)


def physical_columns(place: SourcePlace) -> tuple[str, ...]:
    """The columns that a place's files have, those in folders' names last."""
    return tuple(dict.fromkeys(_columns(place)))


def _columns(place: SourcePlace) -> Iterator[str]:
    wanted, others = place.files()
    files = wanted or others[-1:]
    for file in files:
        if place.kind == "parquet":
            yield from read_footer(file.path, place.name_of(file)).columns
        else:
            dialect = dialect_of(place.options, place.shown)
            head = read_head(file.path, dialect, place.name_of(file))
            yield from (name for name in column_names(head, dialect) if name)
    for file in files:
        yield from file.partitions
