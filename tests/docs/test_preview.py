"""docs/preview.md shows what `rowbook preview` and `rowbook watch` print, without Spark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook import Workspace
from rowbook.api import RoundEnd, WatchEvent
from rowbook.cli.render.watch_events import event_lines
from tests.docs.markdown import blocks
from tests.docs.playing import printed_by
from tests.docs.terminal import Command, Edit, steps
from tests.support.paths import ROOT

_PAGE = (ROOT / "docs" / "preview.md").read_text(encoding="utf-8")
_TIMES = re.compile(r"^\d\d:\d\d:\d\d|\d+\.\d s", re.MULTILINE)


@pytest.mark.usefixtures("close", "ann")
def test_the_page_shows_what_commands_print(capsys: pytest.CaptureFixture[str]) -> None:
    for step in steps(_PAGE):
        if isinstance(step, Command):
            printed = printed_by(step.text, capsys)
            assert _untimed(printed) == _untimed(step.shown), step.text


@pytest.mark.usefixtures("close")
def test_the_page_shows_what_a_save_leads_to() -> None:
    (shown,) = blocks(_PAGE, "text")
    (edit,) = (step for step in steps(_PAGE) if isinstance(step, Edit))
    events = Workspace.open().watch("monthly_close", "2026-01")
    _round(events)
    edit.make(Path())
    assert _untimed(_round(events)).rstrip() == _untimed(shown.text).rstrip()


def _round(events: Iterator[WatchEvent]) -> str:
    lines: list[str] = []
    for event in events:
        lines += event_lines(event, "", once=False)
        if isinstance(event, RoundEnd):
            break
    return "".join(f"{line}\n" for line in lines)


def _untimed(text: str) -> str:
    return _TIMES.sub("<time>", text)
