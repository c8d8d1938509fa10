"""A workspace of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from .workspaces import Trial


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    """An empty folder that becomes a workspace."""
    return Trial(tmp_path)
