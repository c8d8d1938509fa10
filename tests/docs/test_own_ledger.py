"""docs/own-ledger.md goes as it is shown, from two files to workbooks that others open."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.docs.playing import play
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.usefixtures("ann")
def test_the_page_goes_as_it_is_shown(
    tmp_path: Path,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples" / "own_ledger", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    play((ROOT / "docs" / "own-ledger.md").read_text(encoding="utf-8"), spark, capsys)
