"""The life of one row in a replay: what each operation did to it, and what became of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rowbook.expressions.bound import Bound, Call, Column, Constant, Convert, columns, walk
from rowbook.expressions.bound_text import formula_text, literal, outcome_text, rule_text
from rowbook.expressions.values import EvaluationError, Value
from rowbook.planning.columns import ROW_ID, is_listed
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.resolution.destinations import destination_label
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    Step,
    UpdateStep,
    Window,
)
from rowbook.proof.replay import Life, Replay, ReplayStep, SourceRow, written_row
from rowbook.proof.row_life import (
    CellStep,
    Fate,
    JoinedMatch,
    LifeGroup,
    LifeOutput,
    LifeStep,
    RowLife,
)
from rowbook.reference.groups import group_rows
from rowbook.reference.working_rows import Cell, JoinedRow, Overflows, Row, seen
from rowbook.text.visible import number as counted


def cell_value(cell: Cell) -> Value:
    """A cell to look at; NULL for a value that did not fit, and that nothing read."""
    return None if isinstance(cell, Overflows) else cell


def step_words(step: Step) -> str:
    return f"{step.seq} '{step.name}'"


class LifeStories:
    """Tells the lives of the rows of a replay."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay

    @cached_property
    def summaries(self) -> Mapping[int, Sequence[Life]]:
        """The summary rows that a row, by its number, was counted in."""
        found: defaultdict[int, list[Life]] = defaultdict(list)
        for life in self.replay.lives:
            if life.birth.kind == "summary":
                for number in dict.fromkeys(each.life for each in life.birth.members):
                    if number is not None:
                        found[number].append(life)
        return found

    @cached_property
    def children(self) -> Mapping[int, Sequence[Life]]:
        """The rows that an append made from a row."""
        found: defaultdict[int, list[Life]] = defaultdict(list)
        for life in self.replay.lives:
            origin = life.birth.members[0].life if life.birth.kind == "entry" else None
            if origin is not None:
                found[origin].append(life)
        return found

    def story(self, number: int) -> RowLife:
        """Of a row of the working dataset."""
        life = self.replay.lives[number]
        source = life.birth.members[0].source if life.birth.kind in ("read", "copy") else None
        steps = list(self._steps(life))
        outputs = tuple(self._outputs(life))
        fate, reason = self._fate(life, outputs)
        values = life.row if source is None else source.values
        return RowLife(
            str(seen(life.row[ROW_ID])),
            self.dataset_name(life),
            source.place if source else None,
            fate,
            reason,
            self._birth(life),
            {n: cell_value(v) for n, v in values.items() if is_listed(n)},
            tuple(_with_later(steps, outputs)),
            (*self._groups(life), *self._window_groups(life)),
            outputs,
        )

    def source_story(self, source: SourceRow) -> RowLife:
        """Of a row of another dataset that became no row of its own: appends left it out, or
        summarised it."""
        values = {n: v for n, v in source.values.items() if is_listed(n)}
        place, name = source.place, source.dataset.name
        if (expectation := self.replay.taken_sources.get(source.key)) is not None:
            reason = _taken_words(expectation)
            return RowLife(None, name, place, "quarantined", reason, values=values)
        steps = tuple(self._append_steps(source))
        if not steps:
            return RowLife(None, name, place, "kept", self.use_words(source), values=values)
        groups, tables = dict[object, LifeGroup](), dict[int, LifeOutput]()
        for life in self._summaries_of(source):
            for group in (_group(life), *self._groups(life)):
                groups[group.seq, group.level, tuple(group.keys.items())] = group
            tables |= {e.seq: LifeOutput(e.seq, e.table) for e in self._outputs(life)}
        found = tuple(groups.values()), tuple(tables.values())
        if not groups:
            return RowLife(None, name, place, "kept", _not_taken(steps), "", values, steps)
        reason = "" if tables else "no output wrote a summary of it"
        fate: Fate = "published" if tables else "kept"
        return RowLife(None, name, place, fate, reason, "", values, steps, *found)

    def dataset_name(self, life: Life) -> str:
        """Of the dataset that a row comes from."""
        member = life.birth.members[0]
        if life.birth.kind == "summary" and member.life is not None:
            return self.replay.plan.input.name
        if member.source is not None:
            return member.source.dataset.name
        assert member.life is not None
        return self.dataset_name(self.replay.lives[member.life])

    def use_words(self, source: SourceRow) -> str:
        """Which operations joined a row, for how many rows."""
        uses = [
            f"{step_words(each.step)} as {alias} for {counted(rows, 'row')}"
            for each in self.replay.steps
            for alias, rows in self._uses(each, source).items()
        ]
        return f"joined by {', '.join(uses)}" if uses else "no operation used it"

    def _uses(self, each: ReplayStep, source: SourceRow) -> dict[str, int]:
        counts: dict[str, int] = {}
        rows = self._joined_rows(each)
        for join in each.step.joins:
            if (join.dataset.id, join.dataset.version) == source.key[:2]:
                used = sum(
                    self.replay.joined_source(join.dataset, row[join.alias]) == source
                    for row in rows
                    if join.alias in row
                )
                counts |= {join.alias: used} if used else {}
        return counts

    def _joined_rows(self, each: ReplayStep) -> list[JoinedRow]:
        step = each.step
        if isinstance(step, AppendStep):
            made = (life for life in self.replay.lives if life.birth.seq == step.seq)
            return [member.row for life in made for member in life.birth.members]
        return [row for outcome, row in each.outcomes.values() if outcome is True]

    def _birth(self, life: Life) -> str:
        birth, replay = life.birth, self.replay
        if birth.seq is None:
            return "read"
        made_by = step_words(replay.step_at(birth.seq).step)
        if birth.kind == "copy":
            return f"appended by {made_by}"
        if birth.kind == "entry":
            origin = birth.members[0].life
            assert origin is not None
            return f"made by {made_by} from row {seen(replay.lives[origin].row[ROW_ID])}"
        level = f", level {birth.level}" if birth.level else ""
        return f"the summary of {counted(len(birth.members), 'row')} by {made_by}{level}"

    def _steps(self, life: Life) -> Iterator[LifeStep]:
        if life.birth.seq is not None:
            yield self._making(life, self.replay.step_at(life.birth.seq).step)
        for each in self.replay.steps[life.first :]:
            found = each.outcomes.get(life.number)
            if found is not None and not isinstance(each.step, OutputStep):
                yield self._step(each, life, *found)

    def _making(self, life: Life, step: AnyStep) -> LifeStep:
        """What the operation that made a row gave it, and the rows that it was made with."""
        assert isinstance(step, AggregateStep | AppendStep)
        row, changes = life.birth.members[0].row, list[CellStep]()
        for result in step.values:
            tree, value = result.expression, cell_value(life.row.get(result.column))
            if _is_literal(tree) or is_own_column(tree, result.column):
                continue
            single = life.birth.kind != "summary"
            formula = self.formula(tree, row) if single else rule_text(tree)
            changes.append(CellStep(result.column, None, value, formula))
        joins = step.matches if isinstance(step, AppendStep) else ()
        found = [
            joined_row(self.replay, join.alias, join.dataset, row[join.alias], ())
            for join in joins
            if life.birth.kind != "summary" and join.alias in row
        ]
        said = self._part_words(life, step)
        return LifeStep(
            step.seq, step.name, step.type, True, "", said, tuple(changes), tuple(found)
        )

    def _part_words(self, life: Life, step: AnyStep) -> str:
        """How much of an amount a row got that was spread."""
        spread = step.spread if isinstance(step, AppendStep) else None
        if spread is None or life.birth.kind == "summary":
            return ""
        (member,) = life.birth.members
        whole: Row = member.source.values if member.source else {}
        if member.life is not None:
            index = self.replay.step_at(step.seq).index
            whole = self.replay.row_before(member.life, index)
        part, amount = (cell_value(row[spread.column]) for row in (member.row[None], whole))
        return f"{literal(part)} of {spread.column} {literal(amount)}"

    def _step(self, each: ReplayStep, life: Life, outcome: Value, row: JoinedRow) -> LifeStep:
        step, known = each.step, self.replay.known(row)
        condition = "" if step.selector is None else rule_text(step.selector)
        said = "" if step.selector is None else outcome_text(step.selector, known)
        if isinstance(step, AppendStep) and outcome is True:
            made = [c for c in self.children.get(life.number, ()) if c.birth.seq == step.seq]
            ids = ", ".join(str(seen(c.row[ROW_ID])) for c in made[:3])
            said = f"made {counted(len(made), 'row')}{': ' if ids else ''}{ids}"
        met = outcome if isinstance(outcome, bool) else None
        return LifeStep(
            step.seq,
            step.name,
            step.type,
            met,
            condition,
            said,
            tuple(self._changes(each, life, row)) if met else (),
            tuple(self._joined(step, row, met=bool(met))),
        )

    def _changes(self, each: ReplayStep, life: Life, row: JoinedRow) -> Iterator[CellStep]:
        step, before = each.step, row[None]
        after = each.left.rows[each.left_places[life.number]]
        if isinstance(step, DeleteStep):
            yield CellStep("_deleted", False, True)
        for assignment in step.assignments if isinstance(step, UpdateStep) else ():
            name = assignment.column
            formula = (
                ""
                if _is_literal(assignment.expression)
                else self.formula(assignment.expression, row)
            )
            old, new = cell_value(before.get(name)), cell_value(after[name])
            yield CellStep(name, old, new, formula)

    def formula(self, tree: Bound, row: JoinedRow) -> str:
        try:
            return formula_text(tree, self.replay.known(row))
        except EvaluationError:
            return rule_text(tree)

    def _joined(self, step: AnyStep, row: JoinedRow, *, met: bool) -> Iterator[JoinedMatch]:
        """The rows that its condition used, and what it did where the row met that."""
        trees = [] if step.selector is None else [step.selector]
        if met and isinstance(step, UpdateStep):
            trees += [each.expression for each in step.assignments]
        read = {found for tree in trees for found in columns(tree)}
        for join in step.joins:
            names = sorted(name for alias, name in read if alias == join.alias)
            if names and join.alias in row:
                yield joined_row(self.replay, join.alias, join.dataset, row[join.alias], names)

    def _outputs(self, life: Life) -> Iterator[LifeOutput]:
        for each in self.replay.steps[life.first :]:
            if isinstance(each.step, OutputStep) and each.met(life.number):
                row = each.before.rows[each.places[life.number]]
                written = written_row(row, each.step, self.replay.context)
                yield LifeOutput(each.step.seq, destination_label(each.step.destination), written)

    def _fate(self, life: Life, outputs: Sequence[LifeOutput]) -> tuple[Fate, str]:
        number = life.number
        if life.birth.kind == "read" and number in self.replay.taken_at_start:
            return "quarantined", _taken_words(self.replay.taken_at_start[number])
        for each in self.replay.steps:
            if isinstance(each.step, DeleteStep) and each.met(number):
                return "deleted", self._delete_words(each, number)
            if number in each.taken:
                after = f" after {step_words(each.step)}"
                return "quarantined", f"{_taken_words(each.taken[number])}{after}"
        if life.row["_deleted"]:
            return "deleted", "its source has it as deleted"
        return ("published", "") if outputs else ("kept", "no output wrote it")

    def _delete_words(self, each: ReplayStep, number: int) -> str:
        selector, (_, row) = each.step.selector, each.outcomes[number]
        if selector is None:
            return f"by {step_words(each.step)}, which takes all rows"
        held = " and ".join(rule_text(part) for part in _true_parts(selector, self.replay, row))
        return f"by {step_words(each.step)}: {held} is TRUE"

    def _groups(self, life: Life) -> Iterator[LifeGroup]:
        """Those that it was counted in itself, then those that their summaries were."""
        for summary in self.summaries.get(life.number, ()):
            yield _group(summary)
        for birth in self.replay.partial_groups.get(life.number, ()):
            yield LifeGroup(birth.seq or 0, birth.keys, 0, birth.level)
        for summary in self.summaries.get(life.number, ()):
            yield from self._groups(summary)

    def _window_groups(self, life: Life) -> Iterator[LifeGroup]:
        for each in self.replay.steps[life.first :]:
            if isinstance(each.step, UpdateStep) and each.met(life.number):
                for window in each.step.windows:
                    yield _window_group(each, window, life.number)

    def _append_steps(self, source: SourceRow) -> Iterator[LifeStep]:
        for seq, found in self.replay.source_outcomes.items():
            if source.key in found:
                step, outcome = self.replay.step_at(seq).step, found[source.key]
                condition = "" if step.selector is None else rule_text(step.selector)
                met = outcome if isinstance(outcome, bool) else None
                yield LifeStep(seq, step.name, "append", met, condition)

    def _summaries_of(self, source: SourceRow) -> Iterator[Life]:
        for life in self.replay.lives:
            members = life.birth.members if life.birth.kind == "summary" else ()
            if any(each.source is not None and each.source.key == source.key for each in members):
                yield life


