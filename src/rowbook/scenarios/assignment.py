"""Which expected row is which actual one: a largest assignment, so that none is left over that
could have been met."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions.values import EXACT
from rowbook.scenarios.cell_comparison import Compared
from rowbook.scenarios.mismatch import Cells

Numbers: TypeAlias = tuple[Decimal, ...]


def left_over(
    expected: Sequence[Cells], actual: Sequence[Cells], compared: Compared
) -> tuple[list[int], list[int]]:
    """The indices of expected rows without an actual one, and of actual rows without an expected
    one. Rows that may match are equal in all columns without tolerance: each such group is
    assigned on its own."""
    groups: dict[object, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    numbers: tuple[list[Numbers], list[Numbers]] = ([], [])
    for side, rows in enumerate((expected, actual)):
        for index, cells in enumerate(rows):
            exact, near = compared.split(cells)
            groups[exact][side].append(index)
            numbers[side].append(near)
    missing: list[int] = []
    unexpected: list[int] = []
    for ours, theirs in groups.values():
        pairs = assign(
            [numbers[0][i] for i in ours], [numbers[1][i] for i in theirs], compared.bounds
        )
        taken = set(pairs.values())
        missing += [row for i, row in enumerate(ours) if i not in pairs]
        unexpected += [row for i, row in enumerate(theirs) if i not in taken]
    return sorted(missing), sorted(unexpected)


def assign(
    expected: Sequence[Numbers], actual: Sequence[Numbers], bounds: Numbers
) -> dict[int, int]:
    """As many expected rows as possible, each with an actual row of its own whose numbers are all
    within the bounds. Equal rows are paired first, then near ones; augmenting paths undo what of
    that was hasty (expected 0 and 1, got 0 and -1, within 1)."""
    pairs = _equal(expected, actual)
    most = min(len(expected), len(actual))
    if len(pairs) == most:
        return pairs
    near = _Near(actual, bounds)
    owners = {theirs: ours for ours, theirs in pairs.items()}
    free = [i for i in near.order if i not in owners]
    waiting: list[int] = []
    for ours in sorted(set(range(len(expected))) - pairs.keys(), key=expected.__getitem__):
        found = near.take(expected[ours], free, most=1)
        if found:
            pairs[ours], owners[found[0]] = found[0], ours
        else:
            waiting.append(ours)
    open_rows = near.order
    for ours in waiting:
        if len(pairs) == most:
            break
        open_rows = _augment(ours, expected, near, pairs, owners, open_rows)
    return pairs


def _equal(expected: Sequence[Numbers], actual: Sequence[Numbers]) -> dict[int, int]:
    places: dict[Numbers, deque[int]] = defaultdict(deque)
    for theirs, numbers in enumerate(actual):
        places[numbers].append(theirs)
    return {
        ours: places[numbers].popleft()
        for ours, numbers in enumerate(expected)
        if places.get(numbers)
    }


class _Near:
    """Finds the actual rows within the bounds of an expected one, in the order of their numbers."""

    def __init__(self, actual: Sequence[Numbers], bounds: Numbers) -> None:
        self._actual = actual
        self._bounds = bounds
        self.order = sorted(range(len(actual)), key=actual.__getitem__)

    def take(self, numbers: Numbers, among: list[int], most: int | None = None) -> list[int]:
        """Those among some, which are in order: all or the first ones. They are taken out."""
        lowest = tuple(map(EXACT.subtract, numbers, self._bounds))
        highest = tuple(map(EXACT.add, numbers, self._bounds))
        start = bisect_left(among, lowest[0], key=self._first)
        end = bisect_right(among, highest[0], key=self._first)
        found: list[int] = []
        kept: list[int] = []
        for place in range(start, end):
            if len(found) == most:
                end = place
                break
            row = among[place]
            limits = zip(lowest, self._actual[row], highest, strict=True)
            (found if all(a <= n <= b for a, n, b in limits) else kept).append(row)
        among[start:end] = kept
        return found

    def _first(self, index: int) -> Decimal:
        return self._actual[index][0]


def _augment(
    start: int,
    expected: Sequence[Numbers],
    near: _Near,
    pairs: dict[int, int],
    owners: dict[int, int],
    open_rows: list[int],
) -> list[int]:
    """Find an actual row for `start` by moving others to rows that suit them as well. Returns the
    rows that are open to the next search: what a vain one has seen, no later one can gain from."""
    unseen = open_rows.copy()
    reached_by: dict[int, int] = {}
    queue = deque([start])
    while queue:
        ours = queue.popleft()
        for theirs in near.take(expected[ours], unseen):
            reached_by[theirs] = ours
            if theirs not in owners:
                _move(theirs, reached_by, pairs, owners)
                return open_rows
            queue.append(owners[theirs])
    return unseen


def _move(
    free: int, reached_by: dict[int, int], pairs: dict[int, int], owners: dict[int, int]
) -> None:
    place: int | None = free
    while place is not None:
        ours = reached_by[place]
        before = pairs.get(ours)
        pairs[ours], owners[place] = place, ours
        place = before
