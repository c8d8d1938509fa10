"""The life of a run that expectations stop: nothing is published, what it computed is kept, and is
published with a waiver; or the run is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.errors import RowbookError
from rowbook.runs.checking.waivers import WaiverRequest
from rowbook.runs.execute.execute_run import RunOptions, repeat_run, resume_run, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run_execution import Execution
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.request import request_draft
from tests.runs.whole_runs import lent, no_spark
from tests.support.journals import BALANCED, FILES
from tests.support.shell import Shell
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

WAIVE = WaiverRequest(("journals balance",), "booked in February")


@pytest.fixture
def workspace(shell: Shell) -> Iterator[OpenWorkspace]:
    shell.write(FILES)
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    with OpenWorkspace(shell.folder) as opened:
        yield opened


@pytest.fixture
def options(spark: SparkSession) -> RunOptions:
    return lent(spark)


def start(workspace: OpenWorkspace, options: RunOptions, period: str = "2026-01") -> RunResult:
    return start_run(workspace, choose_version(workspace, "close", period), options)


def resume(workspace: OpenWorkspace, run_id: str, options: RunOptions) -> RunResult:
    return resume_run(workspace, run_id, options, accept_changed_input=False)


def published(workspace: OpenWorkspace) -> int:
    """Rows that readers of the table see."""
    files = (workspace.root / "out/closed").rglob("*.csv")
    return sum(len(file.read_text(encoding="utf-8").splitlines()) - 1 for file in files)


def test_a_run_is_stopped_and_says_by_what(workspace: OpenWorkspace, options: RunOptions) -> None:
    result = start(workspace, options)
    assert (result.status, [each.code for each in result.errors]) == ("failed", ["EXPECT_101"])
    assert result.errors[0].message == (
        "'journals balance' (input): 1 of 3 groups violates it: journal 'J-3': SUM(amount) = 0.01"
        "  nothing was published; as they were: out/closed"
    )
    assert [each.status for each in result.expectations] == [
        *("passed", "violated", "passed", "violated", "skipped"),
    ]
    assert (len(result.warnings), published(workspace)) == (2, 0)
    record = workspace.store.runs.record(result.run_id)
    failure = record.run.failure or {}
    assert (failure["code"], failure["seq"]) == ("EXPECT_101", None)
    assert [each.verdict["status"] for each in record.expectations][1] == "violated"


def test_a_run_whose_expectations_hold_completes(
    workspace: OpenWorkspace, options: RunOptions
) -> None:
    write_files(workspace.root, {"data/gl.csv": BALANCED})
    assert start(workspace, options).status == "completed"
    assert published(workspace) == 6


def test_a_waiver_publishes_what_was_computed_without_computing_it_again(
    workspace: OpenWorkspace, options: RunOptions
) -> None:
    stopped = start(workspace, options)
    here = RunOptions(session=no_spark)
    again = resume(workspace, stopped.run_id, here)
    assert (again.status, published(workspace)) == ("failed", 0)
    write_files(workspace.root, {"data/gl.csv": BALANCED})
    result = resume(workspace, stopped.run_id, replace(here, waive=WAIVE))
    assert (result.status, result.expectations[1].status) == ("completed", "waived")
    assert published(workspace) == 6
    assert "7.01" in next((workspace.root / "out/closed").rglob("*.csv")).read_text("utf-8")
    record = workspace.store.runs.record(stopped.run_id)
    assert [each.waiver["reason"] for each in record.waivers] == ["booked in February"]
    assert len(record.warnings) == 2


def test_a_run_that_ended_before_it_was_judged_is_judged_when_it_is_resumed(
    workspace: OpenWorkspace, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object) -> None:
        raise RowbookError.of("RUN_002", "the process ended")

    with monkeypatch.context() as patch:
        patch.setattr(Execution, "_may_publish", end)
        ended = start(workspace, options)
    assert len(workspace.store.runs.record(ended.run_id).staged) == 1
    result = resume(workspace, ended.run_id, options)
    assert (result.status, [each.code for each in result.errors]) == ("failed", ["EXPECT_101"])
    assert published(workspace) == 0


def test_a_waiver_that_names_nothing_leaves_the_run_as_it_was(
    workspace: OpenWorkspace, options: RunOptions
) -> None:
    stopped = start(workspace, options)
    with pytest.raises(RowbookError, match="EXPECT_011"):
        resume(workspace, stopped.run_id, replace(options, waive=WaiverRequest(("x",), "y")))
    assert workspace.store.runs.record(stopped.run_id).resumptions == ()


@pytest.mark.campaign
def test_a_repetition_has_the_waivers_and_the_comparison_of_its_run(
    workspace: OpenWorkspace, options: RunOptions
) -> None:
    waiving = replace(options, waive=WAIVE)
    start(workspace, waiving, "2025-12")
    first = start(workspace, waiving, "2026-01")
    assert (first.status, first.expectations[-1].other_measures) == ("completed", {"lines": 6})
    repeated = repeat_run(workspace, first.run_id, options)
    assert repeated.status == "completed"
    assert [each.status for each in repeated.expectations] == [
        each.status for each in first.expectations
    ]
    assert [each.waiver for each in repeated.expectations] == [
        each.waiver for each in first.expectations
    ]


@pytest.mark.campaign
def test_drafts_are_nothing_to_compare_with(workspace: OpenWorkspace, options: RunOptions) -> None:
    draft = request_draft(workspace, "close", "2025-12")
    assert start_run(workspace, draft, replace(options, waive=WAIVE)).status == "completed"
    assert start(workspace, options).expectations[-1].status == "skipped"


def test_what_was_written_before_stays_where_outputs_are_published_as_they_are_written(
    shell: Shell, options: RunOptions
) -> None:
    text = FILES["rowbook.yaml"].replace(
        "input_dataset_id: gl\n", "input_dataset_id: gl\n  publish: as_written\n"
    )
    shell.write({**FILES, "rowbook.yaml": text})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    with OpenWorkspace(shell.folder) as workspace:
        result = start(workspace, options)
        assert [each.code for each in result.errors] == ["EXPECT_101"]
        assert "published before: out/closed" in result.errors[0].message
        assert published(workspace) == 6


def test_quarantined_rows_are_published_with_the_run(shell: Shell, options: RunOptions) -> None:
    """Whole journals, and the table is replaced when there are none."""
    balance = FILES["rowbook.yaml"].index("    - name: journals balance")
    expected = """\
    - name: no suspense account
      at: input
      that: "account <> '1999'"
      otherwise: quarantine
      whole: [journal]
