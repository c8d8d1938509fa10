"""Pages that are sessions on the sample workspace go as they are shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from tests.docs.playing import play
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("ann", "close")]


def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_versions_and_their_life(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    play(_page("life-cycle.md"), spark, capsys)


@pytest.mark.slow
def test_the_life_of_a_run(
    close: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    with Workspace.open(close, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
    play(_page("runs.md"), spark, capsys)


@pytest.mark.slow
def test_publishing(
    close: Path,
    spark: SparkSession,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By two people."""
    with Workspace.open(close, spark=spark) as workspace:
        workspace.apply()
    before, _, after = _page("publishing.md").partition("### Ben approves\n")
    play(before, spark, capsys)
    monkeypatch.setenv("LOGNAME", "ben")
    play(after, spark, capsys)
