"""The copy of an Iceberg table that an output is written to: a folder of the table itself, which
holds the files of the output and the lists of them. They stay there when it is published."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.locations.removal import remove_staged_table
from rowbook.planning.columns import PERIOD
from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.catalogs.hadoop_catalog import HadoopCatalog, write_synced
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.publishing.table_publication import file_sizes

_DATA = re.compile(r"(?:data/.*\.parquet|metadata/[^/]*\.avro)")

_FIRST = "metadata/v1.metadata.json"


@dataclass(frozen=True, slots=True)
class StagingTable:
    """`name` is that of its folder, in the folder of the table."""

    location: Path
    name: str

    @property
    def folder(self) -> Path:
        return self.location / self.name

    def create(self, content: Mapping[str, Any]) -> None:
        (self.folder / "metadata").mkdir(parents=True)
        write_synced(self.folder / _FIRST, json.dumps(content))

    def metadata(self) -> TableMetadata:
        """As Spark left it; FileNotFoundError where it is gone, ValueError where it is broken."""
        file = HadoopCatalog(self.location).metadata_file((self.name,))
        if file is None:
            raise FileNotFoundError(str(self.folder))
        return TableMetadata.parse(Path(file).read_bytes(), file)

    def files(self) -> list[tuple[str, int]]:
        """What a snapshot names: the sums that Hadoop keeps of files are none of it."""
        found = file_sizes(self.folder) if self.folder.is_dir() else []
        return [(name, size) for name, size in found if _is_named(name)]

    @property
    def is_open(self) -> bool:
        """Whether it is no more than staged: what is published lacks what Spark began with, and has
        lists of its files."""
        return (self.folder / _FIRST).is_file() or not any(self.folder.glob("metadata/*.avro"))

    def finish(self) -> None:
        """Leaves what the published snapshot names, and nothing else."""
        with suppress(FileNotFoundError):
            (self.folder / _FIRST).unlink()
        for name, _ in file_sizes(self.folder) if self.folder.is_dir() else ():
            if not _is_named(name):
                (self.folder / name).unlink()

    def remove(self) -> None:
        remove_staged_table(self.folder, self.location)

    def damage(self, files: list[tuple[str, int]], rows: int) -> str | None:
        """What is wrong with the files that were staged, by their names, sizes and footers."""
        there, held = dict(self.files()), 0
        for name, size in files:
            if there.get(name) != size:
                return f"its staged file '{name}' is {'gone' if name not in there else 'damaged'}"
            if name.endswith(".parquet"):
                try:
                    held += pq.read_metadata(self.folder / name).num_rows
                except (OSError, pa.ArrowException) as cause:
                    said = str(cause).strip().split("\n", 1)[0]
                    return f"its staged file '{name}' is damaged: {said}"
        return None if held == rows else f"of {rows:,} rows, its files hold {held:,}"

    def other_period(self, periods: tuple[str, ...]) -> tuple[str | None] | None:
        """A period of rows that is none of these; None where all are."""
        for name, _ in self.files():
            if name.endswith(".parquet"):
                with pq.ParquetFile(self.folder / name) as file:
                    for value in _periods_in(file):
                        if value not in periods:
                            return (value,)
        return None


def _periods_in(file: pq.ParquetFile) -> Iterator[str | None]:
    """Rows are read only where a part of the file has several."""
    at = file.schema_arrow.get_field_index(PERIOD.name)
    for number in range(file.num_row_groups):
        found = file.metadata.row_group(number).column(at).statistics
        if (
            found is not None
            and found.has_min_max
            and found.min == found.max
            and not found.null_count
        ):
            yield found.min
        else:
            rows = file.read_row_group(number, columns=[PERIOD.name])
            yield from rows[PERIOD.name].unique().to_pylist()


def fresh_staging(location: Path, output: OutputName) -> StagingTable:
    """In a folder that is not there. There may be others of the output: it is written again where
    the table was changed before it could be published."""
    numbers = itertools.chain([""], (f"_{number}" for number in itertools.count(2)))
    names = (f"{output.folder}{number}" for number in numbers)
    return StagingTable(location, next(name for name in names if not (location / name).exists()))


def recorded_staging(location: Path, output: OutputName, name: str) -> StagingTable:
    """ValueError where a record names a folder that is none of the output's."""
    if not _is_of(output, name):
        raise ValueError(f"{name} is no folder of output {output.tag}")
    return StagingTable(location, name)


def all_staging(location: Path, output: OutputName) -> tuple[StagingTable, ...]:
    """Of an output, whether published or not."""
    there = sorted(location.iterdir()) if location.is_dir() else []
    names = (each.name for each in there if each.is_dir() and not each.is_symlink())
    return tuple(StagingTable(location, name) for name in names if _is_of(output, name))


def _is_of(output: OutputName, name: str) -> bool:
    return re.fullmatch(rf"{re.escape(output.folder)}(?:_\d+)?", name) is not None


def remove_empty(location: Path) -> None:
    """The folder of a table that never was."""
    with suppress(OSError):
        location.rmdir()


def _is_named(name: str) -> bool:
    return _DATA.fullmatch(name) is not None and not name.rpartition("/")[2].startswith(".")
