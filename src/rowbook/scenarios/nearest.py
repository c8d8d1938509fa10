"""Pairs of expected and actual rows that are probably meant to be the same row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowbook.scenarios.cell_comparison import Compared
from rowbook.scenarios.mismatch import (
    CellDifference,
    Cells,
    ExpectedRow,
    RowPair,
    RowsDifference,
)

MOST_SEARCHED = 200
"""Rows a side that are looked at: each is compared with each, which bounds the work."""

_MOST_KNOWN_BY = 3


@dataclass(frozen=True, slots=True)
class _Nearest:
    """Which rows were paired, as indices of both sides; `searched` where not all were looked at."""

    pairs: tuple[tuple[int, int, RowPair], ...]
    searched: int | None


def rows_difference(
    missing: Sequence[ExpectedRow],
    unexpected: Sequence[Cells],
    compared: Compared,
    keys: Sequence[str] = (),
) -> RowsDifference:
    """Rows that are left over on either side, put into pairs as far as they are near."""
    nearest = _find_nearest(missing, unexpected, compared, keys)
    ours, theirs = {i for i, _, _ in nearest.pairs}, {j for _, j, _ in nearest.pairs}
    return RowsDifference(
        compared.names,
        tuple(row for i, row in enumerate(missing) if i not in ours),
        tuple(cells for j, cells in enumerate(unexpected) if j not in theirs),
        tuple(pair for _, _, pair in nearest.pairs),
        nearest.searched,
    )


def _find_nearest(
    missing: Sequence[ExpectedRow],
    unexpected: Sequence[Cells],
    compared: Compared,
    keys: Sequence[str],
) -> _Nearest:
    """Pair the rows that have most cells in common; those with equal natural keys come first. Rows
    with fewer than half of their cells in common, and different keys, are no pair."""
    names = compared.names
    key_places = [names.index(key) for key in keys] if set(keys) <= set(names) else []
    ours = range(min(len(missing), MOST_SEARCHED))
    theirs = _candidates(missing, unexpected, key_places, compared)
    ranked = sorted(
        (rank, i, j)
        for i in ours
        for j in theirs
        if (rank := _rank(missing[i].cells, unexpected[j], key_places, compared)) is not None
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in ranked:
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    made = [
        (i, j, row_pair(missing[i], unexpected[j], compared, key_places))
        for i, j in sorted(pairs.items())
    ]
    both = len(missing) and len(unexpected)
    limited = both and max(len(missing), len(unexpected)) > MOST_SEARCHED
    return _Nearest(tuple(made), MOST_SEARCHED if limited else None)


def row_pair(
    expected: ExpectedRow,
    got: Cells,
    compared: Compared,
    key_places: Sequence[int] = (),
    number: int | None = None,
) -> RowPair:
    """Two rows side by side: told by their natural key, else by the first cells they share."""
    names = compared.names
    cells = zip(range(len(names)), expected.cells, got, strict=True)
    different = [i for i, a, b in cells if not compared.same(i, a, b)]
    shared = [i for i, cell in enumerate(got) if i not in different and cell is not None]
    known_by = key_places or shared[:_MOST_KNOWN_BY]
    return RowPair(
        expected.origin,
        tuple((names[i], expected.cells[i]) for i in known_by),
        tuple(CellDifference(names[i], expected.cells[i], got[i]) for i in different),
        number,
    )


def _candidates(
    missing: Sequence[ExpectedRow],
    unexpected: Sequence[Cells],
    key_places: Sequence[int],
    compared: Compared,
) -> list[int]:
    """The actual rows to look at: those with the keys that are sought, then the first ones."""
    by_key: dict[object, list[int]] = defaultdict(list)
    if key_places and len(unexpected) > MOST_SEARCHED:
        for j, cells in enumerate(unexpected):
            by_key[_part(compared.split(cells)[0], key_places)].append(j)
    sought: Iterator[int] = (
        j
        for row in missing[:MOST_SEARCHED]
        if by_key
        for j in by_key.get(_part(compared.split(row.cells)[0], key_places), ())[:1]
    )
    found = dict.fromkeys((*sought, *range(min(len(unexpected), MOST_SEARCHED))))
    return list(found)[:MOST_SEARCHED]


def _part(cells: Sequence[object], places: Sequence[int]) -> tuple[object, ...]:
    return tuple(cells[place] for place in places)


def _rank(
    expected: Cells, got: Cells, key_places: Sequence[int], compared: Compared
) -> tuple[bool, int, int] | None:
    """Smaller is nearer: equal keys, then the number of equal cells, then of those not NULL."""
    equal = list(map(compared.same, range(len(expected)), expected, got))
    count = sum(equal)
    same_key = bool(key_places) and all(equal[p] and got[p] is not None for p in key_places)
    if not same_key and 2 * count < len(equal) and len(equal) > 1:
        return None
    told = sum(same and cell is not None for same, cell in zip(equal, got, strict=True))
    return not same_key, -count, -told
