"""docs/seals.md is a session on the sample workspace; without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook import Workspace
from tests.docs.playing import printed_by
from tests.docs.terminal import Command, Edit, steps
from tests.support.paths import ROOT
from tests.support.programs import needs


@needs("jq", "openssl", "sqlite3")
@pytest.mark.usefixtures("ann")
def test_the_page_goes_as_it_is_shown(close: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace.open(close) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
    page = (ROOT / "docs" / "seals.md").read_text(encoding="utf-8")
    printed = dict[str, str]()
    for step in steps(page):
        if isinstance(step, Edit):
            step.make(Path())
        else:
            assert isinstance(step, Command)
            printed[step.text] = printed_by(step.text, capsys)
            assert step.is_shown(printed[step.text]), f"line {step.line}:\n{printed[step.text]}"
    texts = [text for word, text in printed.items() if "64" in word or word.startswith("jq -r .")]
    hashed, said, key, named, record, digest = (text.strip() for text in texts if len(text) == 65)
    assert (hashed, key, record) == (said, named, digest)
