"""The sample workspace, copied: opened from Python on the session that all tests share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

sys.path.insert(0, str(ROOT / "tools"))
EXAMPLE = ROOT / "examples" / "close"


def copy_example(folder: Path) -> Path:
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".rowbook", "reports"))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample workspace."""
    return copy_example(tmp_path / "close")


@pytest.fixture
def unstarted(folder: Path) -> Workspace:
    """For what needs no Spark: none is started, and so there is nothing to close."""
    return Workspace.open(folder)


@pytest.fixture
def close(folder: Path, spark: SparkSession) -> Iterator[Workspace]:
    """Nothing applied yet."""
    with Workspace.open(folder, spark=spark) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Workspace]:
    """Applied, activated, and run for January: to be looked at only."""
    folder = copy_example(tmp_path_factory.mktemp("closed") / "close")
    with Workspace.open(folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
        assert workspace.run("monthly_close", "2026-01").status == "completed"
        yield workspace
