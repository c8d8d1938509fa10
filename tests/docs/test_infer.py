"""docs/infer.md shows what `rowbook infer` prints for the file on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.markdown import blocks
from tests.docs.playing import printed_by
from tests.docs.terminal import Command, steps
from tests.support.paths import ROOT

_PAGE = (ROOT / "docs" / "infer.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("ann")
def test_the_page_shows_what_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "books").mkdir()
    monkeypatch.chdir(tmp_path / "books")
    (ledger,) = blocks(_PAGE, "csv")
    file = Path("data/hauptbuch.csv")
    file.parent.mkdir()
    file.write_text(ledger.text, encoding="cp1252", newline="\r\n")
    for step in steps(_PAGE):
        if isinstance(step, Command):
            assert printed_by(step.text, capsys) == step.shown, step.text
        else:
            changed = file.read_text(encoding="cp1252").replace(step.old or "", step.new)
            file.write_text(changed, encoding="cp1252", newline="\r\n")
