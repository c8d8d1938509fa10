"""What a run asks of tables and targets that depends on their kind: asked here, nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rowbook.engine.session.jars import Extra
from rowbook.sources.files.csv.dialect import dialect_of
from rowbook.sources.files.listing import partition_of
from rowbook.sources.places import (
    DeltaTable,
    DeltaTarget,
    FileTable,
    FileTarget,
    PostgresTarget,
    SourceTable,
    Target,
    place_written,
)
from rowbook.sources.publishing.staging import existing_table
from rowbook.sources.source import Content

_EXTRAS: dict[str, Extra] = {"delta": "delta", "jdbc": "postgresql"}


def extras_of_formats(formats: Iterable[str | None]) -> frozenset[Extra]:
    """What a session needs beside Spark's own data sources to read or write such data."""
    return frozenset(_EXTRAS[each] for each in formats if each in _EXTRAS)


def format_of_target(target: Target) -> str:
    """As data sources name it."""
    match target:
        case FileTarget():
            return target.kind
        case DeltaTarget():
            return "delta"
        case PostgresTarget():
            return "jdbc"


def table_version(table: SourceTable | None) -> int | None:
    """The version that is read of a table that counts its own."""
    return table.version if isinstance(table, DeltaTable) else None


def is_versioned(table: SourceTable) -> bool:
    """Whether a table can be read as it was at an earlier version."""
    return isinstance(table, DeltaTable)


def pin(table: SourceTable, contents: Sequence[Content]) -> SourceTable:
    """The table as its contents say it is, whatever becomes of it."""
    if not isinstance(table, DeltaTable):
        return table
    return replace(table, version=int(contents[0].version or 0))


def wanted_contents(table: SourceTable, recorded: Iterable[Content]) -> Iterator[Content]:
    """Of files in folders of periods, those of the periods that are read."""
    for each in recorded:
        folders = (partition_of(part) for part in each.name.split("/")[:-1])
        values = dict(found for found in folders if found)
        if not isinstance(table, FileTable) or all(
            values[column] in wanted for column, wanted in table.only.items() if column in values
        ):
            yield each


def overlap(table: SourceTable, target: Target) -> bool:
    """Whether writing the target replaces files of the table. Other kinds of tables keep what they
    were for whoever began to read."""
    if not isinstance(table, FileTable) or not isinstance(target, FileTarget):
        return False
    return (
        table.path.is_relative_to(target.path)
        or target.path.is_relative_to(table.path)
        or table.path == target.single_file
    )


def table_at(target: Target) -> SourceTable:
    """What is at a destination now, to be looked at."""
    if not isinstance(target, FileTarget):
        return place_written(target)
    path = existing_table(target) or target.path
    return FileTable(target.kind, path, target.options, label=target.label)


def is_of_files(table: SourceTable) -> bool:
    """Whether each of a table's contents is a file."""
    return isinstance(table, FileTable)


def is_by_position(table: SourceTable) -> bool:
    """Whether columns have no names but c1, c2 …"""
    if not isinstance(table, FileTable) or table.kind != "csv":
        return False
    return not dialect_of(table.options, table.label).header


def partition_columns(table: SourceTable) -> frozenset[str]:
    """The columns that stand in the names of a table's folders."""
    if not isinstance(table, FileTable):
        return frozenset()
    wanted, others = table.files()
    return frozenset(column for file in wanted or others for column in file.partitions)
