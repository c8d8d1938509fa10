"""What a run in one process leaves, to compare others with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clusters.lasting_books import lasting_books, outcome, run_january


@pytest.fixture(scope="session")
def local(connect_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """By the server that all tests share."""
    books = lasting_books(tmp_path_factory.mktemp("local"), connect_url)
    assert run_january(books).code == 0
    return outcome(books)
