"""docs/diff.md shows what `rowbook diff` prints on the sample workspace."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from rowbook.cli.app import run
from tests.docs.terminal import Edit, steps
from tests.starter.shared_session import shared_session
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_STEPS = steps((ROOT / "docs" / "diff.md").read_text(encoding="utf-8"))


@pytest.mark.spark
@pytest.mark.slow
def test_the_page_goes_as_it_is_shown(
    tmp_path: Path,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "close"
    left = shutil.ignore_patterns(".rowbook", "reports")
    shutil.copytree(ROOT / "examples" / "close", folder, ignore=left)
    monkeypatch.chdir(folder)
    with Workspace.open(spark=spark) as close:
        close.apply()
        close.activate("monthly_close")
    for step in _STEPS:
        if isinstance(step, Edit):
            step.make(folder)
            continue
        capsys.readouterr()
        with shared_session(spark):
            assert run(shlex.split(step.text)[1:]) == 0
        printed = capsys.readouterr().out
        assert step.is_shown(printed), f"line {step.line}:\n{printed}"


def test_the_page_has_commands_and_an_edit() -> None:
    assert [isinstance(step, Edit) for step in _STEPS] == [False, True, False, False]
