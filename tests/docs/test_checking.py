"""docs/checking.md shows what `rowbook check` prints, without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.playing import printed_by
from tests.docs.terminal import Command, steps
from tests.support.paths import ROOT

_PAGE = (ROOT / "docs" / "checking.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("close", "ann")
def test_the_page_shows_what_commands_print(capsys: pytest.CaptureFixture[str]) -> None:
    for step in steps(_PAGE):
        if isinstance(step, Command):
            printed = printed_by(step.text, capsys)
            assert step.is_shown(printed), f"line {step.line}: {step.text}\n{printed}"
        else:
            step.make(Path())
