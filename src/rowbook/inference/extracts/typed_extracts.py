"""Parquet files, Delta tables and tables of databases: their columns have types already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from rowbook.errors import RowbookError
from rowbook.inference.extracts.data_places import DataPlace
from rowbook.inference.extracts.extract import Extract, Option, Rows, SourceProposal
from rowbook.sources.files.listing import data_files

if TYPE_CHECKING:
    from rowbook.definitions.models.datasource import DatasourceDefinition
    from rowbook.locations.boundary import Boundary

_SQL_NAMES = {"byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint"}
_MOST_ROWS = 1_000_000
"""Of a database: tables with more rows are described by its catalog alone."""


def parquet_extract(place: DataPlace) -> Extract:
    """A file, a folder of files, or files of several months; all with the same columns."""
    from rowbook.sources.files.parquet.metadata import read_footer

    files = _parquet_files(place)
    types: dict[str, str] | None = None
    for path, label in files:
        found = read_footer(path, label).types()
        if found is None:
            message = f"{label} has columns of types that only Spark knows"
            raise RowbookError.of("DATASOURCE_007", message)
        kinds = {name: _SQL_NAMES.get(kind, kind) for name, kind in found}
        if types not in (None, kinds):
            message = f"{label} has other columns than {files[0][1]}"
            raise RowbookError.of("DATASOURCE_007", message)
        types = kinds
    headers = tuple(types or ())
    readable = [name for name, kind in (types or {}).items() if kind != "binary"]
    return Extract(
        place.stem,
        place.label,
        SourceProposal("parquet", {"root": Option(place.root)}),
        place.below,
        is_table=False,
        headers=headers,
        rows=lambda: _parquet_rows(files, headers, readable),
        types=types,
    )


def _parquet_files(place: DataPlace) -> list[tuple[Path, str]]:
    files: list[tuple[Path, str]] = []
    for path, label in place.files:
        found = data_files(path, "parquet")
        if any(file.partitions for file in found):
            message = f"{label} holds columns in the names of folders, which is not looked at"
            raise RowbookError.of("DATASOURCE_007", message, hint="name one of its files")
        files += [(file.path, file.name_below(label)) for file in found]
    if not files:
        raise RowbookError.of("DATASOURCE_006", f"no parquet files at {place.label}")
    return files


def _parquet_rows(
    files: Sequence[tuple[Path, str]], headers: Sequence[str], readable: Sequence[str]
) -> Rows:
    from rowbook.sources.files.parquet.plain_rows import column_batches

    for path, label in files:
        number = 0
        for cells, count in column_batches(path, readable, label):
            none = [None] * count
            for row in zip(*(cells.get(name, none) for name in headers), strict=True):
                number += 1
                yield f"{label} row {number}", row


def delta_extract(place: DataPlace) -> Extract:
    """Rows are gone through where all of them are simply those of its files."""
    from rowbook.sources.delta.delta_table import DeltaTable, describe
    from rowbook.sources.delta.log import Log
    from rowbook.sources.delta.state import live_files

    path, label = place.files[0]
    head = describe(DeltaTable(path, label)).head
    types = {column.name: _delta_type(column.kind) for column in head.columns}
    log = Log.of(path)
    segment = log.segment(log.newest) if log.newest is not None else None
    files = live_files(segment) if segment is not None and not head.protocol.unknown else ()
    parts = [(path / unquote(file.path), f"{label}/{file.path}") for file in files]
    is_plain = bool(parts) and not head.partitions and not any(f.deletions for f in files)
    headers = tuple(types)
    is_plain = is_plain and all(_has_columns(part, headers) for part, _ in parts)
    return Extract(
        place.stem,
        place.label,
        SourceProposal("delta", {"root": Option(place.root)}),
        place.below,
        is_table=True,
        headers=headers,
        rows=lambda: _parquet_rows(parts, headers, headers),
        types=types,
        is_looked_at=is_plain,
        notes=() if is_plain else ("its rows were not looked at: they take Spark",),
    )


def _delta_type(kind: str | Mapping[str, object]) -> str:
    return _SQL_NAMES.get(kind, kind) if isinstance(kind, str) else "struct"


def _has_columns(path: Path, headers: Sequence[str]) -> bool:
    from rowbook.sources.files.parquet.metadata import read_footer

    return {*headers} <= {*read_footer(path, path.name).columns}


def table_extract(source: DatasourceDefinition, table: str, boundary: Boundary) -> Extract:
    """A table of a database that a data source of the workspace names."""
    from rowbook.sources import registry

    sample = registry.sample_table(source, table, boundary, _MOST_ROWS)
    return Extract(
        table.rpartition(".")[2],
        sample.label,
        SourceProposal("jdbc", existing=source.name),
        table,
        is_table=True,
        headers=tuple(sample.types),
        rows=sample.rows,
        types=sample.types,
        never_null=sample.never_null,
        keys=sample.keys,
        is_looked_at=sample.is_looked_at,
        notes=sample.notes,
    )
