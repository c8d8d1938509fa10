"""Measures of the period before: of the last published run, asked for only where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.expressions.bound import Constant
from rowbook.expressions.types import BOOLEAN
from rowbook.planning.expectations.expectation_plan import (
    Against,
    CheckPoint,
    Expectation,
    GroupCondition,
)
from rowbook.runs.checking.past_measures import past_measures
from rowbook.store import Store, open_store, store_address
from tests.runs.checking.plans import plan_with
from tests.store.samples import TIMINGS, after, started
from tests.support.small_plans import CONTEXT

AGAINST_LAST = Against("last", None, None, (), ())
LINES = Expectation(
    "as many lines",
    None,
    CheckPoint("end"),
    None,
    (),
    GroupCondition((), (), Constant(True, BOOLEAN), AGAINST_LAST),
    "warn",
    "",
)
ALONE = replace(LINES, condition=GroupCondition((), (), Constant(True, BOOLEAN)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(store_address("sqlite:///store.db", tmp_path)) as opened:
        yield opened


def measured(store: Store, run_id: str, period: str, lines: int) -> None:
    lease = started(store, run_id, project_id=CONTEXT.project_id, period=period)
    verdict = {"owner": None, "name": "as many lines", "measures": {"lines": lines}}
    with store.writing_as(lease, at=after(1)) as writes:
        writes.record_expectations([verdict])
        writes.complete(TIMINGS)


def test_they_are_those_of_the_previous_period(store: Store, tmp_path: Path) -> None:
    for run_id, period, lines in (("r1", "2025-11", 1), ("r2", "2025-12", 2), ("r3", "2026-01", 3)):
        measured(store, run_id, period, lines)
    found = past_measures(plan_with(tmp_path, LINES), CONTEXT, lambda: store)
    assert found == {(None, "as many lines"): {"lines": 2}}


def test_without_such_a_run_there_are_none(store: Store, tmp_path: Path) -> None:
    measured(store, "r1", "2026-01", 3)
    plan = plan_with(tmp_path, LINES)
    assert past_measures(plan, CONTEXT, lambda: store) == {}
    assert past_measures(plan, CONTEXT, lambda: None) == {}


def test_the_store_is_not_asked_where_nothing_looks_back(tmp_path: Path) -> None:
    def unwanted() -> Store | None:
        raise AssertionError("the store was asked")

    assert past_measures(plan_with(tmp_path, ALONE), CONTEXT, unwanted) == {}
