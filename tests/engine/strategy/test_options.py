"""The scenario library with each switch of the engine off, and with compiled code, as runs have it:
how a plan is computed decides nothing.

A usual run takes every few scenarios, other ones for each switch; with --seeds, all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from pyspark.sql import SparkSession

from rowbook.cli.render.diagnostics import lines
from rowbook.cli.render.scenarios import scenario_report as report
from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import SCENARIO_FOLDER, WorkspaceFiles, read_workspace
from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.options import Options
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import run_scenarios
from rowbook.scenarios.scenario_run import ScenarioRun
from rowbook.scenarios.selection import select
from rowbook.scenarios.spark_execution import compute
from tests.engine.running import COMPILED, settings
from tests.support.paths import LIBRARY

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

EVERY = 48
WAYS = {
    "no layers": Options(layers=False),
    "no rule tables": Options(rule_tables=False),
    "all kept": Options(segments=False),
    "short plans": Options(longest_plan=2),
    "small tables": Options(smallest_table=1),
    "local rows": Options(local_rows=True),
    "rows added seen with others": Options(piece_counts=False, spread_lists=False, copies=False),
    "wide rows, checked at the end": Options(narrow_rows=False, group_checks=False),
    "each row looked at and marked": Options(
        unique_keys=False, input_counts=False, shared_values=False
    ),
}


@cache
def library() -> WorkspaceFiles:
    return read_workspace(LIBRARY)


@pytest.fixture(scope="module")
def small_data(spark: SparkSession) -> Iterator[SparkSession]:
    """The shared session, set up for the handful of rows that a scenario has."""
    with settings(spark, FEW_ROWS) as small:
        yield small


@pytest.mark.some(2)
@pytest.mark.parametrize("way", WAYS)
def test_scenarios_pass_whichever_way_they_are_computed(
    small_data: SparkSession, request: pytest.FixtureRequest, way: str
) -> None:
    check(small_data, WAYS[way], None if all_of_them(request) else list(WAYS).index(way))


def test_scenarios_pass_with_compiled_code(
    small_data: SparkSession, request: pytest.FixtureRequest
) -> None:
    with settings(small_data, COMPILED) as compiling:
        check(compiling, Options(), None if all_of_them(request) else len(WAYS))


def all_of_them(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--seeds"))


def check(spark: SparkSession, options: Options, first: int | None) -> None:
    """Runs the scenarios: all, or every few from one on."""

    def execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
        return compute(spark, ScenarioRun.of(entry, setting), options)

    selected = select(library(), [LIBRARY / SCENARIO_FOLDER])
    if first is not None:
        selected = selected[first::EVERY]
    assert selected
    results = run_scenarios(selected, library(), execute)
    told = [
        "\n".join(report.details(result, lines)) for result in results if result.status != "passed"
    ]
    assert told == [], "\n\n".join(told)
