"""The recipes: each is a workspace without findings, and its page shows what its commands print."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.planning.workspace_check import check_workspace
from tests.docs.playing import play
from tests.docs.terminal import Command, steps
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WORKSPACES = ROOT / "examples" / "recipes"
_PAGES = {
    path.stem.replace("-", "_"): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs" / "recipes").glob("*.md"))
    if path.stem != "index"
}


def test_every_recipe_has_a_page_and_a_workspace() -> None:
    assert {path.name for path in _WORKSPACES.iterdir() if path.is_dir()} == _PAGES.keys()
    index = (ROOT / "docs" / "recipes" / "index.md").read_text(encoding="utf-8")
    assert [name for name in _PAGES if f"({name.replace('_', '-')}.md)" not in index] == []


@pytest.mark.parametrize("name", _PAGES)
def test_a_recipe_has_no_findings(name: str) -> None:
    assert [str(found) for found in check_workspace(_WORKSPACES / name).diagnostics] == []


@pytest.mark.parametrize("name", _PAGES)
def test_the_page_of_a_recipe_runs_its_scenarios(name: str) -> None:
    assert f"(../../examples/recipes/{name})" in _PAGES[name]
    commands = [step.text for step in steps(_PAGES[name]) if isinstance(step, Command)]
    assert commands[0] == "rowbook test"


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.usefixtures("ann")
@pytest.mark.parametrize("name", _PAGES)
def test_every_command_of_a_recipe_prints_what_is_shown(
    name: str,
    tmp_path: Path,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / name
    shutil.copytree(_WORKSPACES / name, folder, ignore=shutil.ignore_patterns(".rowbook"))
    monkeypatch.chdir(folder)
    play(_PAGES[name], spark, capsys)
