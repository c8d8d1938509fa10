"""docs/python-api.md is a notebook that runs, and shows what it gives."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowbook import Workspace
from rowbook.api import kept_session
from rowbook.engine.session.session import adopt_session
from tests.api.conftest import copy_example
from tests.api.notebook import Cell, cells, comparable, output_of
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PAGE = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")


@pytest.mark.spark
@pytest.mark.slow
def test_every_cell_gives_the_output_below_it(
    tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_example(tmp_path / "examples" / "close")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kept_session, "open_session", lambda _: adopt_session(spark))
    names: dict[str, Any] = {}
    for cell in cells(_PAGE):
        assert comparable(output_of(cell, names)) == comparable(cell.shown), f"line {cell.line}"


def test_every_verb_is_on_the_page() -> None:
    verbs = {
        name
        for name, member in inspect.getmembers(Workspace)
        if not name.startswith("_") and (callable(member) or isinstance(member, property))
    }
    assert verbs <= set(re.findall(r"\.(\w+)", _PAGE))


def test_a_cell_shows_what_it_prints_and_then_its_last_expression() -> None:
    assert output_of(Cell("print(1)\nx = 2\n[x]", 1, ""), {}) == "1\n[2]\n"
    assert output_of(Cell("x = 2", 1, ""), {}) == ""


def test_a_cell_has_the_outputs_up_to_the_next_one() -> None:
    page = "```python\na\n```\n\n```text\n1\n```\n\nwords\n\n```python\nb\n```\n"
    assert list(cells(page)) == [Cell("a\n", 1, "1\n"), Cell("b\n", 11, "")]
