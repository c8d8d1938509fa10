"""Expectations of a month alone, compared with the month that was published before."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.api import CheckResult, Workspace
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import find_project
from tests.store.samples import TIMINGS, after, started
from tests.support.journals import BALANCED, FILES
from tests.support.write_files import write_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES | {"data/gl.csv": BALANCED})
    return tmp_path


def publish_december(root: Path, lines: int) -> None:
    """As a run of 2025-12 leaves it."""
    with OpenWorkspace(root) as workspace:
        project = find_project(workspace.checked, "close").model.identity
        lease = started(workspace.store, project_id=project, period="2025-12")
        verdict = {"owner": None, "name": "about as many lines as last month"}
        with workspace.store.writing_as(lease, at=after(1)) as writes:
            writes.record_expectations([{**verdict, "measures": {"lines": lines}}])
            writes.complete(TIMINGS)


def check(root: Path) -> CheckResult:
    with Workspace.open(root) as workspace:
        return workspace.check("close", "2026-01")


def test_without_an_earlier_month_there_is_nothing_to_compare_with(root: Path) -> None:
    found = check(root)
    assert (found.ok, found.project, found.version, found.period) == (
        *(True, "close", None, "2026-01"),
    )
    assert (found.engine, found.expectations[-1].status) == ("reference", "skipped")


@pytest.mark.parametrize(("lines", "status", "ok"), [(6, "passed", True), (60, "violated", False)])
def test_the_month_is_compared_with_the_one_before(
    root: Path, lines: int, status: str, ok: bool
) -> None:
    publish_december(root, lines)
    found = check(root)
    assert (found.expectations[-1].status, found.ok) == (status, ok)
    assert found.expectations[-1].other_measures == {"lines": lines}
