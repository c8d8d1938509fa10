"""docs/iceberg.md is a session at a terminal that goes as it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.docs.playing import play
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("ann")
def test_every_command_prints_what_is_shown(
    tmp_path: Path,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    play((ROOT / "docs" / "iceberg.md").read_text(encoding="utf-8"), spark, capsys)
