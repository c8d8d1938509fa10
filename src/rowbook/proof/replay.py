"""A plan followed on plain rows, with what each operation did to each row.

Rows keep their places while operations change them, and new ones come behind: so each has a number
for its life, whatever becomes of its columns. Who makes a row of which others is found by the very
functions that the reference engine makes it with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Literal, TypeAlias

from rowbook.expressions.bound import Bound
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, OutputStep, TotalLevel
from rowbook.reference.appends import append_entries
from rowbook.reference.computation import Computation, FinishedStep, Source
from rowbook.reference.groups import group_rows, key_values, whole_groups
from rowbook.reference.loading.dataset_rows import (
    LoadedRows,
    PlainTable,
    RowPosition,
    SourceTables,
    load,
)
from rowbook.reference.loading.row_places import place_of_row
from rowbook.reference.picking import outcomes
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.subset.row_subset import EVERYTHING, RowSubset
from rowbook.reference.working_rows import JoinedRow, Row, WorkingRows, seen
from rowbook.value_class import dataclass

SourceKey: TypeAlias = tuple[str, int, RowPosition, Value]
"""A row of a source, whoever reads it: dataset, version, where it stands, and which of the rows
that one row became."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row as a dataset has it for the run."""

    key: SourceKey
    dataset: Dataset = field(compare=False, repr=False)
    values: Mapping[str, Value] = field(compare=False)
    table: PlainTable = field(compare=False, repr=False)

    @property
    def place(self) -> str:
        return place_of_row(self.dataset, self.table, self.key[2][1])


@dataclass(frozen=True, slots=True)
class Member:
    """What a row was made from: a row of a source, or an earlier one of the working dataset, by its
    number; and the row with what joins found for it, as the making operation saw it."""

    row: JoinedRow = field(compare=False, repr=False)
    life: int | None = None
    source: SourceRow | None = None


@dataclass(frozen=True, slots=True)
class Birth:
    """How a row came to be: read from the input; copied from another dataset, or made from an
    earlier row, by an append; or the summary of its members."""

    kind: Literal["read", "copy", "entry", "summary"]
    seq: int | None
    members: tuple[Member, ...]
    level: str | None = None
    keys: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Life:
    """A row of the working dataset. `first` is the place among the steps of the first that could
    see it; `row` is what it began with."""

    number: int
    birth: Birth
    first: int
    row: Row = field(compare=False, repr=False)


class ReplayStep:
    """An operation with the rows before it and those that it left, each with its number."""

    def __init__(
        self,
        index: int,
        step: AnyStep,
        before: WorkingRows,
        numbers: Sequence[int],
        environment: RunEnvironment,
    ) -> None:
        self.index, self.step = index, step
        self.before, self.numbers = before, numbers
        self._environment = environment
        self.left: WorkingRows = before
        self.left_numbers: Sequence[int] = numbers
        self.taken: Mapping[int, Expectation] = {}
        """The lives that expectations ended after it."""

    @cached_property
    def places(self) -> dict[int, int]:
        """Where a life's row stands before the operation."""
        return {number: place for place, number in enumerate(self.numbers)}

    @cached_property
    def left_places(self) -> dict[int, int]:
        return {number: place for place, number in enumerate(self.left_numbers)}

    @cached_property
    def outcomes(self) -> dict[int, tuple[Value, JoinedRow]]:
        """What its condition gave for each row that it saw, with what joins and windows found for
        it; not for the rows of another dataset that an append looks at."""
        step = self.step
        if isinstance(step, AppendStep) and step.source is not None:
            return {}
        with_deleted = isinstance(step, OutputStep) and step.include_deleted
        rows = self.before.rows
        places = [i for i, row in enumerate(rows) if with_deleted or not row["_deleted"]]
        found = outcomes([rows[i] for i in places], step, self._environment)
        return {self.numbers[i]: each for i, each in zip(places, found, strict=True)}

    def met(self, number: int) -> bool:
        outcome = self.outcomes.get(number)
        return outcome is not None and outcome[0] is True