"""
    text = FILES["rowbook.yaml"][:balance] + expected
    place = "  quarantine: {location: {path: out/aside, format: csv}}\n"
    shell.write({**FILES, "rowbook.yaml": text.replace("  operations:", f"{place}  operations:")})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    with OpenWorkspace(shell.folder) as workspace:
        result = start(workspace, options)
        assert (result.status, result.expectations[-1].quarantined) == ("completed", 2)
        assert [(each.seq, each.rows) for each in result.outputs] == [(0, 2), (20, 4)]
        (aside,) = (workspace.root / "out/aside").rglob("*.csv")
        header, *rows = aside.read_text(encoding="utf-8").splitlines()
        assert header.startswith("_expectation,_run_id,_dataset,_row_id")
        assert [row.split(",")[-4:] for row in rows] == [
            ["J-2", "1", "4000", "-5.00"],
            ["J-2", "2", "1999", "5.00"],
        ]
        write_files(workspace.root, {"data/gl.csv": BALANCED.replace("1999", "1000")})
        again = start(workspace, options)
        assert [(each.seq, each.rows) for each in again.outputs] == [(0, 0), (20, 6)]


def test_an_expectation_that_nobody_looked_at_has_not_passed(
    workspace: OpenWorkspace, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pipeline, "observations", ())
    result = start(workspace, options)
    assert {each.status for each in result.expectations} == {"not evaluated"}
    assert (result.status, published(workspace)) == ("failed", 0)
