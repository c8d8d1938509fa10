"""A small project, computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.small_projects import Computed


@pytest.fixture
def computed(tmp_path: Path) -> Computed:
    return Computed(tmp_path)
