"""docs/verify.md is a session on the sample workspace, closed for January; without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook import Workspace
from tests.docs.playing import printed_by
from tests.docs.terminal import Command, Edit, steps
from tests.support.paths import ROOT
from tests.support.recorded_run import record_run


@pytest.mark.usefixtures("ann")
def test_the_page_goes_as_it_is_shown(close: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace.open(close) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
    record_run(close, "monthly_close", "2026-01")
    page = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    for step in steps(page):
        if isinstance(step, Edit):
            step.make(Path())
        else:
            assert isinstance(step, Command)
            printed = printed_by(step.text, capsys)
            assert step.is_shown(printed), f"line {step.line}:\n{printed}"
