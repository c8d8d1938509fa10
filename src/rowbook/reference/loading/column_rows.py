"""Rows that are held by columns, for tables of many: a dict for each takes more than its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from rowbook.expressions.values import Value


class ColumnRows(Sequence[Mapping[str, Value]]):
    def __init__(self, columns: Mapping[str, Sequence[Value]], count: int) -> None:
        self.columns = columns
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Value]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Value]]: ...
    def __getitem__(
        self, index: int | slice
    ) -> Mapping[str, Value] | Sequence[Mapping[str, Value]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        return {name: values[index] for name, values in self.columns.items()}

    def __iter__(self) -> Iterator[Mapping[str, Value]]:
        return (self[i] for i in range(self._count))
