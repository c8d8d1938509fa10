"""What a row adds to a figure is what the figure loses without it, and a row that is not in it
makes no difference: found by taking rows away and running the project again."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rowbook.expressions.bound_text import literal
from rowbook.proof.figure import Figure
from rowbook.proof.replay import Replay, SourceRow
from rowbook.proof.terms import exact
from tests.proof.random_closes import random_books, random_close
from tests.support.replays import figure_of, replay_of, with_output

SEEDS = 30
Books = Mapping[str, list[dict[str, Any]]]


def figures(replay: Replay, pick: random.Random) -> Iterator[Figure]:
    """Of rows that their level, class and entity name, whatever their ids are."""
    last = replay.steps[-1]
    names = [name for name in ("level", "entity", "class") if name in last.before.columns.fields]
    rows = [row for row in last.before.rows if not row["_deleted"]]
    for row in pick.sample(rows, min(len(rows), 2)):
        where = " AND ".join(_is(name, row[name]) for name in names)
        yield figure_of(replay, 1000, pick.choice(("usd", "net", "count")), where)


def _is(name: str, value: Any) -> str:
    return f"{name} IS NULL" if value is None else f"{name} = {literal(value)}"


def value_without(books: Books, figure: Figure, source: SourceRow) -> Fraction | None:
    """What the figure is where one row is not there."""
    name, (_, place) = source.dataset.name, source.key[2]
    left = {**books, name: [row for i, row in enumerate(books[name]) if i != place]}
    again = replay_of(figure.replay.plan, left)
    return exact(Figure(again, 1000, figure.column, figure.where).value)


def test_a_figure_loses_what_a_row_added(tmp_path: Path, seed: int) -> None:
    pick = random.Random(seed)
    text, plan = random_close(tmp_path, pick)
    plan, books = with_output(plan), random_books(pick)
    replay = replay_of(plan, books)
    for figure in figures(replay, pick):
        about = text, books, figure.column, figure.where
        value = exact(figure.value)
        terms = [term for term in figure.terms if term.sources]
        shared = {s.key for term in terms if len(term.sources) > 1 for s in term.sources}
        for key, source in replay.sources.items():
            if key in shared or value is None:
                continue
            added = sum((t.amount for t in terms if t.sources[0].key == key), Fraction())
            left = value_without(books, figure, source)
            assert left in (value - added, None), (key, added, about)
            if left is None:
                others = {source.key for term in terms for source in term.sources} - {key}
                assert any(t.sources[0].key == key for t in terms) or not others, (key, about)
