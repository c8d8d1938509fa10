"""Plans followed on all rows and on some, and who each row was made from, by brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Call, Column, Constant
from rowbook.expressions.folding import both
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, TotalLevel
from rowbook.proof.backward.plan_stretches import as_it_acted
from rowbook.proof.backward.restricted_input import restricted_input
from rowbook.reference.computation import Computation, FinishedStep, LookedAt, Source
from rowbook.reference.entries.entry_rows import entry_rows
from rowbook.reference.entries.spreads import spread_rows
from rowbook.reference.groups import group_rows, key_values
from rowbook.reference.picking import pick, pick_visible
from rowbook.reference.row_subset import EVERYTHING, RowSubset
from rowbook.reference.working_rows import JoinedRow, Overflows, Row, WorkingRows
from tests.support.reference_run import Tables, source_of
from tests.support.small_plans import CONTEXT


@dataclass
class Replay:
    """What a plan left at each point, by the seq of its step (0: at the start), rows by id; and of
    each row the rows of the input that it was made from."""

    plan: ProjectPlan
    started: dict[str, Row] = field(default_factory=dict)
    points: dict[int, dict[str, Row]] = field(default_factory=dict)
    left: dict[int, dict[str, Row]] = field(default_factory=dict)
    """The same before expectations took rows out."""
    let_go: dict[int, frozenset[str]] = field(default_factory=dict)
    """Rows that were there and are not followed any further."""
    ancestors: dict[str, frozenset[str]] = field(default_factory=dict)
    tells_ancestors: bool = True
    """Not where values did not fit, or new rows were taken out at once."""


def acted(plan: ProjectPlan, tables: Tables) -> ProjectPlan:
    """The plan with those expectations alone that take rows out."""
    computation = Computation(plan, CONTEXT, source_of(tables))
    for _ in computation.follow(computation.start()):
        pass
    taking = [each.key for each, seen in computation.observations if seen.quarantined]
    return as_it_acted(plan, taking)


def replay(plan: ProjectPlan, tables: Tables, subset: RowSubset = EVERYTHING) -> Replay:
    source = source_of(tables)
    start = source if subset is EVERYTHING else _restricted(plan, source, subset)
    computation = Computation(plan, CONTEXT, start, subset)
    found = Replay(plan)
    working = computation.start()
    assert computation.started is not None
    found.started = {str(row["_row_id"]): row for row in computation.started.rows.rows}
    _note(found, 0, computation.started)
    found.ancestors |= {row_id: frozenset({row_id}) for row_id in found.started}
    for done in computation.follow(working):
        if subset is EVERYTHING:
            _note_ancestors(found, done, working, computation)
        working = done.effect.working
        _note(found, done.step.seq, done.left)
    found.tells_ancestors &= computation.unread_overflow is None
    return found


def _restricted(plan: ProjectPlan, source: Source, subset: RowSubset) -> Source:
    rows = restricted_input(plan, CONTEXT, source, subset)
    return lambda dataset: rows if dataset == plan.input else source(dataset)


def _note_ancestors(
    found: Replay, done: FinishedStep, before: WorkingRows, computation: Computation
) -> None:
    step = done.step
    if not isinstance(step, AggregateStep | AppendStep):
        return
    added = [row for row in done.effect.working.rows if row["_operation_seq"] == step.seq]
    of_dataset = isinstance(step, AppendStep) and step.source is not None
    origins = [()] * len(added) if of_dataset else list(_made_from(step, before, computation))
    found.tells_ancestors &= len(origins) == len(added)
    for row, made_from in zip(added, origins, strict=False):
        ids = (found.ancestors[str(origin["_row_id"])] for origin in made_from)
        found.ancestors[str(row["_row_id"])] = frozenset[str]().union(*ids)


def _note(found: Replay, seq: int, left: LookedAt) -> None:
    rows = {str(row["_row_id"]): row for row in left.rows.rows}
    assert len(rows) == len(left.rows.rows)
    found.left[seq] = rows
    gone = {str(left.rows.rows[place]["_row_id"]): each for place, each in left.taken.items()}
    found.points[seq] = {row_id: row for row_id, row in rows.items() if row_id not in gone}
    found.let_go[seq] = frozenset(row_id for row_id, each in gone.items() if each is None)


def _made_from(
    step: AnyStep, working: WorkingRows, computation: Computation
) -> Iterator[Sequence[Row]]:
    """The rows of the working dataset that each new row is made from, in their order."""
    environment = computation.environment
    if isinstance(step, AggregateStep):
        picked = [row for _, row in pick_visible(working, step, environment)]
        for level in step.groupings:
            yield from _members(picked, level, step, environment)
    elif isinstance(step, AppendStep) and step.source is None:
        visible = [row for row in working.rows if not row["_deleted"]]
        found = pick(visible, step, environment)
        entries = spread_rows(entry_rows(found, step, environment), step, environment)
        if step.keys is None:
            yield from ([visible[each.origin]] for each in entries)
        else:
            rows = [each.row for each in entries]
            yield from _members(rows, TotalLevel(None, step.keys), step, environment)


def _members(rows: Sequence[JoinedRow], level: TotalLevel, step: Any, environment: Any) -> Any:
    groups = group_rows(rows, key_values(rows, level.keys, step, environment))
    for members in groups.values():
        yield [member[None] for member in members]


def cells(row: Row) -> dict[str, object]:
    """Values to compare; all that do not fit are the same."""
    return {
        name: "does not fit" if isinstance(value, Overflows) else repr(value)
        for name, value in row.items()
    }


def same_cells(pick: random.Random, row: Row, fields: Mapping[str, Field]) -> Bound:
    """That a row has the same values in some columns as this one."""
    wanted = ["_operation_seq", "_deleted", "_row_id", *(n for n in fields if n[0] != "_")]
    names = [name for name in wanted if is_plain(row[name], fields[name])]
    chosen = pick.sample(names, min(len(names), pick.randint(1, 2)))
    return both(*(equals(fields[name], row[name]) for name in chosen))


def is_plain(value: object, field: Field) -> bool:
    return not isinstance(value, Overflows) and field.type.kind is not Kind.FLOAT


def equals(field: Field, value: Any) -> Bound:
    column = Column(None, field.name, field.type, field.nullable)
    if value is None:
        return Call("ISNULL", (column,), t.BOOLEAN, False)
    return Call("=", (column, Constant(value, field.type)), t.BOOLEAN, True)


def try_acted(plan: ProjectPlan, tables: Tables) -> ProjectPlan | None:
    """None where the plan fails on these rows."""
    try:
        return acted(plan, tables)
    except RowbookError:
        return None
