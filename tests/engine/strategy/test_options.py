"""The scenario library with each switch of the engine off: how a plan is computed decides nothing.

A usual run takes every few scenarios, other ones for each switch; with --seeds, all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from pyspark.sql import SparkSession

from rowbook.cli.render import scenario_report as report
from rowbook.cli.render.diagnostics import lines
from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import SCENARIO_FOLDER, WorkspaceFiles, read_workspace
from rowbook.engine.strategy.options import Options
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.scenarios.execution import run_scenario
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import run_scenarios
from rowbook.scenarios.selection import select
from tests.engine.running import settings
from tests.support.paths import LIBRARY

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

EVERY = 12
WAYS = {
    "no layers": Options(layers=False),
    "no rule tables": Options(rule_tables=False),
    "all kept": Options(segments=False),
    "short plans": Options(longest_plan=2),
    "small tables": Options(smallest_table=1),
}
_TINY = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@cache
def library() -> WorkspaceFiles:
    return read_workspace(LIBRARY)


@pytest.fixture(scope="module")
def small_data(spark: SparkSession) -> Iterator[SparkSession]:
    """The shared session, set up for the handful of rows that a scenario has."""
    with settings(spark, _TINY) as small:
        yield small


@pytest.mark.parametrize("way", WAYS)
def test_scenarios_pass_whichever_way_they_are_computed(
    small_data: SparkSession, request: pytest.FixtureRequest, way: str
) -> None:
    def execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
        return run_scenario(small_data, entry, setting, options=WAYS[way])

    selected = select(library(), [LIBRARY / SCENARIO_FOLDER])
    if not request.config.getoption("--seeds"):
        selected = selected[list(WAYS).index(way) :: EVERY]
    assert selected
    results = run_scenarios(selected, library(), execute)
    told = [
        "\n".join(report.details(result, lines)) for result in results if result.status != "passed"
    ]
    assert told == [], "\n\n".join(told)
