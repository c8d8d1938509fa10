"""What holds of every explanation, on random projects: terms add up, each row that was read is in
the figure or has one reason why not, and the rows behind a figure are all that it takes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.planning.columns import ROW_ID
from rowbook.planning.steps import UpdateStep
from rowbook.proof.absences import AbsenceFinder
from rowbook.proof.explain_figure import ExplainOptions, explain_figure
from rowbook.proof.figure import Figure
from rowbook.proof.replay import Replay
from rowbook.proof.terms import exact
from rowbook.reference.working_rows import Overflows
from tests.engine.random_projects import planned, random_tables
from tests.support.reference_run import Tables
from tests.support.replays import LABEL, figure_of, replay_of, with_output

SEEDS = 30


def random_replay(folder: Path, seed: int) -> tuple[str, Replay, Tables] | None:
    """Of a project that its rows do not fail."""
    pick = random.Random(seed)
    text, plan = planned(folder, pick, length=3 + seed % 5)
    tables = random_tables(pick)
    try:
        return text, replay_of(with_output(plan), tables), tables
    except RowbookError:
        return None


def figures(replay: Replay, pick: random.Random) -> Iterator[Figure]:
    """Of some rows alone, and of all together."""
    last = replay.steps[-1]
    rows = [
        row
        for row in last.before.rows
        if not any(isinstance(cell, Overflows) for cell in row.values())
    ]
    numeric = [name for name, f in last.before.columns.fields.items() if f.type.is_numeric]
    if len(rows) < len(last.before.rows):
        return
    for row in pick.sample(rows, min(len(rows), 6)):
        if not row["_deleted"]:
            yield figure_of(replay, 1000, pick.choice(numeric), f"{ROW_ID} = '{row[ROW_ID]}'")
    yield figure_of(replay, 1000, pick.choice(numeric))
    yield figure_of(replay, 1000, pick.choice(numeric), "k > 2 AND b")


def test_terms_add_up_and_the_rest_is_a_partition(tmp_path: Path, seed: int) -> None:
    found = random_replay(tmp_path, seed)
    if found is None:
        return
    text, replay, _ = found
    for figure in figures(replay, random.Random(seed)):
        answer = explain_figure(figure, LABEL, ExplainOptions())
        about = text, figure.column, figure.where
        assert answer.ties, about
        if not isinstance(answer.figure, float):
            assert exact(answer.total) == exact(answer.figure), about
        inside = {source.key for term in figure.terms for source in term.sources}
        joined = inside - replay.sources.keys()
        outside = AbsenceFinder(figure).reasons(lambda _: True)
        assert inside - joined | outside.keys() == replay.sources.keys(), about
        assert inside.isdisjoint(outside), about
        assert sum(each.rows for each in answer.not_in) == len(outside), about
        assert all(each.reason for each in answer.not_in), about


def test_the_rows_behind_a_figure_are_all_that_it_takes(tmp_path: Path, seed: int) -> None:
    """The plan on nothing but these rows gives the figure again; windows and quarantines, which
    look at other rows too, aside."""
    found = random_replay(tmp_path, seed)
    if found is None:
        return
    text, replay, tables = found
    plan = replay.plan
    windows = any(isinstance(step, UpdateStep) and step.windows for step in plan.steps)
    if windows or any(each.otherwise == "quarantine" for each in plan.expectations):
        return
    for figure in figures(replay, random.Random(seed)):
        if len(figure.numbers) != 1 or replay.lives[figure.numbers[0]].birth.kind != "summary":
            continue
        terms, idle = figure.terms, figure.finder.notes.idle
        behind = {source.key for term in terms for source in term.sources} | idle.keys()
        read = {source.dataset.name for source in replay.sources.values()}
        if read - tables.keys():  # views, whose rows are those of others
            continue
        places = {
            (replay.sources[key].dataset.name, key[2][1]) for key in behind & replay.sources.keys()
        }
        kept = {
            name: [r for i, r in enumerate(rows) if name not in read or (name, i) in places]
            for name, rows in tables.items()
        }
        again = replay_of(plan, kept)
        smaller = Figure(again, 1000, figure.column, figure.where)
        assert smaller.value == figure.value, (text, figure.column, figure.where)
