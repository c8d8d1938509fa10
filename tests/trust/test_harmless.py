"""The list of what needs no trust holds nothing that loads code or names another place."""

from __future__ import annotations

import pytest

from rowbook.trust.harmless import is_harmless_conf, is_harmless_master


@pytest.mark.parametrize("master", ["local", "local[*]", "local[4]", "local[2,3]"])
def test_spark_on_this_machine_is_harmless(master: str) -> None:
    assert is_harmless_master(master)


@pytest.mark.parametrize(
    "master", ["local-cluster[2,1,1024]", "spark://host:7077", "yarn", "k8s://host", "local[*]\n"]
)
def test_any_other_place_is_not(master: str) -> None:
    assert not is_harmless_master(master)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("spark.driver.memory", "4g"),
        ("spark.executor.memoryOverhead", "512 MiB"),
        ("spark.sql.shuffle.partitions", "200"),
        ("spark.sql.autoBroadcastJoinThreshold", "-1"),
        ("spark.sql.adaptive.enabled", "false"),
        ("spark.sql.adaptive.advisoryPartitionSizeInBytes", "64m"),
        ("spark.memory.fraction", "0.6"),
        ("spark.ui.enabled", "FALSE"),
    ],
)
def test_sizes_and_switches_are_harmless(key: str, value: str) -> None:
    assert is_harmless_conf(key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("spark.driver.memory", "4g -XX:OnError=true"),
        ("spark.driver.memory", "4g\n-javaagent:x.jar"),
        ("spark.sql.adaptive.customCostEvaluatorClass", "acme.Cost"),
        ("spark.sql.shuffle.partitions", "$(true)"),
        ("spark.ui.enabled", "true"),
        ("spark.ui.filters", "acme.Filter"),
        ("spark.driver.extraClassPath", "1"),
        ("spark.driver.extraJavaOptions", "-Xss4m"),
        ("xspark.driver.memory", "4g"),
        ("spark.driver.memory.x", "4g"),
    ],
)
def test_what_is_not_on_the_list_is_not(key: str, value: str) -> None:
    assert not is_harmless_conf(key, value)