class Replay:
    """All that the operations of a plan did to the rows of a source. Raises what a run would end
    with."""

    def __init__(
        self,
        plan: ProjectPlan,
        context: RunContext,
        source: Source,
        subset: RowSubset = EVERYTHING,
    ) -> None:
        self.plan, self.context, self.subset = plan, context, subset
        self.lives: list[Life] = []
        self.steps: list[ReplayStep] = []
        self.sources: dict[SourceKey, SourceRow] = {}
        """The rows that were read to become rows, or parts of rows, of the working dataset."""
        self.source_outcomes: dict[int, dict[SourceKey, Value]] = {}
        """Of each append from another dataset, what its condition gave for the rows of that."""
        self.taken_sources: dict[SourceKey, Expectation] = {}
        self._tables: dict[tuple[str, int], SourceTables] = {}
        self._read = source
        self._by_identity: dict[tuple[str, int], dict[int, SourceRow]] = {}
        self._functions: dict[int, tuple[Bound, Callable[[JoinedRow], Value]]] = {}
        self.partial_groups: dict[int, list[Birth]] = {}
        """Groups that a row was counted in of which not all rows are followed, by its number."""
        self.computation = Computation(plan, context, self.tables, subset)
        self.taken_at_start: dict[int, Expectation] = {}
        self._follow()

    @property
    def environment(self) -> RunEnvironment:
        return self.computation.environment

    def tables(self, dataset: Dataset) -> SourceTables:
        key = dataset.id, dataset.version
        if key not in self._tables:
            self._tables[key] = self._read(dataset)
        return self._tables[key]

    def value_of(self, tree: Bound, row: JoinedRow) -> Value:
        if id(tree) not in self._functions:
            self._functions[id(tree)] = tree, self.environment.evaluators.scalar(tree)
        return self._functions[id(tree)][1](row)

    def known(self, row: JoinedRow) -> Callable[[Bound], Value]:
        return lambda tree: self.value_of(tree, row)

    def step_at(self, seq: int) -> ReplayStep:
        return next(each for each in self.steps if each.step.seq == seq)

    def row_before(self, number: int, index: int) -> Row:
        """A life's row as the step at a place among the steps sees it; the last there is, behind
        all of them, or where it was taken out earlier."""
        for each in reversed(self.steps[self.lives[number].first : index]):
            if number in each.left_places:
                return each.left.rows[each.left_places[number]]
        return self.lives[number].row

    def joined_source(self, dataset: Dataset, row: Row) -> SourceRow | None:
        """The row of a dataset that a join found; None for the NULLs of a row without a match."""
        key = dataset.id, dataset.version
        if key not in self._by_identity:
            loaded = self.environment.load(dataset)
            rows = self.source_rows(dataset, loaded)
            found = {id(row): each for row, each in zip(loaded.rows, rows, strict=True)}
            self._by_identity[key] = found
        return self._by_identity[key].get(id(row))

    def source_rows(self, dataset: Dataset, loaded: LoadedRows) -> list[SourceRow]:
        tables, unpivot = self.tables(dataset).tables, dataset.unpivot
        identity = dataset.id
        return [
            SourceRow(
                (
                    identity,
                    dataset.version,
                    position,
                    row[unpivot.name.name] if unpivot else None,
                ),
                dataset,
                row,
                tables[position[0]],
            )
            for row, position in zip(loaded.rows, loaded.positions, strict=True)
        ]

    def _follow(self) -> None:
        plan, computation = self.plan, self.computation
        loaded = load(plan.input, self.tables(plan.input), self.context, keep_deleted=True)
        sources = self.source_rows(plan.input, loaded)
        self.sources |= {each.key: each for each in sources}
        working = computation.start()
        started = computation.started
        assert started is not None
        for source, row in zip(sources, started.rows.rows, strict=True):
            self._add(Birth("read", None, (Member({None: row}, source=source),)), 0, row)
        self.taken_at_start = {n: each for n, each in started.taken.items() if each}
        numbers = [n for n in range(len(self.lives)) if n not in started.taken]
        for index, done in enumerate(computation.follow(working)):
            each = ReplayStep(index, done.step, working, numbers, computation.environment)
            self._note(each, done)
            working = done.effect.working
            gone = {each.left_numbers[place] for place in done.left.taken}
            numbers = [n for n in each.left_numbers if n not in gone]
            self.steps.append(each)

    def _note(self, each: ReplayStep, done: FinishedStep) -> None:
        new = done.left.rows.rows[len(each.numbers) :]
        births = list(self._births(each, new))
        added = [
            self._add(birth, each.index + 1, row) for birth, row in zip(births, new, strict=True)
        ]
        each.left, each.left_numbers = done.left.rows, [*each.numbers, *added]
        taken = done.left.taken.items()
        each.taken = {each.left_numbers[place]: found for place, found in taken if found}

    def _add(self, birth: Birth, first: int, row: Row) -> int:
        number = len(self.lives)
        self.lives.append(Life(number, birth, first, row))
        return number

    def _births(self, each: ReplayStep, new: Sequence[Row]) -> Iterator[Birth]:
        match each.step:
            case AggregateStep():
                yield from self._summaries(each, each.step)
            case AppendStep():
                yield from self._appended(each, each.step)

    def _summaries(self, each: ReplayStep, step: AggregateStep) -> Iterator[Birth]:
        members = [
            Member(row, number)
            for number, (outcome, row) in each.outcomes.items()
            if outcome is True
        ]
        for level in step.groupings:
            yield from self._groups(members, level, step)

    def _appended(self, each: ReplayStep, step: AppendStep) -> Iterator[Birth]:
        found = append_entries(each.before, step, self.environment)
        members: list[Member] = []
        if found.source.loaded is None:
            rows = each.before.rows
            visible = [n for place, n in enumerate(each.numbers) if not rows[place]["_deleted"]]
            members = [Member(entry.row, visible[entry.origin]) for entry in found.entries]
        else:
            assert step.source is not None
            sources = self._append_sources(step, step.source, found.source.loaded)
            members = [Member(e.row, source=sources[e.origin]) for e in found.entries]
        if step.keys is not None:
            yield from self._groups(members, TotalLevel(None, step.keys), step)
            return
        kind: Literal["copy", "entry"] = "entry" if step.source is None else "copy"
        for member in members:
            yield Birth(kind, step.seq, (member,))

    def _append_sources(
        self, step: AppendStep, dataset: Dataset, loaded: LoadedRows
    ) -> list[SourceRow]:
        """The rows of the dataset; what its condition gave for them is kept."""
        sources = self.source_rows(dataset, loaded)
        self.sources |= {each.key: each for each in sources if each.key not in self.sources}
        results = outcomes(loaded.rows, step, self.environment)
        both = zip(sources, results, strict=True)
        self.source_outcomes[step.seq] = {each.key: result[0] for each, result in both}
        taken = self.computation.taken_of.get((dataset.id, dataset.version), {})
        if taken:
            whole = load(dataset, self.tables(dataset), self.context, keep_deleted=False)
            there = {each.key for each in sources}
            for source in self.source_rows(dataset, whole):
                if source.key not in there:
                    self.sources[source.key] = source
                    self.taken_sources[source.key] = taken[source.key[2]]
        return sources

    def _groups(
        self, members: Sequence[Member], level: TotalLevel, step: AggregateStep | AppendStep
    ) -> Iterator[Birth]:
        keys = key_values([each.row for each in members], level.keys, step, self.environment)
        groups = group_rows(members, keys)
        whole = whole_groups(groups, level, step, self.environment)
        for values, group in groups.items():
            named = dict(zip(level.keys, values, strict=True))
            birth = Birth("summary", step.seq, tuple(group), level.name, named)
            if values in whole:
                yield birth
                continue
            for member in group:
                if member.life is not None:
                    self.partial_groups.setdefault(member.life, []).append(birth)


def written_row(row: Row, step: OutputStep, context: RunContext) -> dict[str, Value]:
    """What an output writes of a row; a NULL period is the run's."""
    written = {name: seen(row[name]) for name in step.written}
    if PERIOD.name in written and written[PERIOD.name] is None:
        written[PERIOD.name] = context.period.identifier
    return written
