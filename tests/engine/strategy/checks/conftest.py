from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.strategy.checks.claims import Claims


@pytest.fixture
def claims(tmp_path: Path) -> Claims:
    return Claims(tmp_path)
