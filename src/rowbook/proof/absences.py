"""Why rows that were read are not in a figure: one reason for each of them.

A row can get into a figure by being written itself, or by being counted in a summary that gets
there. So it is followed as far as it came on the way that the figure's own rows went: deleted or
taken out before, not chosen by the operation that sums up, or counted in a summary that is not the
one, because of what gave its columns their values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rowbook.errors import RowbookError
from rowbook.expressions.bound import (
    Bound,
    columns,
    conjuncts,
)
from rowbook.expressions.values import EvaluationError, Value
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, DeleteStep
from rowbook.proof.figure import Figure
from rowbook.proof.life_story import LifeStories, is_own_column, step_words
from rowbook.proof.replay import Life, ReplayStep, SourceKey, SourceRow
from rowbook.proof.row_measure import row_measure
from rowbook.reference.working_rows import JoinedRow
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a row is not in; `depth` is how many summaries it came through."""

    text: str
    seq: int | None
    depth: int = 0
    amount: Value = None


class AbsenceFinder:
    def __init__(self, figure: Figure) -> None:
        self.figure, self.replay = figure, figure.replay
        self.stories = LifeStories(figure.replay)

    def reasons(self, is_wanted: Callable[[SourceRow], bool]) -> dict[SourceKey, Reason]:
        """For each row that was read and is not in the figure."""
        inside = {s.key for term in self.figure.terms for s in term.sources}
        idle = self.figure.finder.notes.idle
        found: dict[SourceKey, Reason] = {}
        for key, source in self.replay.sources.items():
            if key in inside or not is_wanted(source):
                continue
            if key in idle:
                text, seq = idle[key]
                found[key] = Reason(text, seq)
            else:
                found[key] = self._reason(source)
        return found

    @cached_property
    def _carriers(self) -> Mapping[SourceKey, Sequence[Life]]:
        """The rows of the working dataset that a row of a source became, or was counted in."""
        found: dict[SourceKey, list[Life]] = {}
        for life in self.replay.lives:
            for member in life.birth.members:
                if member.source is not None:
                    found.setdefault(member.source.key, []).append(life)
        return found

    @cached_property
    def _stages(self) -> Mapping[tuple[int, str | None], int]:
        """The summaries that the figure's rows went through, or those of the output where it has
        none, by operation and level; with their places among the steps."""
        numbers = self.figure.numbers or tuple(self.figure.written)
        found: dict[tuple[int, str | None], int] = {}
        waiting = list(numbers)
        seen_before = set[int]()
        while waiting:
            number = waiting.pop()
            if number in seen_before:
                continue
            seen_before.add(number)
            birth = self.replay.lives[number].birth
            if birth.kind == "summary" and birth.seq is not None:
                found[birth.seq, birth.level] = self.replay.step_at(birth.seq).index
            waiting += [member.life for member in birth.members if member.life is not None]
        if not numbers:
            for each in self.replay.steps[: self.figure.each.index]:
                if isinstance(each.step, AggregateStep):
                    found |= {(each.step.seq, g.name): each.index for g in each.step.groupings}
        return found

    @cached_property
    def _is_direct(self) -> bool:
        """Whether rows that are no summaries are among those of the figure."""
        numbers = self.figure.numbers or tuple(self.figure.written)
        kinds = {self.replay.lives[number].birth.kind for number in numbers}
        return not self._stages or not kinds <= {"summary"}

    def _reason(self, source: SourceRow) -> Reason:
        taken = self.replay.taken_sources.get(source.key)
        if taken is not None:
            return Reason(f"quarantined by expectation '{taken.name}'", None)
        lives = self._carriers.get(source.key, ())
        if not lives:
            return self._not_appended(source)
        reasons = ((self._of_life(life, ()), life) for life in lives)
        reason, life = max(reasons, key=lambda each: each[0].depth)
        first = life.birth.members[0].source
        if first is not None and first.key != source.key:
            return replace(reason, amount=None)  # the first row of a summary stands for all
        return reason

    def _not_appended(self, source: SourceRow) -> Reason:
        for seq, outcomes in self.replay.source_outcomes.items():
            if source.key in outcomes:
                words = step_words(self.replay.step_at(seq).step)
                match outcomes[source.key]:
                    case True:
                        return Reason(f"without a match in {words}", seq)
                    case None:
                        return Reason(f"the source selector of {words} is NULL for it", seq)
                return Reason(f"not in the source selector of {words}", seq)
        return Reason("no operation took it", None)

    def _of_life(self, life: Life, path: tuple[Life, ...]) -> Reason:
        """`path` are the rows that were counted in this one, the first of them first."""
        way = (*path, life)
        onward = [
            self._of_life(summary, way)
            for summary in self.stories.summaries.get(life.number, ())
            if (summary.birth.seq, summary.birth.level) in self._stages
        ]
        onward += [self._of_life(child, ()) for child in self.stories.children.get(life.number, ())]
        if onward:
            best = max(onward, key=lambda each: each.depth)
            return replace(best, depth=best.depth + 1)
        stage = self._first_stage(life)
        end = self._end(way, self.figure.each.index if stage is None else stage.index)
        if end is not None:
            return end
        if stage is not None:
            return self._not_chosen(stage, way)
        if life.number not in self.figure.written:
            return self._not_chosen(self.figure.each, way)
        if life.number in self.figure.numbers:
            return self._counted_for_nothing(life)
        return self._not_wanted(way)

    def _first_stage(self, life: Life) -> ReplayStep | None:
        """The first operation on the figure's way that could have counted a row."""
        if life.birth.kind != "summary" and self._is_direct:
            return None
        if (life.birth.seq, life.birth.level) in self._own_stages:
            return None
        later = [self.replay.steps[i] for i in self._stages.values() if i >= life.first]
        among = [each for each in later if _sums_working_rows(each)]
        return min(among, key=lambda each: each.index, default=None)

    @cached_property
    def _own_stages(self) -> frozenset[tuple[int | None, str | None]]:
        """Those whose summaries are the figure's rows themselves."""
        numbers = self.figure.numbers or tuple(self.figure.written)
        births = [self.replay.lives[number].birth for number in numbers]
        return frozenset((b.seq, b.level) for b in births if b.kind == "summary")

    def _end(self, way: tuple[Life, ...], index: int) -> Reason | None:
        """What ended a row before an operation could see it."""
        life, replay = way[-1], self.replay
        number = life.number
        if life.birth.kind == "read" and number in replay.taken_at_start:
            taken = replay.taken_at_start[number]
            return Reason(f"quarantined by expectation '{taken.name}'", None)
        for each in replay.steps[life.first : index]:
            if isinstance(each.step, DeleteStep) and each.met(number):
                return self._told(f"deleted by {step_words(each.step)}", each, way)
            if number in each.taken:
                text = f"quarantined by expectation '{each.taken[number].name}'"
                return self._told(text, each, way)
        if life.row["_deleted"] and not self.figure.step.include_deleted:
            return Reason("its source has it as deleted", None)
        return None

    def _not_chosen(self, each: ReplayStep, way: tuple[Life, ...]) -> Reason:
        outcome = each.outcomes.get(way[-1].number)
        words = step_words(each.step)
        if outcome is not None and outcome[0] is None:
            return self._told(f"the condition of {words} is NULL for it", each, way)
        return self._told(f"not chosen by {words}", each, way)

    def _not_wanted(self, way: tuple[Life, ...]) -> Reason:
        """Of a row that was written, and that nobody asked for."""
        life, where = way[-1], self.figure.where
        row: JoinedRow = {None: self.figure.written[life.number]}
        value = self.replay.environment.evaluators.scalar
        parts = conjuncts(where) if where is not None else []
        failing = next((part for part in parts if value(part)(row) is not True), None)
        names = sorted(name for _, name in columns(failing)) if failing is not None else []
        label = "in another group" if life.birth.kind == "summary" else "another row of the output"
        makers = {name: self._maker(way, name, self.figure.each.index) for name in names}
        said = ", ".join(
            f"{name} {'as read' if step is None else f'by {step_words(step)}'}"
            for name, step in makers.items()
        )
        seq = next((step.seq for step in makers.values() if step is not None), None)
        return replace(self._told(f"{label}: {said}", self.figure.each, way), seq=seq)

    def _counted_for_nothing(self, life: Life) -> Reason:
        """Of a row that the figure is of, or that was counted in such a one."""
        figure = self.figure
        writer = figure.finder.slices.writer(life.number, figure.column, figure.each.index)
        seq = life.birth.seq if writer is None else writer.step.seq
        is_null = figure.written[life.number][figure.column] is None
        return Reason("its value is NULL" if is_null else "counted, and adds nothing", seq)

    def _maker(self, way: tuple[Life, ...], name: str, index: int) -> AnyStep | None:
        """What gave a row's column its value, through the groups that it was a key of; None where
        that is how it was read."""
        life = way[-1]
        writer = self.figure.finder.slices.writer(life.number, name, index)
        if writer is not None:
            return writer.step
        if life.birth.seq is None or life.birth.kind == "copy":
            return None
        each = self.replay.step_at(life.birth.seq)
        step = each.step
        made = step.values if isinstance(step, AggregateStep | AppendStep) else ()
        trees = [result.expression for result in made if result.column == name]
        if life.birth.kind == "entry" or any(not is_own_column(tree, name) for tree in trees):
            return step
        return self._maker(way[:-1], name, each.index) if len(way) > 1 else None

    def _told(self, text: str, each: ReplayStep, way: tuple[Life, ...]) -> Reason:
        """With what the row would have added, as it was when it was counted first, or left."""
        counted = way[1].birth.seq if len(way) > 1 else None
        index = each.index if counted is None else self.replay.step_at(counted).index
        return Reason(text, each.step.seq, 0, self._amount(way[0], index))

    def _amount(self, life: Life, index: int) -> Value:
        row = self.replay.row_before(life.number, index)
        if self._measure is None or not {n for _, n in columns(self._measure)} <= row.keys():
            return None
        try:
            return self.replay.value_of(self._measure, {None: row})
        except (EvaluationError, RowbookError):
            return None

    @cached_property
    def _measure(self) -> Bound | None:
        return row_measure(self.figure)


def _sums_working_rows(each: ReplayStep) -> bool:
    step = each.step
    return isinstance(step, AggregateStep) or (isinstance(step, AppendStep) and step.source is None)
