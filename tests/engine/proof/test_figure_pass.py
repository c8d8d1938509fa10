"""A figure explained by one pass of Spark: on random closes, the lines of a replay of all rows, and
the same rows left out."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.environment import Environment
from rowbook.engine.proof.figure_pass import FigurePass, FigureQuestion, MixedFigureError
from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.stages import Storage
from rowbook.errors import RowbookError
from rowbook.expressions.folding import TRUE
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.backward_condition import RowQuestion, rows_behind
from rowbook.proof.backward.join_keys import with_join_keys
from rowbook.proof.backward.pattern_explanation import ManyRows
from rowbook.proof.explanation import Explanation
from rowbook.proof.figure import Figure
from rowbook.proof.terms import exact
from tests.engine.running import settings
from tests.engine.test_random_projects import LoadingReader
from tests.proof.random_closes import random_books, random_close
from tests.support.reference_run import Tables
from tests.support.replays import LABEL, explained, figure_of, replay_of, with_output
from tests.support.small_plans import CONTEXT

pytestmark = pytest.mark.spark

SEEDS = 1
ASKED = (
    ("usd", "level = 'line'"),
    ("usd", "level = 'entity' AND entity = 'DE'"),
    ("usd", "level = 'all'"),
    ("count", "level = 'entity'"),
)


def passed(spark: SparkSession, plan: ProjectPlan, tables: Tables, figure: Figure) -> Explanation:
    reader = LoadingReader(spark, {name: list(map(dict, rows)) for name, rows in tables.items()})
    loaded = reader.read(plan.input, keep_deleted=True, with_ids=True)
    subset = rows_behind(
        plan, CONTEXT, [RowQuestion(CheckPoint("output", 1000), figure.where or TRUE)]
    )
    wide, keys = with_join_keys(plan)
    environment = Environment(
        CONTEXT,
        Compiler(CONTEXT),
        lambda each: reader.read(each, keep_deleted=False, with_ids=True),
        plan.input,
    )
    made = FigurePass(wide, environment, loaded, subset, Storage(), keys)
    question = FigureQuestion(1000, figure.column, figure.where, (), 5, ("id",))
    found = made.patterns(question)
    many = ManyRows(plan, found, figure.column, figure.where, figure.type, "ledger")
    return many.explanation(LABEL, found.value, by_columns=False)


def lines(answer: Explanation) -> Counter[tuple[object, ...]]:
    return Counter(
        (each.dataset, each.operations, each.rows, exact(each.amount))
        for each in answer.contributions
    )


@pytest.fixture(scope="module")
def answered() -> list[int]:
    """How many figures one pass could explain."""
    return []


def test_lines_are_those_of_a_replay(
    spark: SparkSession, tmp_path: Path, seed: int, answered: list[int]
) -> None:
    pick = random.Random(seed)
    text, plan = random_close(tmp_path, pick)
    tables, plan = random_books(pick), with_output(plan)
    try:
        replay = replay_of(plan, tables)
    except RowbookError:
        return
    with settings(spark, FEW_ROWS) as small:
        for name, where in ASKED:
            if name not in plan.steps[-1].columns.fields:
                continue
            figure = figure_of(replay, 1000, name, where)
            whole = explained(replay, 1000, name, where)
            try:
                found = passed(small, plan, tables, figure)
            except MixedFigureError:
                continue
            about = f"{text}\n{name} where {where}"
            assert (found.figure, found.rows) == (whole.figure, whole.rows), about
            assert found.ties, about
            assert lines(found) == lines(whole), about
            inside = sum(each.rows for each in found.contributions)
            read = sum(each.rows for each in found.not_in) + inside
            assert read == sum(s.dataset.name != "rates" for s in replay.sources.values()), about
            answered.append(seed)


def test_most_figures_are_explained(answered: list[int]) -> None:
    assert len(answered) >= SEEDS
