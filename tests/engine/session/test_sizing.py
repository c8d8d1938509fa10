"""How many tasks a shuffle has."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.sizing import SETTING, shuffle_partitions, size_shuffles
from tests.engine.running import settings

MIB = 2**20


@pytest.mark.parametrize(
    ("input_bytes", "cores", "tasks"),
    [
        (0, 2, 2),
        (10_000, 2, 2),
        (10_000, 64, 64),
        (125 * MIB, 2, 10),
        (1_250 * MIB, 2, 98),
        (1_250 * MIB, 200, 200),
        (10**13, 2, 8_192),
    ],
)
def test_tasks_grow_with_the_input(input_bytes: int, cores: int, tasks: int) -> None:
    assert shuffle_partitions(input_bytes, cores) == tasks


@pytest.mark.parametrize(
    ("engine", "cores"),
    [
        (EngineSettings("local[3]"), 3),
        (EngineSettings("local"), 1),
        (EngineSettings("spark://master:7077"), 16),
        (EngineSettings(remote="sc://host:15002"), 16),
    ],
)
def test_cores_are_those_of_the_master(engine: EngineSettings, cores: int) -> None:
    assert engine.cores == cores


@pytest.mark.spark
def test_it_is_set_for_the_session_unless_the_workspace_does(spark: SparkSession) -> None:
    with settings(spark, {SETTING: "7"}):
        size_shuffles(spark, 125 * MIB, 2, {SETTING: "7"})
        assert spark.conf.get(SETTING) == "7"
        size_shuffles(spark, 125 * MIB, 2, {})
        assert spark.conf.get(SETTING) == "10"
