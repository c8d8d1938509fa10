"""The life of a run that expectations stop, with what the reference engine sees in place of Spark:
stopped, recorded, resumed with a waiver, repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from rowbook.errors import RowbookError
from rowbook.expectations.observation import Observation
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.runs.checking.waivers import WaiverRequest
from rowbook.runs.execute import execute_run
from rowbook.runs.execute.execute_run import RunOptions, repeat_run, resume_run, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.plain_preview import PlainInput, observe
from tests.support.journals import BALANCED, FILES
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from rowbook.engine.session.shared_session import Lend

WAIVE = WaiverRequest(("journals balance",), "booked in February")


class Session:
    """Neither Spark nor anything else."""

    spark: Any = None
    executors: Any = None

    def set_up(self, _: object) -> Session:
        return self

    def cancel(self) -> None:
        raise AssertionError("nobody cancels")


@contextmanager
def lend(*_: object) -> Iterator[Session]:
    yield Session()


@dataclass
class PlainPipeline:
    """A pipeline that writes nothing, and sees what the reference engine sees."""

    plan: ProjectPlan
    context: RunContext
    resolved: ResolvedRun
    done: tuple[object, ...] = ()
    counts: Mapping[int, object] = field(default_factory=dict)
    quarantined: Mapping[int, int] = field(default_factory=dict)
    observations: tuple[tuple[Expectation, Observation], ...] = ()

    def run(self) -> None:
        self.observations = observe(self.resolved, self.plan, PlainInput(self.resolved))


def pipeline(
    plan: ProjectPlan, context: RunContext, reader: ResolvedRun, *_: object, **__: object
) -> PlainPipeline:
    return PlainPipeline(plan, context, reader)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenWorkspace]:
    write_files(tmp_path, FILES)
    monkeypatch.setattr(execute_run, "Pipeline", pipeline)
    monkeypatch.setattr(execute_run, "RunReader", lambda _, resolved, *a, **k: resolved)
    monkeypatch.setattr(execute_run, "executors_awaited", lambda *_: nullcontext())
    with OpenWorkspace(tmp_path) as opened:
        yield opened


def request_for(workspace: OpenWorkspace, period: str = "2026-01") -> Request:
    """Of a version, as a run that publishes has one."""
    return replace(request_draft(workspace, "close", period), version=1)


def options(waive: WaiverRequest | None = None) -> RunOptions:
    return RunOptions(session=cast("Lend", lend), waive=waive or WaiverRequest())


def start(
    workspace: OpenWorkspace, period: str = "2026-01", waive: WaiverRequest | None = None
) -> RunResult:
    return start_run(workspace, request_for(workspace, period), options(waive))


def test_a_run_is_stopped_and_says_by_what(workspace: OpenWorkspace) -> None:
    result = start(workspace)
    assert (result.status, [each.code for each in result.errors]) == ("failed", ["EXPECT_101"])
    assert result.errors[0].message == (
        "'journals balance' (input): 1 of 3 groups violates it: journal 'J-3': SUM(amount) = 0.01"
        "  nothing was published; as they were: out/closed"
    )
    assert [each.status for each in result.expectations] == [
        *("passed", "violated", "passed", "violated", "skipped"),
    ]
    assert len(result.warnings) == 2
    record = workspace.store.runs.record(result.run_id)
    failure = record.run.failure or {}
    assert (failure["code"], failure["seq"]) == ("EXPECT_101", None)
    assert [each.verdict["status"] for each in record.expectations][1] == "violated"


def test_a_run_whose_expectations_hold_completes(workspace: OpenWorkspace) -> None:
    write_files(workspace.root, {"data/gl.csv": BALANCED})
    assert start(workspace).status == "completed"


def test_a_stopped_run_goes_on_with_a_waiver(workspace: OpenWorkspace) -> None:
    stopped = start(workspace)
    again = resume_run(workspace, stopped.run_id, options(), accept_changed_input=False)
    assert again.status == "failed"
    result = resume_run(workspace, stopped.run_id, options(WAIVE), accept_changed_input=False)
    assert (result.status, result.expectations[1].status) == ("completed", "waived")
    record = workspace.store.runs.record(stopped.run_id)
    assert [each.waiver["reason"] for each in record.waivers] == ["booked in February"]
    assert len(record.warnings) == 2


def test_a_waiver_that_names_nothing_leaves_the_run_as_it_was(workspace: OpenWorkspace) -> None:
    stopped = start(workspace)
    with pytest.raises(RowbookError, match="EXPECT_011"):
        resume_run(
            workspace, stopped.run_id, options(WaiverRequest(("x",), "y")),
            accept_changed_input=False,
        )  # fmt: skip
    assert workspace.store.runs.record(stopped.run_id).resumptions == ()


def test_a_repetition_has_the_waivers_and_the_comparison_of_its_run(
    workspace: OpenWorkspace,
) -> None:
    start(workspace, "2025-12", WAIVE)
    first = start(workspace, "2026-01", WAIVE)
    assert (first.status, first.expectations[-1].other_measures) == ("completed", {"lines": 6})
    repeated = repeat_run(workspace, first.run_id, options())
    assert repeated.status == "completed"
    assert [each.status for each in repeated.expectations] == [
        each.status for each in first.expectations
    ]
    assert [each.waiver for each in repeated.expectations] == [
        each.waiver for each in first.expectations
    ]


def test_drafts_are_nothing_to_compare_with(workspace: OpenWorkspace) -> None:
    draft = request_draft(workspace, "close", "2025-12")
    assert start_run(workspace, draft, options(WAIVE)).status == "completed"
    assert start(workspace).expectations[-1].status == "skipped"
