"""Which operations made columns of a row, told by the marks of the updates that met it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rowbook.expressions.bound import Bound, columns
from rowbook.planning.steps import AnyStep, AppendStep, UpdateStep
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class MarkSlice:
    """The operations, and the joins that they read, by operation and alias."""

    operations: frozenset[int] = frozenset()
    joined: frozenset[tuple[int, str]] = frozenset()

    def __or__(self, other: MarkSlice) -> MarkSlice:
        return MarkSlice(self.operations | other.operations, self.joined | other.joined)


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A row that updates of these seqs met; `born` is the append that it came by."""

    steps: Sequence[AnyStep]
    met: frozenset[int]
    born: AppendStep | None = None

    def columns(self, names: Iterable[str], seq: int) -> MarkSlice:
        """Of columns as the operation `seq` sees them."""
        found = MarkSlice()
        for name in names:
            found |= self._column(name, seq)
        return found

    def tree(self, tree: Bound, seq: int) -> MarkSlice:
        """Of what an expression of an operation reads."""
        read = columns(tree)
        joined = frozenset((seq, alias) for alias, _ in read if alias is not None)
        return MarkSlice(frozenset(), joined) | self.columns(
            sorted(name for alias, name in read if alias is None), seq
        )

    def _column(self, name: str, seq: int) -> MarkSlice:
        for step in reversed(self.steps):
            if step.seq < seq and step.seq in self.met and isinstance(step, UpdateStep):
                for each in (a for a in step.assignments if a.column == name):
                    return MarkSlice(frozenset({step.seq})) | self.tree(each.expression, step.seq)
        if self.born is None:
            return MarkSlice()
        found = MarkSlice(frozenset({self.born.seq}))
        for each in (r for r in self.born.results if r.column == name):
            read = columns(each.expression)
            joined = ((self.born.seq, alias) for alias, _ in read if alias is not None)
            found |= MarkSlice(frozenset(), frozenset(joined))
        return found


def writers_behind(
    steps: Sequence[AnyStep], names: Iterable[str], seq: int
) -> Iterator[UpdateStep]:
    """The updates before an operation that may have made these columns, or what made them."""
    wanted = set(names)
    for step in reversed(steps):
        if step.seq < seq and isinstance(step, UpdateStep):
            given = [each for each in step.assignments if each.column in wanted]
            if given:
                yield step
                read = (columns(each.expression) for each in given)
                wanted |= {name for found in read for source, name in found if source is None}
