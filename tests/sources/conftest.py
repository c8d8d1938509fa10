"""One Spark session for all tests of a run: the engine's where there is one already."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.session import EngineSettings, open_session


def pytest_configure(config: pytest.Config) -> None:
    """PySpark leaves the socket of every `collect` to the garbage collector."""
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    settings = EngineSettings(profile="small", scratch=tmp_path_factory.mktemp("spark"))
    with open_session(settings) as engine:
        yield engine.spark
