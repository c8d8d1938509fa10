"""Makes the generator of the documentation importable; where pages are played, and by whom."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sits at the terminal, which is wide enough."""
    monkeypatch.setenv("USER", "ann")
    monkeypatch.setenv("LOGNAME", "ann")
    monkeypatch.setenv("COLUMNS", "140")


@pytest.fixture
def close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample workspace, to be in."""
    folder = tmp_path / "close"
    left = shutil.ignore_patterns(".rowbook", "reports")
    shutil.copytree(ROOT / "examples" / "close", folder, ignore=left)
    monkeypatch.chdir(folder)
    return folder
