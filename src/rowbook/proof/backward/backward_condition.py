"""Which rows a question about rows of a run is about, as they come into it.

The steps of a plan are gone through from the last to the first, with a condition on the rows of
the working dataset that is TRUE on those that matter. Rows that meet it after an update met it
before with each assigned column replaced by what the update made of it; all rows of a group matter
where its summary row does. What is left when the first step is reached is a condition on rows as
they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Call, Choice, Column, Constant, replaced, with_columns
from rowbook.expressions.folding import FALSE, TRUE, both, either, negated
from rowbook.expressions.implication import implied
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Join
from rowbook.planning.expectations.expectation_plan import CheckPoint, Expectation, RowCondition
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    Step,
    TotalLevel,
    UpdateStep,
)
from rowbook.proof.backward.birth_values import (
    UNKNOWN,
    entry_values,
    key_expressions,
    summary_values,
    system_constants,
    unmade,
)
from rowbook.proof.backward.carried_condition import (
    ASKED,
    CarriedCondition,
    named,
    of_step,
    renamed,
)
from rowbook.proof.backward.plan_stretches import grouped_by, stretches, written_after
from rowbook.reference.row_subset import BirthCondition, RowSubset
from rowbook.value_class import dataclass

_DELETED = Column(None, "_deleted", t.BOOLEAN, False)
_VISIBLE = Call("NOT", (_DELETED,), t.BOOLEAN, False)


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """The rows that meet a condition at a point: `input`, as they start; `after` an operation, or
    at the `end`, without those that expectations took out there; `output`, of those that it writes,
    as it writes them. `joins` are those that the condition mentions. With `onward` also what
    becomes of them afterwards is asked for."""

    point: CheckPoint
    condition: Bound
    joins: tuple[Join, ...] = ()
    onward: bool = False


@dataclass(frozen=True, slots=True)
class GroupQuestion:
    """The groups of an aggregate, or of an append's aggregation, whose keys meet a condition; of
    one level, where it has several."""

    seq: int
    condition: Bound
    level: str | None = None


@dataclass(frozen=True, slots=True)
class SourceQuestion:
    """The rows of the dataset of an append that meet a condition as they are loaded, and what
    becomes of them."""

    seq: int
    condition: Bound


Question: TypeAlias = RowQuestion | GroupQuestion | SourceQuestion


def rows_behind(plan: ProjectPlan, context: RunContext, questions: Sequence[Question]) -> RowSubset:
    """The rows that questions are about: those that they ask for, and all that these were made
    from. The plan's expectations must be those that took rows out, without bounds to what they may
    take: few rows tell nothing of these."""
    return _Walk(plan, context, tuple(questions)).subset()


@dataclass(slots=True)
class _Walk:
    plan: ProjectPlan
    context: RunContext
    questions: tuple[Question, ...]
    wanted: CarriedCondition = field(default_factory=CarriedCondition)
    """On rows of the working dataset, where the walk is."""
    appended: dict[int, BirthCondition] = field(default_factory=dict)
    groups: dict[int, dict[str | None, Bound]] = field(default_factory=dict)
    windows: dict[int, Bound] = field(default_factory=dict)
    quarantines: dict[tuple[str | None, str], Bound] = field(default_factory=dict)
    reasons: dict[str, None] = field(default_factory=dict)
    pending: dict[int, RowQuestion | SourceQuestion] = field(default_factory=dict)
    """Questions about what becomes of rows, whose point is not reached."""

    def subset(self) -> RowSubset:
        for number, question in enumerate(self.questions):
            if isinstance(question, SourceQuestion) or (
                isinstance(question, RowQuestion) and question.onward
            ):
                self.pending[number] = question
        self._want_pending()
        self._ask(CheckPoint("end"))
        at_input, each_step = stretches(self.plan)
        for stretch in reversed(each_step):
            step = stretch.step
            self._ask(CheckPoint("after", step.seq))
            for expectation in reversed(stretch.expectations):
                self._without_taken(expectation)
            self._before(step, stretch.fields)
        for expectation in reversed(at_input):
            self._without_taken(expectation)
        self._ask(CheckPoint("input"))
        self.wanted = self.wanted.with_marks(
            {str(each): CarriedCondition() for each in self.pending}
        )
        self._replace(self._input_values(), "the input")
        return RowSubset(
            self.wanted.birth,
            self.appended,
            self.groups,
            self.windows,
            self.quarantines,
            tuple(self.reasons),
        )

    def _want(self, more: CarriedCondition) -> None:
        self.wanted = self.wanted.or_where(more)

    def _want_pending(self) -> None:
        for number, question in self.pending.items():
            self._want(self._mark(number, question))

    def _mark(self, number: int, question: RowQuestion | SourceQuestion) -> CarriedCondition:
        """What is known at the end of rows that met a question before."""
        mark = Column(ASKED, str(number), t.BOOLEAN, False)
        if isinstance(question, SourceQuestion):
            return CarriedCondition(mark)
        written = written_after(self.plan, question.point)

        def is_kept(column: Column) -> bool:
            return column.source is None and column.name not in written

        return CarriedCondition(both(mark, implied(question.condition, is_kept).condition))

    def _ask(self, point: CheckPoint, shown: CarriedCondition | None = None) -> None:
        """Questions at a point, of the rows that are shown there."""
        for number, question in enumerate(self.questions):
            if not isinstance(question, RowQuestion) or question.point != point:
                continue
            own = shown or CarriedCondition(TRUE)
            condition = question.condition
            if shown is not None:
                condition = replaced(condition, {PERIOD.name: self._written_period()})
            found = own.and_where(of_step(condition, question.joins, f"q{number}", _VISIBLE))
            if self.pending.pop(number, None):
                self.wanted = self.wanted.with_marks({str(number): found})
            else:
                self._want(found)

    def _written_period(self) -> Bound:
        own = Constant(self.context.period.identifier, t.STRING)
        period = Column(None, PERIOD.name, t.STRING, True)
        return Call("COALESCE", (period, own), t.STRING, False)

    def _before(self, step: AnyStep, fields: Mapping[str, Field]) -> None:
        """Go back over a step; `fields` are the columns before it."""
        match step:
            case UpdateStep():
                self._before_update(step, fields)
            case DeleteStep():
                self._before_delete(step)
            case AggregateStep():
                self._before_aggregate(step, fields)
            case AppendStep():
                self._before_append(step, fields)
            case OutputStep():
                shown = TRUE if step.include_deleted else _VISIBLE
                self._ask(CheckPoint("output", step.seq), self._picked(step, shown))

    def _picked(self, step: Step, shown: Bound = _VISIBLE) -> CarriedCondition:
        chosen = of_step(step.selector, step.joins, str(step.seq), shown)
        return CarriedCondition(shown).and_where(chosen)

    def _before_update(self, step: UpdateStep, fields: Mapping[str, Field]) -> None:
        name, aliases = str(step.seq), frozenset(window.alias for window in step.windows)
        joins = renamed(step.joins, name, _VISIBLE)
        selector = TRUE if step.selector is None else step.selector
        matched = both(_VISIBLE, named(_unseen(selector, aliases), name))
        given: dict[str, Bound] = {"_updated_at": self._now}
        for each in step.assignments:
            given[each.column] = named(_unseen(each.expression, aliases), name)
        self._replace(_chosen(given, matched, step, fields), _label(step), joins)
        if step.windows:
            keys = frozenset.intersection(*(frozenset(each.keys) for each in step.windows))
            whole = self._whole_groups(keys, f"{_label(step)}: windows")
            self.windows[step.seq] = whole
            self._want(CarriedCondition(both(_VISIBLE, whole)))

    def _before_delete(self, step: DeleteStep) -> None:
        matched = both(_VISIBLE, named(step.selector or TRUE, str(step.seq)))
        surely = Call("COALESCE", (matched, FALSE), t.BOOLEAN, False)
        values = _chosen({"_updated_at": self._now}, matched, step, step.columns.fields)
        values["_deleted"] = either(_DELETED, surely)
        joins = renamed(step.joins, str(step.seq), _VISIBLE)
        self._replace(values, _label(step), joins)

    @property
    def _now(self) -> Constant:
        return Constant(self.context.now, t.TIMESTAMP)

    def _before_aggregate(self, step: AggregateStep, fields: Mapping[str, Field]) -> None:
        keys = key_expressions(step, fields)
        member: Bound = FALSE
        for level in step.groupings:
            values = summary_values(step, level, self.plan.input, self.context)
            member = either(member, replaced(self._groups(step, level, values), keys))
        self._replace(_not_there(step, fields), _label(step))
        self._want_picked(step, member)

    def _groups(
        self, step: AggregateStep | AppendStep, level: TotalLevel, values: Mapping[str, Bound]
    ) -> Bound:
        """The groups whose summary rows matter, by their keys."""
        made = self._made(values).about(level.keys)
        if not made.exact and self.wanted.exact:
            self._because(f"{_label(step)}: which groups matter is known when they are made")
        whole = made.condition
        for each in self.questions:
            if isinstance(each, GroupQuestion) and (each.seq, each.level) == (step.seq, level.name):
                whole = either(whole, each.condition)
        self.groups.setdefault(step.seq, {})[level.name] = whole
        return whole

    def _made(
        self, values: Mapping[str, Bound], joins: Sequence[Join] = (), seq: int | None = None
    ) -> CarriedCondition:
        """What is wanted of new rows, said with those that they are made from: they met no question
        before, but such as are asked of the rows that the append `seq` reads."""
        marks = {
            str(number): CarriedCondition(each.condition)
            if isinstance(each, SourceQuestion) and each.seq == seq
            else CarriedCondition()
            for number, each in enumerate(self.questions)
        }
        return self.wanted.with_values(values, joins).with_marks(marks)

    def _want_picked(self, step: AggregateStep | AppendStep, condition: Bound) -> None:
        """Visible rows of the working dataset that a step picks."""
        if condition != FALSE:
            where = of_step(condition, step.joins, str(step.seq), _VISIBLE)
            self._want(self._picked(step).and_where(where))

    def _before_append(self, step: AppendStep, fields: Mapping[str, Field]) -> None:
        origin = step.source or self.plan.input
        source = fields if step.source is None else step.source.readable.fields
        name = str(step.seq)
        shown = TRUE if step.source is not None else _VISIBLE
        picked = both(shown, named(step.selector or TRUE, name))
        joins = (*renamed(step.lookups, name, shown), *renamed(step.matches, name, picked))
        if step.keys is None:
            values = entry_values(step, source, self.context, origin)
            given = {column: named(value, name) for column, value in values.items()}
            made = self._made(given, joins, step.seq)
        else:
            values = summary_values(step, TotalLevel(None, step.keys), origin, self.context)
            whole = self._groups(step, TotalLevel(None, step.keys), values)
            of_rows = unmade(step)
            keys = {
                key: named(of_rows(value), name)
                for key, value in key_expressions(step, source).items()
            }
            made = CarriedCondition(whole).with_values(keys, joins)
        if made.condition != FALSE:
            if any(join.unmatched == "drop" for join in step.matches):
                self._because(f"{_label(step)}: rows without a match make no row")
            if not made.exact and self.wanted.exact:
                self._because(f"{_label(step)}: what it adds is known when it is made")
        made = CarriedCondition(picked, joins).and_where(made)
        self._replace(_not_there(step, fields), _label(step))
        if step.source is not None:
            self.appended[step.seq] = made.birth
        elif made.condition != FALSE:
            self._want(of_step(made.condition, made.joins, f"from {name}"))

    def _without_taken(self, expectation: Expectation) -> None:
        """Rows that an expectation took out are gone behind it, and belong to those whose way is
        asked for."""
        condition, name = expectation.condition, f"{expectation.owner} {expectation.name}"
        if not isinstance(condition, RowCondition) or expectation.whole:
            keys = grouped_by(expectation)
            whole = self._whole_groups(keys, f"expectation '{expectation.name}'")
            self.quarantines[expectation.key] = whole
            self._want(CarriedCondition(whole))
            return
        shown = TRUE if expectation.include_deleted else _VISIBLE
        selector = named(expectation.selector or TRUE, name)
        holds = Call("COALESCE", (named(condition.that, name), FALSE), t.BOOLEAN, False)
        taken = both(shown, selector, negated(holds))
        kept = negated(Call("COALESCE", (taken, FALSE), t.BOOLEAN, False))
        joins = renamed(expectation.joins, name, shown)
        self.wanted = self.wanted.and_where(CarriedCondition(kept, joins))
        self._want_pending()

    def _whole_groups(self, keys: frozenset[str], what: str) -> Bound:
        """A condition on keys that is TRUE on all rows of the groups that matter."""
        found = self.wanted.about(keys).condition
        if found != FALSE:
            rows = "all rows" if found == TRUE else "groups of rows"
            self._because(f"{what} look at {rows}")
        return found

    def _replace(self, values: Mapping[str, Bound], label: str, joins: Sequence[Join] = ()) -> None:
        """What is wanted before a step that gave columns these values."""
        was_exact = self.wanted.exact
        self.wanted = self.wanted.with_values(values, joins)
        if was_exact and not self.wanted.exact:
            self._because(f"{label}: what it gives a column is not known beforehand")

    def _because(self, reason: str) -> None:
        self.reasons[reason] = None

    def _input_values(self) -> dict[str, Bound]:
        constants = system_constants(self.plan.input, None, self.context)
        return {n: constants[n] for n in ("_operation_seq", "_source_dataset_id", "_source_table")}


def _label(step: Step) -> str:
    return f"operation {step.seq} '{step.name}'"


def _unseen(tree: Bound, windows: frozenset[str]) -> Bound:
    """What windows give a row is unknown before they are computed."""
    return with_columns(tree, lambda c: replace(c, source=UNKNOWN) if c.source in windows else c)


def _chosen(
    given: Mapping[str, Bound], matched: Bound, step: Step, fields: Mapping[str, Field]
) -> dict[str, Bound]:
    """What columns are after a step that gave the rows that it matched these values; new ones are
    NULL on others."""
    found: dict[str, Bound] = {}
    for name, value in given.items():
        kind, before = step.columns.fields[name].type, fields.get(name)
        otherwise: Bound = Constant(None, kind)
        if before is not None:
            otherwise = Column(None, name, kind, before.nullable)
        found[name] = Choice(((matched, value),), otherwise, kind, True)
    return found


def _not_there(step: Step, fields: Mapping[str, Field]) -> dict[str, Bound]:
    """Columns that a step adds are NULL on the rows that were there before."""
    return {
        name: Constant(None, each.type)
        for name, each in step.columns.fields.items()
        if name not in fields
    }
