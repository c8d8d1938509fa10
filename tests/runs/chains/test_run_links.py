"""What becomes of a chain when parts of it fail: told by runs that are none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook import Workspace
from rowbook.errors import Diagnostic, RowbookError
from rowbook.runs.chains.chain import ChainRequest, find_chain
from rowbook.runs.chains.run_links import ChainLink, ChainRun
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from tests.runs.chains.ledgers import FILES, make_active_ledgers
from tests.support.write_files import write_files

ALL = ("convert", "close", "report", "audit")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[OpenWorkspace]:
    with OpenWorkspace(make_active_ledgers(tmp_path, *ALL)) as found:
        yield found


class Runs:
    """Runs that end as they are told to: `failing` are a project and a period each."""

    def __init__(self, *failing: tuple[str, str], error: BaseException | None = None) -> None:
        self.failing = failing
        self.error = error
        self.started: list[tuple[str, str]] = []

    def start(self, request: Request) -> RunResult:
        what = request.project_name, request.context.period.identifier
        self.started.append(what)
        if what not in self.failing:
            return RunResult(request.context.run_id, "completed", (), ())
        if self.error is not None:
            raise self.error
        errors = (Diagnostic("RUN_002", "Spark failed"),)
        return RunResult(request.context.run_id, "failed", (), (), errors)


def run(
    workspace: OpenWorkspace, runs: Runs, asked: str | None, *periods: str
) -> tuple[ChainLink, ...]:
    chain = find_chain(workspace, ChainRequest(asked))
    heard: list[ChainLink] = []
    result = ChainRun(workspace, chain, runs.start, heard.append).run(periods or ["2026-01"])
    assert tuple(heard) == result.links
    assert result.ok == all(e.status in ("completed", "passed over") for e in result.links)
    return result.links


def told(links: tuple[ChainLink, ...]) -> list[tuple[str, str, str | None]]:
    return [(each.project, each.status, each.because) for each in links]


def test_all_run_in_order(workspace: OpenWorkspace) -> None:
    runs = Runs()
    links = run(workspace, runs, "report")
    assert [name for name, _ in runs.started] == ["convert", "close", "report"]
    assert told(links) == [
        ("convert", "completed", "it never ran for 2026-01"),
        ("close", "completed", "convert ran before it"),
        ("report", "completed", None),
    ]
    assert [each.version for each in links] == [1, 1, 1]


def test_a_failure_stops_what_depends_on_it_and_nothing_else(workspace: OpenWorkspace) -> None:
    runs = Runs(("close", "2026-01"))
    assert told(run(workspace, runs, None)) == [
        ("audit", "completed", None),
        ("convert", "completed", None),
        ("close", "failed", None),
        ("report", "not run", "close failed for 2026-01"),
    ]
    assert ("report", "2026-01") not in runs.started


def test_independent_projects_go_on_after_a_failure(workspace: OpenWorkspace) -> None:
    runs = Runs(("audit", "2026-01"))
    assert [each.status for each in run(workspace, runs, None)] == [
        "failed",
        "completed",
        "completed",
        "completed",
    ]


def test_what_is_refused_before_it_begins_failed(workspace: OpenWorkspace) -> None:
    refused = RowbookError.of("PERIOD_007", "2026-01 is closed")
    convert, close, _ = run(workspace, Runs(("convert", "2026-01"), error=refused), "report")
    assert (convert.status, convert.run, convert.errors) == ("failed", None, refused.diagnostics)
    assert (close.status, close.because) == ("not run", "convert failed for 2026-01")


def test_a_project_in_conflict_failed_and_stops_what_depends_on_it(
    workspace: OpenWorkspace,
) -> None:
    narrow = FILES["datasets/gl.yaml"].replace("decimal(18,2)", "decimal(10,2)")
    write_files(workspace.root, {"datasets/gl.yaml": narrow})
    Workspace.open(workspace.root).apply()
    runs = Runs()
    audit, convert, close, report = run(workspace, runs, None)
    assert runs.started == []
    assert [each.code for each in (*audit.errors, *convert.errors)] == ["PROJECT_010"] * 2
    assert (close.status, report.because) == ("not run", "convert failed for 2026-01")


def test_each_period_has_its_whole_chain_before_the_next(workspace: OpenWorkspace) -> None:
    runs = Runs()
    run(workspace, runs, "close", "2026-01", "2026-02")
    assert runs.started == [
        ("convert", "2026-01"),
        ("close", "2026-01"),
        ("convert", "2026-02"),
        ("close", "2026-02"),
    ]


def test_a_project_that_failed_is_not_run_for_later_periods(workspace: OpenWorkspace) -> None:
    links = run(workspace, Runs(("close", "2026-01")), None, "2026-01", "2026-02")
    assert told(links[4:]) == [
        ("audit", "completed", None),
        ("convert", "completed", None),
        ("close", "not run", "close failed for 2026-01"),
        ("report", "not run", "close failed for 2026-01"),
    ]


def test_an_interruption_stops_all(workspace: OpenWorkspace) -> None:
    runs = Runs(("convert", "2026-01"), error=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run(workspace, runs, None)
    assert runs.started == [("audit", "2026-01"), ("convert", "2026-01")]
