"""Which operations made a cell of a row: those that wrote it last, and wrote last what they read.

What a row meets decides it: of the operations that met it, the last that assigned a column before
it was read is the one that made it, and whatever it had before was overwritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from rowbook.expressions.bound import Bound, columns
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AggregateStep, AppendStep, Result, UpdateStep
from rowbook.proof.replay import Life, Member, Replay, ReplayStep, SourceRow
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class JoinUse:
    """A row that a join found, and the column that was read of it."""

    alias: str
    dataset: Dataset = field(compare=False, repr=False)
    source: SourceRow
    column: str


@dataclass(frozen=True, slots=True)
class RuleSlice:
    operations: frozenset[int] = frozenset()
    joined: frozenset[JoinUse] = frozenset()
    windows: frozenset[tuple[int, str]] = frozenset()
    """The windows that were read, by operation and alias."""
    columns: frozenset[str] = frozenset()
    """Columns of the source, as they were read."""

    def __or__(self, other: RuleSlice) -> RuleSlice:
        return RuleSlice(
            self.operations | other.operations,
            self.joined | other.joined,
            self.windows | other.windows,
            self.columns | other.columns,
        )


class RuleSlices:
    """Of the rows of a replay."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self._updates: dict[int, list[ReplayStep]] = {}
        self._cells: dict[tuple[int, str, int], RuleSlice] = {}
        self._columns: dict[int, tuple[Bound, frozenset[tuple[str | None, str]]]] = {}

    def writer(self, number: int, column: str, index: int) -> ReplayStep | None:
        """The last update before a place among the steps that gave a row's column its value."""
        for each in reversed(self._met_updates(number)):
            if each.index < index and any(e.column == column for e in _assignments(each)):
                return each
        return None

    def cell(self, number: int, column: str, index: int) -> RuleSlice:
        """Of a row's column, as the step at a place sees it."""
        key = number, column, index
        if key not in self._cells:
            self._cells[key] = RuleSlice()
            self._cells[key] = self._cell(*key)
        return self._cells[key]

    def tree(self, tree: Bound, member: Member, seq: int) -> RuleSlice:
        """Of what an expression reads of a row that an operation sees."""
        each = self.replay.step_at(seq)
        found = self._joined(tree, each, member)
        read = (name for source, name in self._columns_of(tree) if source is None)
        own = [name for name in read if name in member.row[None]]
        if member.life is None:
            return found | RuleSlice(columns=frozenset(own))
        for name in own:
            found |= self.cell(member.life, name, each.index)
        return found

    def _columns_of(self, tree: Bound) -> frozenset[tuple[str | None, str]]:
        if id(tree) not in self._columns:
            self._columns[id(tree)] = tree, columns(tree)
        return self._columns[id(tree)][1]

    def _met_updates(self, number: int) -> list[ReplayStep]:
        if number not in self._updates:
            first = self.replay.lives[number].first
            self._updates[number] = [
                each
                for each in self.replay.steps[first:]
                if isinstance(each.step, UpdateStep) and each.met(number)
            ]
        return self._updates[number]

    def _cell(self, number: int, column: str, index: int) -> RuleSlice:
        writer = self.writer(number, column, index)
        if writer is None:
            return self._birth(self.replay.lives[number], column)
        step = writer.step
        assert isinstance(step, UpdateStep)
        tree = next(e.expression for e in step.assignments if e.column == column)
        member = Member(writer.outcomes[number][1], number)
        return RuleSlice(frozenset((step.seq,))) | self.tree(tree, member, step.seq)

    def _birth(self, life: Life, column: str) -> RuleSlice:
        """Not through summaries: the rows that those are of have slices of their own."""
        birth = life.birth
        if birth.seq is None:
            return RuleSlice(columns=frozenset((column,)))
        found, step = RuleSlice(frozenset((birth.seq,))), self.replay.step_at(birth.seq).step
        if birth.kind in ("copy", "entry") and isinstance(step, AppendStep):
            for tree in (e.expression for e in step.results if e.column == column):
                found |= self.tree(tree, birth.members[0], birth.seq)
        return found

    def _joined(self, tree: Bound, each: ReplayStep, member: Member) -> RuleSlice:
        datasets = {join.alias: join.dataset for join in each.step.joins}
        uses, windows = set[JoinUse](), set[tuple[int, str]]()
        for alias, name in self._columns_of(tree):
            if alias in datasets and alias in member.row:
                source = self.replay.joined_source(datasets[alias], member.row[alias])
                uses |= {JoinUse(alias, datasets[alias], source, name)} if source else set()
            elif alias is not None and alias not in datasets:
                windows.add((each.step.seq, alias))
        return RuleSlice(frozenset(), frozenset(uses), frozenset(windows))


def _assignments(each: ReplayStep) -> tuple[Result, ...]:
    return each.step.assignments if isinstance(each.step, UpdateStep) else ()


def key_trees(step: AggregateStep | AppendStep, keys: Iterable[str]) -> Iterator[Bound | str]:
    """What groups are made by: expressions, and the names of columns."""
    computed = {each.column: each.expression for each in step.key_values}
    for key in keys:
        yield computed.get(key, key)
