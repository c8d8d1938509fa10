"""docs/lineage.md shows what `rowbook lineage` prints, and its picture is the one that it draws."""

from __future__ import annotations

import pytest

from tests.docs.playing import printed_by
from tests.docs.terminal import Command, steps
from tests.support.paths import ROOT

_DOCS = ROOT / "docs"


@pytest.mark.usefixtures("close")
def test_the_page_shows_what_commands_print(capsys: pytest.CaptureFixture[str]) -> None:
    commands = list(steps((_DOCS / "lineage.md").read_text(encoding="utf-8")))
    assert len(commands) == 2
    for step in commands:
        assert isinstance(step, Command)
        assert printed_by(step.text, capsys) == step.shown


@pytest.mark.usefixtures("close")
def test_the_picture_is_the_one_that_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = printed_by("rowbook lineage monthly_close --format svg", capsys)
    assert drawn == (_DOCS / "lineage.svg").read_text(encoding="utf-8")
