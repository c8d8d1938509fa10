"""Rows of parquet files without Spark: values of their types, each row with its file and its number
in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.sources.files.bundles import Bundle, Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.files.text.column_reading import typed_fit
from rowbook.sources.source_errors import NotPlainError
from rowbook.sources.stores.object_path import DataPath, openable

_FILE, _ROW = Field("__file", t.STRING), Field("__row", t.INTEGER)
_SQL_NAMES = {"byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint"}
_BINARY = "binary"


def read_plain_parquet(places: Sequence[FileTable]) -> tuple[PlainTable, ...]:
    """NotPlainError where Spark must be asked for the types."""

    def signature(placed: Placed) -> str:
        return read_footer(placed.file.path, placed.name).signature

    found = bundle(places, signature)
    return tuple(_table(each, with_rows=found.with_rows) for each in found.each)


def _table(each: Bundle[str], *, with_rows: bool) -> PlainTable:
    types = _types(each)
    rows: list[Mapping[str, Value]] = []
    starts: list[int] = []
    for placed in each.files if with_rows else ():
        starts.append(len(rows))
        name = each.file_name(placed)
        if name is None:
            raise NotPlainError(f"{placed.name} has a name that Spark writes in its own way")
        added = {**each.cells_of(placed), _FILE.name: name}
        for number, row in enumerate(_rows(placed, types)):
            rows.append({**row, **added, _ROW.name: number})

    def name_of(index: int) -> str:
        file = bisect_right(starts, index) - 1
        return f"{each.files[file].name} row {index - starts[file] + 1}"

    period = each.place_period
    return PlainTable(
        (*types, *each.partitions),
        rows,
        each.origin,
        (_FILE, _ROW) if each.place.with_ids else (),
        period=period.period,
        period_column=period.column,
        partitions=each.partitions,
        types=types,
        fit=typed_fit,
        name_of=name_of,
    )


def _types(each: Bundle[str]) -> dict[str, str]:
    """The columns of the files, with the names that Spark's SQL has for their types."""
    first = each.files[0]
    found = read_footer(first.file.path, first.name).types()
    if found is None:
        raise NotPlainError(f"{first.name} has columns of types that Spark must be asked for")
    types = {name: _SQL_NAMES.get(kind, kind) for name, kind in found}
    if len(types) < len(found) or not types.keys().isdisjoint(each.partitions):
        raise NotPlainError(f"{first.name} has two columns of one name")
    return types


def _rows(placed: Placed, types: Mapping[str, str]) -> list[dict[str, Value]]:
    """A date beyond the year 9999 is one for Spark, and none for Python."""
    readable = [name for name, kind in types.items() if kind != _BINARY]
    try:
        with pq.ParquetFile(openable(placed.file.path)) as file:
            found: list[dict[str, Value]] = file.read(columns=readable).to_pylist()
    except (OSError, ValueError, OverflowError, pa.ArrowException) as cause:
        raise NotPlainError(f"{placed.name} cannot be read: {cause}") from cause
    return found


def column_batches(
    path: DataPath, columns: Sequence[str], label: str
) -> Iterator[tuple[dict[str, list[Value]], int]]:
    """The values of columns, some rows at a time, and how many rows. DATASOURCE_007 where they
    cannot be read."""
    try:
        with pq.ParquetFile(openable(path)) as file:
            for batch in file.iter_batches(columns=list(columns)):
                yield batch.to_pydict(), batch.num_rows
    except (OSError, ValueError, OverflowError, pa.ArrowException) as cause:
        reason = str(cause).strip().split("\n", 1)[0]
        raise RowbookError.of("DATASOURCE_007", f"{label} cannot be read: {reason}") from cause
