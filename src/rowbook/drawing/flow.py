"""A plan as a flow of cards: the input on top, the operations below it in order, beside each what
it reads and what it writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowbook.lineage.column_lineage import OutputLineage
from rowbook.planning.steps import StepType
from rowbook.runs.run_plan.plan_model import (
    PlannedExpectation,
    PlannedRead,
    PlannedStep,
    PlannedUse,
    PlannedWrite,
    RunPlan,
)
from rowbook.text.plan_words import (
    at_destination,
    at_source,
    at_sources,
    brought,
    entry_facts,
    expected_of,
    manner,
    one_line,
    rows_read,
    windowed,
)
from rowbook.text.visible import number

Kind: TypeAlias = Literal["dataset", "table"] | StepType
Tone: TypeAlias = Literal["plain", "path", "code", "new", "bad"]
"""A path is told by its end."""

_MOST_NOTES = 7


@dataclass(frozen=True, slots=True)
class Note:
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Card:
    """A thing in the flow; `label` says in a word or two what it is."""

    kind: Kind
    label: str
    title: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    card: Card
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    step: Card
    reads: tuple[Link, ...]
    writes: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    start: Card
    rows: tuple[Row, ...]


def flow_of(plan: RunPlan, lineage: Sequence[OutputLineage] = ()) -> Flow:
    """With `lineage`, outputs tell what their columns are made of."""
    origins = {each.seq: each for each in lineage}
    return Flow(_start(plan), tuple(_row(step, plan, origins.get(step.seq)) for step in plan.steps))


def _start(plan: RunPlan) -> Card:
    columns = Note(f"{rows_read(plan.reads[0], plan)}, {number(len(plan.columns), 'column')}")
    return _dataset(plan.reads[0], "input", plan, columns)


def _dataset(read: PlannedRead, label: str, plan: RunPlan, *notes: Note) -> Card:
    expected = map(_expected, expected_of(plan, read=read))
    found = tuple(_limited([*notes, *_locations(read), *expected]))
    return Card("dataset", f"{label}, version {read.version}", read.dataset, found)


def _expected(expectation: PlannedExpectation) -> Note:
    then = "" if expectation.otherwise == "warn" else f", else {expectation.otherwise}"
    return Note(f"✓ {one_line(expectation.name)}{then}")


def _locations(read: PlannedRead) -> Iterator[Note]:
    if not read.locations:
        return
    first, count = read.locations[0], len(read.locations)
    yield Note(first.location, "path")
    said = [at_source(first.found)]
    if count > 1:
        yield Note(f"and {count - 1:,} more")
        said = list(at_sources([each.found for each in read.locations]))
    sound = any(each.found.presence in ("there", "absent", "unasked") for each in read.locations)
    for index, text in enumerate(said):
        yield Note(text, "plain" if sound and index == 0 else "bad")
    if read.lacking:
        yield Note(f"not there: {', '.join(read.lacking)}", "bad")
    if read.undeclared:
        yield Note(f"not loaded: {', '.join(read.undeclared)}")


def _row(step: PlannedStep, plan: RunPlan, lineage: OutputLineage | None) -> Row:
    reads = tuple(_read(use, plan) for use in step.reads)
    writes = tuple(_writes(step.writes, plan)) if step.writes else ()
    expected = map(_expected, expected_of(plan, step=step))
    notes = tuple(_limited([*_changes(step), *expected]))
    notes += tuple(_origins(lineage)) if lineage is not None else ()
    return Row(Card(step.type, f"{step.seq} {step.type}", step.name, notes), reads, writes)


def _read(use: PlannedUse, plan: RunPlan) -> Link:
    read = plan.read_of(use)
    notes = (Note(f"on {one_line(use.on)}", "code"),) if use.on else ()
    return Link(_dataset(read, "dataset", plan, *notes), f"{use.use} {use.alias or ''}".strip())


def _changes(step: PlannedStep) -> Iterator[Note]:
    if step.from_working:
        yield Note("from the working dataset")
    for label, said in entry_facts(step):
        yield Note(f"{label} {one_line(said)}", "plain" if label == "left out" else "code")
    if step.selector is not None:
        yield Note(f"where {one_line(step.selector)}", "code")
    if step.group_by:
        yield Note(f"group by {', '.join(step.group_by)}", "code")
    for window in step.windows:
        yield Note(f"window {windowed(window)}", "code")
    for level in step.levels:
        yield Note(f"level {level.name}: {', '.join(level.group_by) or 'over all'}", "code")
    for value in step.values:
        if value.expression is not None:
            expression = one_line(value.expression)
            if value.is_new:
                yield Note(f"+ {value.column} {value.type} = {expression}", "new")
            else:
                yield Note(f"{value.column} = {expression}", "code")
    if names := brought(step):
        yield Note(f"brings {', '.join(names)}")


def _writes(write: PlannedWrite, plan: RunPlan) -> Iterator[Link]:
    columns = number(len(write.columns), "column")
    notes = [Note(write.destination, "path"), Note(manner(write, plan)), Note(columns)]
    if (there := at_destination(write)) is not None:
        fails = there.endswith("a run would fail")
        notes.append(Note(f"there now: {there}", "bad" if fails else "plain"))
    name = write.destination.rpartition("/")[2]
    yield Link(Card("table", "table", name, tuple(notes)), "write")
    if write.registered_as is not None:
        yield Link(Card("dataset", "dataset", write.registered_as), "register")


def _origins(lineage: OutputLineage) -> Iterator[Note]:
    for each in lineage.columns:
        made_of = ", ".join(dict.fromkeys(str(e.key) for e in each.sources if e.is_direct))
        yield Note(f"{each.column} ← {made_of or 'no column'}", "code")


def _limited(notes: list[Note]) -> Iterator[Note]:
    """As many as a card has room for; what is bad is never left out for what is not."""
    if len(notes) <= _MOST_NOTES:
        yield from notes
        return
    room = _MOST_NOTES - 1
    bad = [i for i, note in enumerate(notes) if note.tone == "bad"][:room]
    others = [i for i, note in enumerate(notes) if note.tone != "bad"][: room - len(bad)]
    yield from (notes[i] for i in sorted((*bad, *others)))
    yield Note(f"and {number(len(notes) - len(bad) - len(others), 'line')} more")
