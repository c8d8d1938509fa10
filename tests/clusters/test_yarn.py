"""Runs on YARN, which keep rows in HDFS."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from rowbook.engine.session.launch import spark_home
from tests.clusters.lasting_books import lasting_books, outcome, run_january
from tests.runs.books import Books
from tests.support.free_port import free_port
from tests.support.hadoop_clusters import HadoopClusters
from tests.support.processes import wait_until

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.timeout(1200),
]

SETTINGS = """\
  allowed_locations: ["{hdfs}/rowbook"]
  engine:
    master: yarn
    checkpoint_dir: "{hdfs}/rowbook/rows"
    conf:
      spark.yarn.jars: "local:{jars}/*"
      spark.driver.host: 127.0.0.1
      spark.executor.instances: 2
      spark.executor.memory: 512m
      spark.yarn.am.memory: 512m
"""


def books_on(hadoop: HadoopClusters, folder: Path) -> Books:
    settings = SETTINGS.format(hdfs=hadoop.hdfs, jars=spark_home() / "jars")
    return lasting_books(folder, "yarn", settings)


def test_the_rows_are_those_of_a_local_run(
    hadoop: HadoopClusters, local: dict[str, Any], tmp_path: Path
) -> None:
    books = books_on(hadoop, tmp_path)
    ended = run_january(books, HADOOP_CONF_DIR=str(hadoop.conf))
    assert ended.code == 0, ended.err
    assert outcome(books) == local


def test_so_they_are_where_an_executor_is_lost(
    hadoop: HadoopClusters, local: dict[str, Any], tmp_path: Path
) -> None:
    books = books_on(hadoop, tmp_path)

    def lose() -> None:
        wait_until(lambda: bool(hadoop.executors()), "an executor")
        os.kill(hadoop.executors()[0], signal.SIGKILL)

    ended = run_january(books, "an output", lose, HADOOP_CONF_DIR=str(hadoop.conf))
    assert ended.code == 0, ended.err
    assert outcome(books) == local


def test_a_resource_manager_that_does_not_answer_is_said(tmp_path: Path) -> None:
    settings = f"""\
<configuration>
<property><name>yarn.resourcemanager.address</name><value>127.0.0.1:{free_port()}</value></property>
</configuration>
"""
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "yarn-site.xml").write_text(settings, encoding="utf-8")
    books = lasting_books(tmp_path, "yarn")
    ended = run_january(books, HADOOP_CONF_DIR=str(tmp_path / "conf"))
    assert "waiting for yarn to start Rowbook's application" in ended.err
    assert "ENGINE_011" in ended.out + ended.err
    assert "Connection refused" in ended.out + ended.err
