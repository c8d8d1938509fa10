"""Who waits for a cluster is told, and nobody waits forever."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.session import executors
from rowbook.engine.session.executors import executors_awaited, executors_of, start_awaited
from rowbook.engine.strategy.stages import Executors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_a_start_that_takes_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_MOMENT", 0.01)
    said, heard = [], threading.Event()

    def hear(text: str) -> None:
        said.append(text)
        heard.set()

    with start_awaited("yarn", hear):
        assert heard.wait(10)
    assert said == ["waiting for yarn to start Rowbook's application"]


def test_a_start_that_is_fast_is_not() -> None:
    said: list[str] = []
    with start_awaited("yarn", said.append):
        pass
    assert said == []


def test_in_one_process_nobody_waits_for_executors(spark: SparkSession) -> None:
    assert executors_of(spark) == Executors()
    threads = threading.active_count()
    with executors_awaited(spark, lambda text: pytest.fail(text)):
        assert threading.active_count() == threads