def joined_row(
    replay: Replay, alias: str, dataset: Dataset, row: Row, names: Iterable[str]
) -> JoinedMatch:
    source = replay.joined_source(dataset, row)
    keys = [name for name in dataset.definition.natural_key_columns if name in row]
    values = {n: cell_value(row[n]) for n in dict.fromkeys((*keys, *names))} if source else {}
    return JoinedMatch(alias, dataset.name, source.place if source else None, values)


def _group(summary: Life) -> LifeGroup:
    birth = summary.birth
    assert birth.seq is not None
    return LifeGroup(birth.seq, birth.keys, len(birth.members), birth.level)


def _not_taken(steps: Sequence[LifeStep]) -> str:
    words = (f"{each.seq} '{each.name}'" for each in steps)
    return f"not taken by {', '.join(words)}"


def _window_group(each: ReplayStep, window: Window, number: int) -> LifeGroup:
    rows = each.outcomes
    keys = [tuple(seen(row[None][key]) for key in window.keys) for _, row in rows.values()]
    groups = group_rows(list(rows), keys)
    values, members = next((v, found) for v, found in groups.items() if number in found)
    named = dict(zip(window.keys, values, strict=True))
    return LifeGroup(each.step.seq, named, len(members), alias=window.alias)


def _with_later(steps: Sequence[LifeStep], outputs: Sequence[LifeOutput]) -> Iterator[LifeStep]:
    """With what overwrote each change, and whether an output wrote it."""
    for place, step in enumerate(steps):
        changes = []
        for change in step.changes:
            later = (
                each.seq
                for each in steps[place + 1 :]
                if any(other.column == change.column for other in each.changes)
            )
            overwritten = next(later, None)
            published = any(
                change.column in output.values
                and output.seq > step.seq
                and (overwritten is None or output.seq < overwritten)
                for output in outputs
            )
            changes.append(replace(change, overwritten_by=overwritten, is_published=published))
        yield replace(step, changes=tuple(changes))


def _taken_words(expectation: Expectation) -> str:
    return f"by expectation '{expectation.name}': {expectation.text}"


def _true_parts(tree: Bound, replay: Replay, row: JoinedRow) -> Iterator[Bound]:
    """Those of the alternatives of a condition that hold."""
    if isinstance(tree, Call) and tree.function == "OR":
        for part in tree.arguments:
            if replay.value_of(part, row) is True:
                yield from _true_parts(part, replay, row)
    else:
        yield tree


def is_own_column(tree: Bound, name: str) -> bool:
    """Whether an expression is nothing but the column of a row that has the name."""
    while isinstance(tree, Convert):
        tree = tree.operand
    return isinstance(tree, Column) and tree.source is None and tree.name == name


def _is_literal(tree: Bound) -> bool:
    return all(isinstance(part, Constant | Convert) for part in walk(tree))
