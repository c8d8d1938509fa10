"""A folder of its own for each test, in which commands run."""

from __future__ import annotations

from pathlib import Path

import pytest

from .commands import Shell


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capsys)
