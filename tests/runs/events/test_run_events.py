"""Runs on Spark that tell a lineage server of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowbook import Workspace
from rowbook.api import RunResult
from rowbook.errors.termination import RunInterruptedError
from rowbook.planning.steps import AnyStep
from rowbook.starter.creation import init_workspace
from tests.lineage.events.openlineage_schemas import DATASET, INPUT, OUTPUT, check_event
from tests.support.free_port import free_port
from tests.support.lineage_server import Events, lineage_server, sending_to

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture
def events() -> Iterator[Events]:
    with lineage_server() as (url, found), sending_to(url):
        yield found


@pytest.fixture
def shop(tmp_path: Path, spark: SparkSession) -> Iterator[Workspace]:
    init_workspace(tmp_path / "shop", "minimal")
    with Workspace.open(tmp_path / "shop", spark=spark) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def closed(
    tmp_path_factory: pytest.TempPathFactory, spark: SparkSession
) -> Iterator[tuple[RunResult, Events]]:
    """The starter's January: what came of it, and its events."""
    folder = tmp_path_factory.mktemp("lineage") / "acme"
    init_workspace(folder, "close")
    with ExitStack() as stack:
        url, found = stack.enter_context(lineage_server())
        workspace = stack.enter_context(Workspace.open(folder, spark=spark))
        workspace.apply()
        workspace.activate("monthly_close")
        with sending_to(url):
            result = workspace.run("monthly_close", "2026-01")
        yield result, found


def kinds(events: Events) -> list[str]:
    return [each["eventType"] for each in events]


def named(datasets: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(each for each in datasets if each["name"] == name)


@pytest.mark.campaign
def test_a_run_tells_that_it_began_what_it_reads_and_that_it_is_complete(
    closed: tuple[RunResult, Events],
) -> None:
    result, events = closed
    assert result.status == "completed"
    assert not [each for each in result.warnings if "lineage" in each]
    assert kinds(events) == ["START", "RUNNING", "COMPLETE"]
    assert {each["run"]["runId"] for each in events} == {result.run_id}
    assert {each["job"]["name"] for each in events} == {"monthly_close"}


def test_every_event_and_facet_of_a_run_is_valid(closed: tuple[RunResult, Events]) -> None:
    for event in closed[1]:
        check_event(event)


def test_the_last_event_has_all_that_is_known(closed: tuple[RunResult, Events]) -> None:
    end = closed[1][-1]
    read, written = named(end["inputs"], "gl_entries"), named(end["outputs"], "closed_ledger")
    assert read["facets"].keys() >= DATASET.keys() - {"columnLineage", "documentation"}
    assert read["inputFacets"].keys() == INPUT.keys()
    assert written["facets"].keys() >= DATASET.keys() - {"documentation"}
    assert written["outputFacets"].keys() == OUTPUT.keys()
    assert written["facets"]["version"]["datasetVersion"] == "1"
    assert [each["name"] for each in end["inputs"]] == [
        *("gl_entries", "fx_rates", "budget", "cost_centers", "accounts")
    ]
    assert [each["name"] for each in end["outputs"]] == ["reports:profit_and_loss", "closed_ledger"]


def test_the_last_event_has_the_evidence_that_the_run_left(
    closed: tuple[RunResult, Events],
) -> None:
    result, events = closed
    facet = events[-1]["run"]["facets"]["rowbook"]
    assert facet["seal"] == result.seal
    taken = {each.destination: each.row_evidence for each in result.outputs}
    assert facet["fingerprints"] == {name: t.fingerprint for name, t in taken.items() if t}
    assert len(taken) == 2


def test_counts_are_those_of_the_ledger(closed: tuple[RunResult, Events]) -> None:
    result, events = closed
    end = events[-1]
    read = named(end["inputs"], "gl_entries")["inputFacets"]["inputStatistics"]
    assert read["rowCount"] == result.ledger[0].rows_in
    rows = [each["outputFacets"]["outputStatistics"]["rowCount"] for each in end["outputs"]]
    assert rows == [each.rows for each in result.outputs]


def test_expectations_are_told(closed: tuple[RunResult, Events]) -> None:
    read = named(closed[1][-1]["inputs"], "gl_entries")
    found = read["inputFacets"]["dataQualityAssertions"]["assertions"]
    told = {each["name"]: (each["success"], each["severity"]) for each in found}
    assert told["journals balance"] == (True, "error")
    assert "about as many lines as last month" not in told  # there is no last month


def test_a_run_completes_where_no_server_answers(shop: Workspace) -> None:
    with sending_to(f"http://127.0.0.1:{free_port()}"):
        result = shop.run("sales_report", "2026-01", draft=True)
    assert result.status == "completed"
    (warning,) = result.warnings
    assert warning.startswith("lineage events were not delivered: ")


def test_a_run_that_fails_tells_why_and_shows_no_values(shop: Workspace, events: Events) -> None:
    data = shop.root / "data" / "sales.csv"
    data.write_text(data.read_text(encoding="utf-8").replace("1200.00", "many"), encoding="utf-8")
    result = shop.run("sales_report", "2026-01", draft=True)
    assert result.status == "failed"
    assert kinds(events) == ["START", "RUNNING", "FAIL"]
    for event in events:
        check_event(event)
    message = events[-1]["run"]["facets"]["errorMessage"]["message"]
    assert message == "DATASET_011  a value does not fit its declared type"
    assert result.error is not None
    assert "many" in result.error.message


def test_a_run_that_is_cancelled_is_aborted(shop: Workspace, events: Events) -> None:
    def interrupt(step: AnyStep) -> None:
        if step.seq == 30:
            raise KeyboardInterrupt

    with pytest.raises(RunInterruptedError):
        shop.run("sales_report", "2026-01", draft=True, on_step=interrupt)
    assert kinds(events) == ["START", "RUNNING", "ABORT"]
    check_event(events[-1])


@pytest.mark.campaign
def test_runs_of_a_chain_have_one_parent(shop: Workspace, events: Events) -> None:
    shop.run_upstream("sales_report", "2026-01", draft=True)
    parents = [each["run"]["facets"]["parent"] for each in events]
    assert {each["job"]["name"] for each in parents} == {"chain of sales_report"}
    assert len({each["run"]["runId"] for each in parents}) == 1


def test_nothing_is_sent_by_what_a_workspace_brings(
    shop: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone with a configuration of its own, in which one runs."""
    stolen = shop.root / "stolen"
    config = f"transport: {{type: file, log_file_path: '{stolen}', append: true}}\n"
    (shop.root / "openlineage.yml").write_text(config, encoding="utf-8")
    monkeypatch.chdir(shop.root)
    result = shop.run("sales_report", "2026-01", draft=True)
    assert (result.status, result.warnings[1:]) == ("completed", ())
    assert not stolen.exists()
