from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.strategy.deciding import Deciding


@pytest.fixture
def deciding(tmp_path: Path) -> Deciding:
    return Deciding(tmp_path)
