"""Parquet files as Spark's own writer makes them, written by Arrow: of rows that are here, and of
rows that pass.

A task of Spark's hands its rows to a Python process beside it, batch by batch, and this one writes
them: Arrow packs a column in a fraction of the time that Spark's writer takes for its values.
Imported by these processes, which start faster without the rest of Rowbook.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark import TaskContext

_MOST_OPEN = 16
"""Files that a task has open: each keeps the rows of a group."""

_GROUP = 32 * 2**20
"""Bytes of rows, as Arrow has them, that become a group of a file."""

_DICTIONARY = 2**20
"""Bytes of a column's dictionary in a group, above which Arrow gives it up."""

_SAMPLE = 50_000
"""Rows that tell how often values repeat."""

DISK_FAILED = "DISK_001"
"""What a task says of files that it could not write, for `spark.markers` to find it."""


def write_parquet(table: pa.Table, file: Path, codec: str) -> None:
    pq.write_table(with_nulls(table), file, **_options(codec))


def with_nulls(table: pa.Table) -> pa.Table:
    """The same rows; any column may hold NULL."""
    return table.cast(pa.schema([pa.field(each.name, each.type) for each in table.schema]))


def parts_by(table: pa.Table, column: str) -> Iterator[tuple[str | None, pa.Table]]:
    """The rows of each value of a column, in the order in which these come."""
    values = table[column]
    found = pc.unique(values).to_pylist()
    for value in found:
        same = pc.is_null(values) if value is None else pc.equal(values, value)
        yield value, table if len(found) == 1 else table.filter(same)


@dataclass(frozen=True, slots=True)
class RowFiles:
    """Where tasks write what rows have in `columns`. With `by`, files stand in folders of that name
    and of the values of their `by_column`."""

    folder: str
    name: str
    codec: str
    ending: str
    columns: tuple[str, ...]
    by: str | None = None
    by_column: str = ""

    def write(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """What a task does with its rows, where nothing else is asked of them; gives their
        number."""
        rows = 0
        with self.open() as files:
            for batch in batches:
                files.write(pa.Table.from_batches([batch]))
                rows += batch.num_rows
        yield pa.RecordBatch.from_pydict({"rows": [rows]})

    @contextmanager
    def open(self) -> Iterator[OpenFiles]:
        """Files of the task at work, which are there as a whole when it is through. One that is
        tried again writes the same files again."""
        task = TaskContext.get()
        files = OpenFiles(self, task.partitionId() if task else 0)
        try:
            yield files
            files.close()
        except OSError as error:
            raise OSError(f"ROWBOOK {DISK_FAILED}: {_reason(error)}") from error
        finally:
            files.give_up()


class OpenFiles:
    def __init__(self, files: RowFiles, task: int) -> None:
        self._files = files
        self._task = task
        self._round = 0
        self._open: dict[str | None, _OpenFile] = {}

    def write(self, rows: pa.Table) -> None:
        """A part of the task's, which may have further columns."""
        if not rows.num_rows:
            return
        table = with_nulls(rows.select(list(self._files.columns)))
        if self._files.by is None:
            self._file(None).add(table)
            return
        for value, part in parts_by(table, self._files.by_column):
            self._file(value).add(part)

    def close(self) -> None:
        while self._open:
            value = next(iter(self._open))
            self._open[value].close()
            del self._open[value]

    def give_up(self) -> None:
        """What is still open then is not whole, and has no footer."""
        for each in self._open.values():
            each.give_up()
        self._open.clear()

    def _file(self, value: str | None) -> _OpenFile:
        if value not in self._open:
            if len(self._open) == _MOST_OPEN:
                self.close()
                self._round += 1
            self._open[value] = _OpenFile(self._path(value), self._files.codec)
        return self._open[value]

    def _path(self, value: str | None) -> Path:
        files = self._files
        folder = Path(files.folder)
        if files.by is not None:
            from rowbook.sources.files.listing import NULL_FOLDER, partition_folder

            folder /= partition_folder(files.by, NULL_FOLDER if value is None else value)
            folder.mkdir(exist_ok=True)
        name = f"part-{self._task:05}-{files.name}-c{self._round:03}{files.ending}"
        return folder / name


class _OpenFile:
    def __init__(self, path: Path, codec: str) -> None:
        self._path, self._codec = path, codec
        self._sink = path.open("wb")
        self._writer: pq.ParquetWriter | None = None
        self._group: list[pa.Table] = []
        self._size = 0

    def add(self, rows: pa.Table) -> None:
        self._group.append(rows)
        self._size += rows.nbytes
        if self._size >= _GROUP:
            self._write_group()

    def close(self) -> None:
        self._write_group()
        if self._writer is not None:
            self._writer.close()
        self._sink.close()

    def give_up(self) -> None:
        if self._writer is not None:
            self._writer.is_open = False
        with suppress(OSError):
            self._sink.close()

    def _write_group(self) -> None:
        if not self._group:
            return
        table = pa.concat_tables(self._group)
        if self._writer is None:
            options = {**_options(self._codec), "use_dictionary": _repeating(table)}
            self._writer = pq.ParquetWriter(self._sink, table.schema, **options)
        self._writer.write_table(table, row_group_size=table.num_rows)
        self._group, self._size = [], 0


def _repeating(rows: pa.Table) -> list[str]:
    """The columns whose values repeat so often that a dictionary has room for them. One that is
    begun and given up takes longer to write, and much longer to be found whole."""
    sample = rows.slice(0, _SAMPLE)
    most = _DICTIONARY * sample.num_rows**2 / rows.num_rows
    return [
        name
        for name, values in zip(sample.column_names, sample.columns, strict=True)
        if pa.types.is_null(values.type)
        or pc.count_distinct(values, mode="all").as_py() * values.nbytes <= most
    ]


def _options(codec: str) -> dict[str, Any]:
    """Short decimals are integers, and pages have checksums."""
    return {
        "compression": codec,
        "version": "1.0",
        "store_decimal_as_integer": True,
        "write_page_checksum": True,
        "store_schema": False,
    }


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
