"""What becomes of rows that pass, in the Python processes beside Spark's tasks: they are written
for some outputs, and grouped in several ways.

Imported by these processes, which start faster without the rest of Rowbook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import pyarrow as pa

from rowbook.sources.files.parquet.row_files import OpenFiles, RowFiles
from rowbook.spark.id_texts import IdTexts

_DIGITS = 38
_ROWS = 50_000
"""That are grouped at once: of fewer, groups repeat the more often."""
_BYTES = 16 * 2**20
"""Above which they are as they are, however few."""
_PARTS = 16
"""Of these, whose groups are put together at once."""
_MOST_GROUPS = 100_000
"""Above, groups are given as they are: to put them together again and again would take longer than
Spark does once."""

GROUPING = "__grouping"
"""The column that tells which of the groupings a group is of, by its place."""

Fold: TypeAlias = Literal["rows", "number", "sum", "count", "min", "max"]
_SUMS = {"number": "sum"}
_Asked: TypeAlias = tuple[str | list[str], str]


@dataclass(frozen=True, slots=True)
class Measure:
    """Of each group, in a column of its own. `rows` asks no column; `number` adds up numbers of
    rows, or how often something is TRUE."""

    name: str
    function: Fold
    column: str = ""


@dataclass(frozen=True, slots=True)
class Writing:
    """Files of the rows of which `picked` is TRUE, with these of their columns, which are called
    otherwise there; `ids` are made of others."""

    files: RowFiles
    picked: str
    columns: tuple[str, ...]
    ids: IdTexts | None = None


@dataclass(frozen=True, slots=True)
class RowGrouping:
    """Of the rows of which `picked` is TRUE; None: of all of them."""

    picked: str | None
    keys: tuple[str, ...]
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class RowGroups:
    """What a task does with its rows: writes them, and gives the groups that they make, which are
    not yet put together with those of other tasks, as rows of the schema. After `most` rows groups
    begin anew: a sum of so many has room."""

    writings: tuple[Writing, ...]
    groupings: tuple[RowGrouping, ...]
    schema: pa.Schema
    most: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        groups = [_Groups(place, each) for place, each in enumerate(self.groupings)]
        rows = 0
        with ExitStack() as opened:
            files = [opened.enter_context(each.files.open()) for each in self.writings]
            for chunk in _chunks(batches, min(_ROWS, self.most)):
                if rows + chunk.num_rows > self.most:
                    yield from self._given(groups)
                    rows = 0
                rows += chunk.num_rows
                picked = _Picked(chunk)
                self._write(files, picked)
                for each in groups:
                    each.add(picked)
                yield from self._given([each for each in groups if each.is_full])
        yield from self._given(groups)

    def _write(self, files: Sequence[OpenFiles], rows: _Picked) -> None:
        for each, opened in zip(self.writings, files, strict=True):
            table = rows.of(each.picked)
            if each.ids is not None:
                table = table.append_column(each.ids.name, each.ids.of(table))
            written = table.select(list(each.columns))
            opened.write(written.rename_columns(list(each.files.columns)))

    def _given(self, groups: Iterable[_Groups]) -> Iterator[pa.RecordBatch]:
        for each in groups:
            table = each.take()
            if table is not None:
                yield from self._completed(each.place, table).to_batches()

    def _completed(self, place: int, groups: pa.Table) -> pa.Table:
        rows = groups.num_rows
        columns = [
            groups[each.name].cast(each.type)
            if each.name in groups.column_names
            else pa.nulls(rows, each.type)
            for each in self.schema
        ]
        at = self.schema.get_field_index(GROUPING)
        columns[at] = pa.repeat(pa.scalar(place, self.schema.field(at).type), rows)
        return pa.table(columns, schema=self.schema).combine_chunks()


def _chunks(batches: Iterable[pa.RecordBatch], size: int) -> Iterator[pa.Table]:
    """Of so many rows or fewer, of wide rows fewer; a batch that has more comes by itself."""
    waiting: list[pa.RecordBatch] = []
    rows = held = 0
    for batch in batches:
        if waiting and (rows + batch.num_rows > size or held > _BYTES):
            yield pa.Table.from_batches(waiting)
            waiting, rows, held = [], 0, 0
        if batch.num_rows:
            waiting.append(batch)
            rows += batch.num_rows
            held += batch.nbytes
    if waiting:
        yield pa.Table.from_batches(waiting)


class _Picked:
    """Some rows, and those of them that operations pick."""

    def __init__(self, rows: pa.Table) -> None:
        self._tables: dict[str | None, pa.Table] = {None: rows}
        self._values: dict[tuple[str | None, str], pa.ChunkedArray] = {}

    def of(self, picked: str | None) -> pa.Table:
        if picked not in self._tables:
            rows = self._tables[None]
            chosen = rows[picked]
            everything = sum(each.true_count for each in chosen.chunks) == rows.num_rows
            self._tables[picked] = rows if everything else rows.filter(chosen)
        return self._tables[picked]

    def roomy(self, picked: str | None, column: str) -> pa.ChunkedArray:
        """Values that may be added up without an end."""
        key = picked, column
        if key not in self._values:
            self._values[key] = _roomy(self.of(picked)[column])
        return self._values[key]


@dataclass(slots=True)
class _Groups:
    place: int
    grouping: RowGrouping
    parts: list[pa.Table] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        return bool(self.parts) and self.parts[0].num_rows > _MOST_GROUPS

    def add(self, rows: _Picked) -> None:
        if rows.of(self.grouping.picked).num_rows:
            self.parts.append(self._grouped(rows))
        if len(self.parts) == _PARTS:
            self.parts = [self._put_together()]

    def take(self) -> pa.Table | None:
        if not self.parts:
            return None
        table, self.parts = self._put_together(), []
        return table

    def _grouped(self, rows: _Picked) -> pa.Table:
        grouping = self.grouping
        table = rows.of(grouping.picked)
        columns = {key: table[key] for key in grouping.keys}
        for each in grouping.measures:
            if each.function == "sum":
                columns[each.name] = rows.roomy(grouping.picked, each.column)
            elif each.column:
                values = table[each.column]
                is_flag = pa.types.is_boolean(values.type)
                columns[each.name] = values.cast(pa.int64()) if is_flag else values
        asked: dict[str, _Asked] = {
            each.name: ([], "count_all")
            if each.function == "rows"
            else (each.name, _SUMS.get(each.function, each.function))
            for each in grouping.measures
        }
        if not columns:  # nothing but how many rows there are
            return pa.table({name: [table.num_rows] for name in asked})
        return self._folded(pa.table(columns), asked)

    def _put_together(self) -> pa.Table:
        if len(self.parts) == 1:
            return self.parts[0]
        folded: dict[str, _Asked] = {
            each.name: (each.name, each.function if each.function in ("min", "max") else "sum")
            for each in self.grouping.measures
        }
        return self._folded(pa.concat_tables(self.parts), folded)

    def _folded(self, rows: pa.Table, asked: Mapping[str, _Asked]) -> pa.Table:
        keys = list(self.grouping.keys)
        groups = rows.group_by(keys, use_threads=False).aggregate(list(asked.values()))
        return groups.rename_columns([*keys, *asked])


def _roomy(values: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = values.type
    scale = kind.scale if pa.types.is_decimal(kind) else 0
    return values.cast(pa.decimal128(_DIGITS, scale))
