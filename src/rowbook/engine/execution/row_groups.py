"""Rows grouped as they are written, in the Python processes beside Spark's tasks.

Imported by these processes, which start faster without the rest of Rowbook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import pyarrow as pa

from rowbook.sources.files.parquet.row_files import RowFiles

_DIGITS = 38
_BATCHES = 64
"""Batches whose groups are put together at once."""
_MOST_GROUPS = 100_000
"""Above, groups are given as they are: to put them together again and again would take longer than
Spark does once."""


Fold: TypeAlias = Literal["rows", "sum", "count", "min", "max"]


@dataclass(frozen=True, slots=True)
class Measure:
    """Of each group, in a column of its own. `rows` asks no column."""

    name: str
    function: Fold
    column: str = ""


@dataclass(frozen=True, slots=True)
class RowGroups:
    """What a task does with its rows: writes those of which `picked` is TRUE, and gives the groups
    that all of them make, which are not yet put together with those of other tasks. After `most`
    rows groups begin anew: a sum of so many has room."""

    files: RowFiles
    picked: str
    keys: tuple[str, ...]
    measures: tuple[Measure, ...]
    most: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        parts: list[pa.Table] = []
        rows = 0
        with self.files.open() as files:
            for batch in batches:
                if rows + batch.num_rows > self.most:
                    yield from self._given(parts)
                    parts, rows = [], 0
                picked = batch.column(self.picked)
                everything = picked.true_count == batch.num_rows
                files.write(batch if everything else batch.filter(picked))
                parts.append(self._grouped(pa.Table.from_batches([batch])))
                rows += batch.num_rows
                if len(parts) == _BATCHES:
                    parts = [self._put_together(parts)]
                if parts[0].num_rows > _MOST_GROUPS:
                    yield from self._given(parts)
                    parts, rows = [], 0
        yield from self._given(parts)

    def _grouped(self, rows: pa.Table) -> pa.Table:
        for each in self.measures:
            if each.function == "sum":
                place = rows.schema.get_field_index(each.column)
                rows = rows.set_column(place, each.column, _roomy(rows[each.column]))
        asked = [
            ([], "count_all") if each.function == "rows" else (each.column, each.function)
            for each in self.measures
        ]
        return self._named(rows.group_by(list(self.keys), use_threads=False).aggregate(asked))

    def _put_together(self, parts: Sequence[pa.Table]) -> pa.Table:
        folded = [
            (each.name, each.function if each.function in ("min", "max") else "sum")
            for each in self.measures
        ]
        groups = pa.concat_tables(parts).group_by(list(self.keys), use_threads=False)
        return self._named(groups.aggregate(folded))

    def _named(self, groups: pa.Table) -> pa.Table:
        return groups.rename_columns([*self.keys, *(each.name for each in self.measures)])

    def _given(self, parts: Sequence[pa.Table]) -> Iterator[pa.RecordBatch]:
        if parts:
            yield from self._put_together(parts).combine_chunks().to_batches()


def _roomy(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """What may be added up without an end."""
    kind = values.type
    if pa.types.is_decimal(kind):
        return values.cast(pa.decimal128(_DIGITS, kind.scale))
    if pa.types.is_boolean(kind):
        return values.cast(pa.int64())
    return values
