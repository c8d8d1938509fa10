"""Pages of proofs that cannot be written are refused before the store is opened."""

from __future__ import annotations

from pathlib import Path

from rowbook.api import Workspace
from tests.support.refusal import refusal


def test_a_page_that_cannot_be_written_is_called_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "rowbook.yaml").write_text("workspace: {name: acme}\n", encoding="utf-8")
    workspace, page = Workspace.open(tmp_path), tmp_path / "no" / "page.html"
    life = refusal(lambda: workspace.trace("run", "row", page=page), "USAGE_001")
    explanation = refusal(lambda: workspace.explain("run", "amount", page=page), "USAGE_001")
    why = f"cannot go to {page}: there is no such folder"
    assert life.message == f"the life of the row {why}"
    assert explanation.message == f"the explanation {why}"
    assert [each.name for each in tmp_path.iterdir()] == ["rowbook.yaml"]
