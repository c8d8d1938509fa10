"""The rows behind rows: on random projects, that a part of the rows gets the values of the whole
run, that none is missing, and none too many where that is promised."""

from __future__ import annotations

import random
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import OutputStep
from rowbook.proof.backward.backward_condition import RowQuestion, rows_behind
from rowbook.reference.computation import Computation
from rowbook.reference.outputs import output_rows
from rowbook.reference.working_rows import Row, WorkingRows
from tests.engine.random_projects import planned, random_tables
from tests.proof.backward.replays import Replay, cells, replay, same_cells, try_acted
from tests.support.reference_run import Tables, source_of
from tests.support.small_plans import CONTEXT

SEEDS = 30


def random_case(folder: Path, pick: random.Random) -> tuple[str, ProjectPlan, Tables]:
    """A project that runs through, with rows; periods far away, which take long to find, aside."""
    while True:
        text, plan = planned(folder, pick, length=pick.randint(2, 7))
        tables = random_tables(pick)
        if "-20000" in text or len(tables["main"]) < 4:
            continue
        if (found := try_acted(plan, tables)) is not None:
            return text, found, tables


def random_question(pick: random.Random, full: Replay) -> RowQuestion | None:
    seqs = [seq for seq, rows in full.points.items() if rows]
    if not seqs:
        return None
    seq = pick.choice(seqs)
    row = pick.choice(list(full.points[seq].values()))
    step = next((each for each in full.plan.steps if each.seq == seq), None)
    fields = full.plan.columns.fields if step is None else step.columns.fields
    condition = same_cells(pick, row, fields)
    point = CheckPoint("input") if step is None else CheckPoint("after", seq)
    if isinstance(step, OutputStep) and pick.random() < 0.7:
        point = CheckPoint("output", seq)
    return RowQuestion(point, condition, onward=step is None or pick.random() < 0.4)


def meeting(question: RowQuestion, full: Replay, tables: Tables) -> set[str]:
    """The ids of rows that meet a question in the whole run."""
    environment = Computation(full.plan, CONTEXT, source_of(tables)).environment
    rows: Collection[Row] = full.points[question.point.seq or 0].values()
    holds = environment.evaluators.condition(question.condition)
    if question.point.kind == "output":
        rows = full.left[question.point.seq or 0].values()
        step = next(each for each in full.plan.steps if each.seq == question.point.seq)
        assert isinstance(step, OutputStep)
        written = output_rows(WorkingRows(step.columns, list(rows)), step, environment)
        rows = [row[None] for row in written]
    found: set[str] = set()
    for row in rows:
        with suppress(RowbookError):  # a value that does not fit
            if holds({None: row}):
                found.add(str(row["_row_id"]))
    return found


def content(row: Row) -> dict[str, object]:
    """What equal rows, which are taken all or none, have in common."""
    return {name: value for name, value in cells(row).items() if name != "_row_id"}


def test_a_part_of_the_rows_has_the_values_of_the_whole_run(tmp_path: Path, seed: int) -> None:
    pick = random.Random(seed)
    text, plan, tables = random_case(tmp_path, pick)
    full = replay(plan, tables)
    for _ in range(6):
        question = random_question(pick, full)
        if question is None:
            return
        subset = rows_behind(plan, CONTEXT, [question])
        part = replay(plan, tables, subset)
        asked = meeting(question, full, tables)
        told = f"{text}\n{question}\n{subset}"
        for seq, rows in part.points.items():
            whole = full.points[seq]
            for row_id, row in rows.items():
                assert row_id in whole, told
                assert cells(row) == cells(whole[row_id]), told
        at = question.point.seq or 0
        is_output = question.point.kind == "output"
        there = {*part.left[at]} if is_output else part.points[at].keys() | part.let_go[at]
        assert asked <= there, told
        if question.onward:
            for seq in (s for s in full.points if s > at):
                assert asked & full.points[seq].keys() <= part.points[seq].keys(), told
        if subset.exact and full.tells_ancestors:
            behind = frozenset[str]().union(*(full.ancestors[each] for each in asked))
            found = part.points[0].keys() | part.let_go[0]
            assert behind <= found, told
            equal = [content(full.started[each]) for each in behind]
            assert all(content(full.started[each]) in equal for each in found - behind), told
