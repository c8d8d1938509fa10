"""Counts of rows that leave the working dataset: what was counted on them is added to the counts of
those that stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rowbook.engine.counting.counters import Added, Count, Counter


@dataclass(slots=True)
class GoneRows:
    """By the seq of counters that nobody has read yet."""

    counts: dict[int, Count] = field(default_factory=dict)

    def add(
        self, counters: Sequence[Counter], read: Callable[[Sequence[Counter]], dict[int, Count]]
    ) -> None:
        """Rows that leave, as `read` counts them. Where added rows do not tell how many they were
        made from, these are counted apart from them, once."""
        if not counters:
            return
        found = read([Added(each.seq) if isinstance(each, Added) else each for each in counters])
        apart = {c.seq for c in counters if isinstance(c, Added) and c.taken is not None}
        for seq, count in found.items():
            own = Count(0, count.added) if seq in apart else count
            self.counts[seq] = _sum(own, self.counts.get(seq))

    def with_those(self, counts: Mapping[int, Count]) -> dict[int, Count]:
        """Counts of the rows that stayed, and of those that left."""
        return {seq: _sum(count, self.counts.get(seq)) for seq, count in counts.items()}


def _sum(count: Count, more: Count | None) -> Count:
    if more is None:
        return count
    return Count(count.matched + more.matched, count.added + more.added)
