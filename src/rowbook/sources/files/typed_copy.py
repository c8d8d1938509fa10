"""Text files copied into parquet, with values in their types: for Spark, which then reads neither
text nor checks it.

Arrow reads blocks of whole lines, one on each core, and takes a fraction of the time that Spark
takes for reading text into types. It is believed only where all values of a block are plain; at the
first block that holds anything else, the copy is given up, and the text is read by the rules, which
also say what is wrong.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.utils import is_remote

from rowbook.expressions.types import Type
from rowbook.sources.files.bundles import Bundle
from rowbook.sources.files.text.encodings import PACKED
from rowbook.sources.files.text.strict_values import UnsureError
from rowbook.sources.raw import Raw
from rowbook.sources.stores.object_path import DataPath, byte_size

LEAST, MOST = 1 << 20, 4 << 30
"""Bytes of files that are copied: of fewer, nobody sees the difference; for more, a disk may lack
the room."""

_BLOCK = 16 << 20


class Blocks(Protocol):
    """How whole lines of a file are read."""

    @property
    def may_be_sure(self) -> bool: ...

    def table(self, lines: bytes, types: Mapping[str, Type], *, is_first: bool) -> pa.Table: ...


@dataclass(frozen=True, slots=True)
class TextFile:
    """`cells` are what each of its rows holds beside what stands in it."""

    path: DataPath
    cells: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class TypedText:
    """Files that may be copied."""

    files: tuple[TextFile, ...]
    blocks: Blocks

    @classmethod
    def of(cls, bundle: Bundle[Any], blocks: Blocks) -> TypedText | None:
        files = tuple(TextFile(each.file.path, bundle.cells_of(each)) for each in bundle.files)
        packed = any(each.path.suffix in PACKED for each in files)
        return None if packed or not blocks.may_be_sure else cls(files, blocks)

    @property
    def size(self) -> int:
        return sum(byte_size(each.path) for each in self.files)


def with_copies(raw: Raw, spark: SparkSession, held: ExitStack) -> Raw:
    return raw if raw.text is None else replace(raw, typed=TypedCopies(spark, raw, raw.text, held))


@dataclass(slots=True)
class TypedCopies:
    """Copies of the rows of a Raw, kept as long as what `held` holds."""

    spark: SparkSession
    raw: Raw
    text: TypedText
    held: ExitStack
    _made: dict[tuple[tuple[str, Type], ...], Raw | None] = field(default_factory=dict)

    def __call__(self, types: Mapping[str, Type], never_null: Collection[str]) -> Raw | None:
        """The same rows with columns of these types; None where that is not certain, or one of
        them is NULL that never may be."""
        key = tuple(types.items())
        if key not in self._made:
            self._made[key] = self._copied(types)
        found = self._made[key]
        return found if found and found.never_null.issuperset(never_null) else None

    def _copied(self, types: Mapping[str, Type]) -> Raw | None:
        if not (LEAST <= self.text.size <= MOST and _shares_disk(self.spark)):
            return None
        place = self.spark.conf.get("spark.local.dir", None)
        scratch = tempfile.TemporaryDirectory(prefix="copy-", dir=place, ignore_cleanup_errors=True)
        folder = Path(self.held.enter_context(scratch))
        try:
            parts = _parts(self.text, types, folder)
        except (UnsureError, OSError):
            return None
        tables = [part for part in parts if part.rows]
        if not tables:
            return None
        schema = from_arrow_schema(tables[0].schema)
        frame = self.spark.read.schema(schema).parquet(*(str(part.path) for part in tables))
        full = frozenset(n for n in types if not any(n in part.nulls for part in tables))
        return replace(
            self.raw,
            frame=frame,
            as_text=False,
            broken=None,
            row=None,
            marked=None,
            text=None,
            never_null=full,
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """A block that was copied; `nulls` are the columns that hold some."""

    path: Path
    rows: int
    schema: pa.Schema
    nulls: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Span:
    """Whole lines of a file, from a byte to another."""

    file: TextFile
    start: int
    end: int

    def lines(self) -> bytes:
        with self.file.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.end - self.start)


def _parts(text: TypedText, types: Mapping[str, Type], folder: Path) -> list[_Part]:
    spans = [span for file in text.files for span in _spans(file)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [
            pool.submit(_part, span, text.blocks, types, folder / f"{number}.parquet")
            for number, span in enumerate(spans)
        ]
        try:
            return [each.result() for each in found]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _spans(file: TextFile) -> Iterator[_Span]:
    size = byte_size(file.path)
    with file.path.open("rb") as lines:
        start = 0
        while start < size:
            lines.seek(min(start + _BLOCK, size))
            lines.readline()
            yield _Span(file, start, lines.tell())
            start = lines.tell()


def _part(span: _Span, blocks: Blocks, types: Mapping[str, Type], path: Path) -> _Part:
    table = blocks.table(span.lines(), types, is_first=not span.start)
    for name, cell in span.file.cells.items():
        table = table.append_column(name, _repeated(cell, table.num_rows))
    pq.write_table(
        table,
        path,
        compression="lz4",
        use_dictionary=list(span.file.cells),
        write_statistics=False,
        store_decimal_as_integer=True,
    )
    nulls = frozenset(name for name in types if table[name].null_count)
    return _Part(path, table.num_rows, table.schema, nulls)


def _repeated(cell: str | None, rows: int) -> pa.Array:
    return pa.nulls(rows, pa.string()) if cell is None else pa.repeat(pa.scalar(cell), rows)


def _shares_disk(spark: SparkSession) -> bool:
    """Whether those who compute read what is written here."""
    return not is_remote() and str(spark.sparkContext.master).partition("[")[0] == "local"
