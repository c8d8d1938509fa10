"""Tables that are files: one kind of source for all their formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.sources.files.csv.dialect import dialect_of
from rowbook.sources.files.csv.header import column_names, read_head
from rowbook.sources.files.json.lines import first_keys
from rowbook.sources.files.json.options import json_options
from rowbook.sources.files.listing import DataFile, FileKind
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.places import FileTable, FileTarget
from rowbook.sources.publishing.exchange import settle_publication
from rowbook.sources.raw import Raw
from rowbook.sources.source import Content, GoneError, Settlement, WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class FileSource:
    """See Source."""

    def columns(self, place: FileTable) -> tuple[str, ...]:
        """The columns that a place's files have, those in folders' names last."""
        return tuple(dict.fromkeys(_columns(place)))

    def contents(self, place: FileTable) -> tuple[Content, ...]:
        """The files that a run would read."""
        wanted, _ = place.files()
        return tuple(Content(place.name_of(f), f.size, f.modified_ns) for f in wanted)

    def read(
        self, spark: SparkSession, places: Sequence[FileTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        """See Source. Reads headers and footers now; files of one physical schema are read
        together."""
        from rowbook.sources.files.read_tables import read_places

        return read_places(spark, places)

    def write(self, frame: DataFrame, target: FileTarget, order: WriteRequest) -> WriteResult:
        """See Source."""
        from rowbook.sources.publishing.write_table import write_files

        return write_files(frame, target, order)

    def settle(self, target: FileTarget, run_id: str, seq: int) -> Settlement:
        """See Source. A folder that is not there may be on a disk that will be back."""
        if not target.path.parent.is_dir():
            raise GoneError(f"{target.path.parent} is not there")
        published = settle_publication(target.path, run_id, seq)
        if published and target.single_file is not None:
            target.single_file.unlink(missing_ok=True)
        return Settlement(published)


def _columns(place: FileTable) -> Iterator[str]:
    wanted, others = place.files()
    files = wanted or others[-1:]
    for file in files:
        yield from _COLUMNS[place.kind](place, file)
    for file in files:
        yield from file.partitions


def _parquet_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    return read_footer(file.path, place.name_of(file)).columns


def _csv_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    dialect = dialect_of(place.options, place.label)
    head = read_head(file.path, dialect, place.name_of(file))
    return [name for name in column_names(head, dialect) if name]


def _json_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    """What later rows may have is not said to be lacking."""
    encoding = json_options(place.options, place.label).encoding
    keys = first_keys([(file.path, place.name_of(file))], encoding)
    wanted = tuple(place.wanted or ())
    return keys.names if keys.complete and not keys.is_empty else (*keys.names, *wanted)


def _orc_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    from rowbook.sources.files.orc.footer import read_orc_footer

    return read_orc_footer(file.path, place.name_of(file)).columns


_COLUMNS: dict[FileKind, Callable[[FileTable, DataFile], Sequence[str]]] = {
    "csv": _csv_columns,
    "json": _json_columns,
    "orc": _orc_columns,
    "parquet": _parquet_columns,
}
