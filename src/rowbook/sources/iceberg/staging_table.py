"""The copy of an Iceberg table that an output is written to: a folder of the table itself, which
holds the files of the output and the lists of them. They stay there when it is published."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.planning.columns import PERIOD
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.stores.object_path import DataPath, openable

FIRST = "metadata/v1.metadata.json"
"""What Spark begins with."""
_DATA = re.compile(r"(?:data/.*\.parquet|metadata/[^/]*\.avro)")

StagedFile: TypeAlias = tuple[str, int] | tuple[str, int, str]
"""Its name below the copy, its size, and in an object store its etag."""


@dataclass(frozen=True, slots=True)
class StagingTable(ABC):
    """`name` is that of its folder, below the folder of the table."""

    location: DataPath
    name: str

    @property
    def folder(self) -> DataPath:
        return self.location / self.name

    @abstractmethod
    def create(self, content: Mapping[str, Any]) -> None: ...

    @abstractmethod
    def metadata(self) -> TableMetadata:
        """As Spark left it; FileNotFoundError where it is gone, ValueError where it is broken."""

    @abstractmethod
    def paths(self) -> dict[str, DataPath]:
        """Its files by their names."""

    @abstractmethod
    def files(self) -> list[StagedFile]:
        """What a snapshot names: the sums that Hadoop keeps of files are none of it."""

    @abstractmethod
    def sync(self) -> None:
        """All that is in it is kept once this returns."""

    @abstractmethod
    def finish(self) -> None:
        """Leaves what the published snapshot names, and nothing else."""

    @abstractmethod
    def remove(self) -> None: ...

    @property
    def is_open(self) -> bool:
        """Whether it is no more than staged: what is published lacks what Spark began with, and has
        lists of its files."""
        names = self.paths()
        return FIRST in names or not any(name.endswith(".avro") for name in names)

    def damage(self, files: Iterable[StagedFile], rows: int) -> str | None:
        """What is wrong with the files that were staged, by what tells them and their footers."""
        there, paths, held = {each[0]: each for each in self.files()}, self.paths(), 0
        for file in files:
            name = file[0]
            if there.get(name) != file:
                return f"its staged file '{name}' is {'gone' if name not in there else 'damaged'}"
            if name.endswith(".parquet"):
                try:
                    held += pq.read_metadata(openable(paths[name])).num_rows
                except (OSError, pa.ArrowException) as cause:
                    said = str(cause).strip().split("\n", 1)[0]
                    return f"its staged file '{name}' is damaged: {said}"
        return None if held == rows else f"of {rows:,} rows, its files hold {held:,}"

    def other_period(self, periods: tuple[str, ...]) -> tuple[str | None] | None:
        """A period of rows that is none of these; None where all are."""
        for name, path in self.paths().items():
            if name.endswith(".parquet") and is_named(name):
                with pq.ParquetFile(openable(path)) as file:
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


def is_named(name: str) -> bool:
    """Whether a snapshot names such a file."""
    return _DATA.fullmatch(name) is not None and not name.rpartition("/")[2].startswith(".")
