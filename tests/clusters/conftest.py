"""What a run in one process leaves, to compare others with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.clusters.lasting_books import lasting_books, outcome, run_january
from tests.support.hadoop_clusters import HadoopClusters, hadoop_clusters


@pytest.fixture(scope="session")
def local(connect_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """By the server that all tests share."""
    books = lasting_books(tmp_path_factory.mktemp("local"), connect_url)
    assert run_january(books).code == 0
    return outcome(books)


@pytest.fixture(scope="session")
def hadoop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HadoopClusters]:
    """HDFS and YARN, for all tests that need one of them."""
    with hadoop_clusters(tmp_path_factory.mktemp("hadoop") / "clusters") as started:
        yield started
