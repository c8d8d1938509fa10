"""What was staged, read back before it becomes the table: a disk may give back other bytes than it
was given."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.errors import RowbookError
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import LocalFile
from rowbook.sources.files.parquet.page_checksums import is_whole
from rowbook.sources.source_errors import output_error

MOST_READ = 64 * 2**20
"""Bytes of files of which more is read back than how many rows they hold."""
_HINT = "nothing was published; look after the disk, then run again"


def check_staged(
    target: FileTarget, files: Sequence[LocalFile], rows: int, rows_in: Callable[[LocalFile], int]
) -> None:
    """OUTPUT_006 where the files do not hold as many rows as were written, or where a page of a
    parquet file is damaged. Rows of text files are counted if there is not much of them."""
    if target.kind == "excel":
        _check_archives(target, files)
        return
    if target.kind in ("csv", "json") and sum(file.size for file in files) > MOST_READ:
        return
    try:
        found = sum(map(rows_in, files))
    except RowbookError as cause:
        said = cause.diagnostics[0].message
        raise output_error(target.label, f"was staged, but {said}", _HINT) from cause
    check_rows(target, rows, found)
    if target.kind == "parquet":
        _check_pages(target, files)


def _check_archives(target: FileTarget, files: Sequence[LocalFile]) -> None:
    for file in files:
        if file.size > MOST_READ:
            continue
        with zipfile.ZipFile(file.path) as archive:
            damaged = archive.testzip()
        if damaged is not None:
            why = f"was staged, but '{damaged}' in '{file.path.name}' is damaged"
            raise output_error(target.label, why, _HINT)


def check_rows(target: FileTarget, written: int, found: int) -> None:
    if found != written:
        why = f"was staged with {written:,} rows, but its files hold {found:,}"
        raise output_error(target.label, why, _HINT)


def _check_pages(target: FileTarget, files: Sequence[LocalFile]) -> None:
    room = MOST_READ
    for file in files:
        try:
            for size in _read_back(file.path, room):
                room -= size
        except (OSError, pa.ArrowException) as cause:
            reason = str(cause).strip().split("\n", 1)[0]
            why = f"was staged, but '{file.path.name}' is damaged: {reason}"
            raise output_error(target.label, why, _HINT) from cause


def _read_back(path: Path, room: int) -> Iterator[int]:
    """Row group by row group, the bytes that were read and found to be those that were written.
    Values are unpacked only where checksums and the footer do not tell."""
    with (
        pq.ParquetFile(path, page_checksum_verification=True) as file,
        path.open("rb") as opened,
        mmap(opened.fileno(), 0, access=ACCESS_READ) as mapped,
        memoryview(mapped) as content,
    ):
        for number in range(file.num_row_groups):
            if room <= 0:
                return
            group, schema = file.metadata.row_group(number), file.metadata.schema
            chunks = [(group.column(i), schema.column(i)) for i in range(group.num_columns)]
            unsettled = [leaf.path for c, leaf in chunks if not is_whole(content, c, leaf)]
            if unsettled:
                for _ in file.iter_batches(row_groups=[number], columns=unsettled):
                    pass
            size = sum(chunk.total_compressed_size for chunk, _ in chunks)
            room -= size
            yield size
