"""The scenario library: sound, complete, and true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from docgen.coverage import UndocumentedError
from docgen.scenario_rules import RULES
from docgen.scenarios_page import LIBRARY, Claim, check_rules, claims, rules_of
from rowbook.cli.render.diagnostics import lines
from rowbook.cli.render.scenarios import scenario_report as report
from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import SCENARIO_FOLDER, WorkspaceFiles, read_workspace
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.planning.workspace_check import check_workspace
from rowbook.scenarios import reference_execution
from rowbook.scenarios.engine_comparison import with_differences
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import run_scenarios
from rowbook.scenarios.scenario_run import ScenarioRun
from rowbook.scenarios.selection import select
from tests.engine.running import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FILES = sorted(path.name for path in (LIBRARY / SCENARIO_FOLDER).glob("*.yaml"))


@cache
def _library() -> WorkspaceFiles:
    return read_workspace(LIBRARY)


@cache
def _claims() -> list[Claim]:
    return claims()


# --- sound and complete; no Spark


def test_the_library_is_valid_without_a_warning() -> None:
    """But for conditions that may be NULL: what they do then is what scenarios show."""
    found = check_workspace(LIBRARY).diagnostics
    assert [str(d) for d in found if d.code != "EXPECT_009"] == []


def test_every_rule_has_a_scenario_or_a_reason() -> None:
    check_rules(_claims())


def test_a_rule_without_a_scenario_is_found() -> None:
    others = [replace(c, rules=()) if "BR-012" in c.rules else c for c in _claims()]
    with pytest.raises(UndocumentedError, match=r"BR-012.*: no scenario"):
        check_rules(others)


def test_a_rule_that_is_not_listed_is_found() -> None:
    odd = replace(_claims()[0], rules=("BR-999",))
    with pytest.raises(UndocumentedError, match="BR-999: named by a scenario"):
        check_rules([*_claims(), odd])


def test_the_first_line_of_a_description_names_the_rules() -> None:
    assert rules_of("Rules: BR-004, V-001\nWhy.") == ("BR-004", "V-001")
    assert rules_of("Why.\nRules: BR-004") == ()
    assert rules_of(None) == ()


def test_a_rule_that_is_said_to_be_elsewhere_says_so_in_a_sentence() -> None:
    assert [r.id for r in RULES.values() if r.elsewhere and not r.elsewhere.endswith(".")] == []


@pytest.mark.parametrize("file", _FILES)
def test_a_file_says_what_it_is_about(file: str) -> None:
    (about,) = {c.about for c in _claims() if c.file == f"{SCENARIO_FOLDER}/{file}"}
    assert about.endswith(".")


def test_claims_are_in_plain_words() -> None:
    assert [c.text for c in _claims() if c.text.endswith(".") or len(c.text.split()) < 5] == []


# --- true, by the reference engine and on Spark


@pytest.mark.parametrize("file", _FILES)
def test_the_scenarios_of_a_file_pass_on_the_reference_engine(file: str) -> None:
    assert_passed(file, reference_execution.compute)


def assert_passed(file: str, compute: Callable[[ScenarioRun], Outcome], *, every: int = 1) -> None:
    def execute(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
        return compute(ScenarioRun.of(entry, setting))

    files = _library()
    selected = select(files, [LIBRARY / SCENARIO_FOLDER / file])
    assert selected
    results = run_scenarios(selected[::every], files, execute)
    told = [
        "\n".join(report.details(result, lines)) for result in results if result.status != "passed"
    ]
    assert told == [], "\n\n".join(told)


@pytest.fixture(scope="module")
def small_data(spark: SparkSession) -> Iterator[SparkSession]:
    """The shared session, set up for the handful of rows that a scenario has, as `rowbook test`
    does. As runs are set up, tests/engine/strategy/test_options.py takes some of them."""
    from rowbook.engine.session.sizing import FEW_ROWS

    with settings(spark, FEW_ROWS) as small:
        yield small


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("file", _FILES)
def test_spark_gives_what_the_reference_engine_gives(
    file: str, small_data: SparkSession, pytestconfig: pytest.Config
) -> None:
    """And with it what the scenarios expect: all rows, row ids, outputs, counts and errors. Every
    second scenario, and in a campaign all of them."""
    from rowbook.scenarios import spark_execution

    def on_both(run: ScenarioRun) -> Outcome:
        spark = spark_execution.compute(small_data, run)
        position = run.entry.place.at("name").position
        return with_differences(reference_execution.compute(run), spark, position)

    assert_passed(file, on_both, every=1 if pytestconfig.getoption("--campaign") else 2)
