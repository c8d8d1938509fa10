"""Columns that tell the rows of a table apart: tested over all rows, alone, by two, by three."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from rowbook.value_class import dataclass

_MOST_VALUES = 20_000_000
"""Of larger tables nothing is tested: eight bytes are kept of each value."""
_MOST_COLUMNS = 10
_MOST_KEYS = 3
_NAMED = re.compile(
    r"(?:^|_)(?:id|key|nr|no|num|number|nummer|code|konto|account|beleg|journal|document|doc"
    r"|invoice|rechnung|line|zeile|pos|position|seq|item)(?:_|$)"
)
_DATED = 2


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A column that a key may be made of; `weight` is lower for those that look like one."""

    name: str
    index: int
    weight: int


@dataclass(frozen=True, slots=True)
class KeySearch:
    """The keys that were found, best first; `is_tested`: there were not too many rows for it."""

    keys: tuple[tuple[str, ...], ...]
    is_tested: bool = True


def key_columns(columns: Iterable[tuple[str, int, str]]) -> tuple[KeyColumn, ...]:
    """Of columns without NULLs, by name, place and type: amounts and yes or no are no keys."""
    found = [
        KeyColumn(name, index, 0 if _NAMED.search(name) else _WEIGHTS[kind])
        for name, index, kind in columns
        if kind in _WEIGHTS
    ]
    return tuple(sorted(found, key=lambda each: each.weight)[:_MOST_COLUMNS])


_WEIGHTS = {"integer": 1, "string": 1, "date": _DATED, "timestamp": _DATED}


class KeyHashes:
    """What is kept of the rows of a table to see which are alike: a number for each value."""

    def __init__(self, width: int) -> None:
        self._hashes = [array("q") for _ in range(width)]
        self._rows = 0
        self.is_full = False

    def add(self, columns: Sequence[Sequence[object]]) -> None:
        if self.is_full:
            return
        self._rows += len(columns[0]) if columns else 0
        if self._rows * len(self._hashes) > _MOST_VALUES:
            self.is_full = True
            self._hashes = []
            return
        for kept, values in zip(self._hashes, columns, strict=True):
            kept.extend(map(hash, values))

    def find(self, columns: Sequence[KeyColumn]) -> KeySearch:
        """Dates alone are no key: that no two rows are of one day is chance."""
        if self.is_full or self._rows < 2:
            return KeySearch((), is_tested=not self.is_full)
        hashes = [self._hashes[column.index] for column in columns]
        distinct = [len(set(each)) for each in hashes]
        for size in (1, 2, 3):
            keys = [
                chosen
                for chosen in combinations(range(len(columns)), size)
                if any(columns[i].weight < _DATED for i in chosen)
                and _may_be_unique(chosen, distinct, self._rows)
                and _is_unique(chosen, hashes)
            ]
            if keys:
                keys.sort(key=lambda chosen: sum(columns[i].weight for i in chosen))
                found = (sorted((columns[i] for i in each), key=lambda c: c.index) for each in keys)
                return KeySearch(tuple(tuple(c.name for c in each) for each in found)[:_MOST_KEYS])
        return KeySearch(())


def _may_be_unique(chosen: Sequence[int], distinct: Sequence[int], count: int) -> bool:
    possible = 1
    for index in chosen:
        possible *= distinct[index]
    return possible >= count


def _is_unique(chosen: Sequence[int], hashes: Sequence[array[int]]) -> bool:
    """Seen to be none at the first row that is like another."""
    seen: set[object] = set()
    for value in _values(chosen, hashes):
        if value in seen:
            return False
        seen.add(value)
    return True


def _values(chosen: Sequence[int], hashes: Sequence[array[int]]) -> Iterator[object]:
    if len(chosen) == 1:
        return iter(hashes[chosen[0]])
    return zip(*(hashes[index] for index in chosen), strict=True)
