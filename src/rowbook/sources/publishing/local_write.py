"""Few rows written without Spark: a file for each folder, as Spark would write it in one task."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.planning.columns import PERIOD
from rowbook.sources.files.listing import NULL_FOLDER, partition_folder
from rowbook.sources.files.parquet.row_files import parts_by, with_nulls
from rowbook.sources.publishing.file_layout import NewFile, Part

WriteFile: TypeAlias = Callable[[pa.Table, Path], Path]
"""Writes a file of a name that still lacks its ending, and gives its path."""


def write_rows(table: pa.Table, folder: Path, by: Sequence[str], write_file: WriteFile) -> int:
    """How many rows there were. With `by`, what folders are named by, they stand in those of their
    periods; and without rows there is no file then."""
    folder.mkdir()
    name = f"part-00000-{uuid.uuid4()}-c000"
    for below, rows in _folders(table, by):
        place = folder / below
        place.mkdir(parents=True, exist_ok=True)
        write_file(rows, place / name)
    return int(table.num_rows)


def put_together(files: Sequence[NewFile], write_file: WriteFile) -> None:
    """Parquet files of few rows, made anew: the same rows in the same order."""
    for number, file in enumerate(files):
        pieces = [_rows(each.part).slice(each.first, each.rows) for each in file.pieces]
        write_file(pa.concat_tables(pieces), file.folder / f"part-{number:05}-{uuid.uuid4()}-c000")
    for path in {piece.part.file.path for file in files for piece in file.pieces}:
        path.unlink()


def _rows(part: Part) -> pa.Table:
    with pq.ParquetFile(part.file.path, page_checksum_verification=True) as file:
        return with_nulls(file.read())


def _folders(table: pa.Table, by: Sequence[str]) -> Iterator[tuple[str, pa.Table]]:
    if not by:
        yield "", table
        return
    for period, rows in parts_by(table, PERIOD.name):
        yield partition_folder(by[0], NULL_FOLDER if period is None else period), rows
