"""docs/plan.md shows what `rowbook plan` prints, and its picture is the one that it draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.cli.app import run
from tests.docs.markdown import Block, blocks
from tests.support.paths import ROOT

_DOCS = ROOT / "docs"
_SHOWN = [
    block
    for block in blocks((_DOCS / "plan.md").read_text(encoding="utf-8"), "")
    if block.text.startswith("$ rowbook plan ")
]
_LEFT_OUT = "…"


def printed(block: Block, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    command = block.text.partition("\n")[0]
    assert run(command.split()[2:]) == code
    return capsys.readouterr().out


def test_the_page_shows_what_is_printed(close: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _SHOWN[0].text.partition("\n")[2] == printed(_SHOWN[0], capsys)


def test_the_page_shows_what_is_said_of_changed_files(
    close: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    january, february = (close / "data" / "gl" / f"2026-0{month}.csv" for month in (1, 2))
    lines = january.read_text(encoding="utf-8").splitlines()
    more = [f"{lines[0]},batch", *(f"{line},7" for line in lines[1:])]
    january.write_text("".join(f"{line}\n" for line in more), encoding="utf-8")
    february.unlink()
    begins, ends = _SHOWN[1].text.partition("\n")[2].split(f"{_LEFT_OUT}\n")
    said = printed(_SHOWN[1], capsys, code=1)
    assert said.startswith(begins)
    assert said.endswith(ends)


def test_the_page_shows_how_it_would_be_computed(
    close: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _SHOWN[2].text.partition("\n")[2] == printed(_SHOWN[2], capsys)


def test_the_picture_is_the_one_that_is_drawn(
    close: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(_SHOWN[3], capsys) == ""
    drawn = (close / "plan.svg").read_text(encoding="utf-8")
    assert drawn == (_DOCS / "plan.svg").read_text(encoding="utf-8")


def test_all_commands_of_the_page_are_run() -> None:
    assert len(_SHOWN) == 4
