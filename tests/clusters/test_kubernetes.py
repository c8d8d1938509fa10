"""Runs on Kubernetes, whose API server is a small one of ours; executors are those of the image of
examples/cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from rowbook.engine.session.java import SUITABLE
from tests.clusters.lasting_books import lasting_books, outcome, run_january
from tests.runs.books import Books
from tests.support.kubernetes_api import Cluster, kubernetes_api
from tests.support.paths import ROOT
from tests.support.processes import wait_until

cluster = pytest.mark.cluster
SETTINGS = """\
  engine:
    conf:
      spark.kubernetes.container.image: registry.example/rowbook-executor:4.1.4
      spark.driver.host: 127.0.0.1
      spark.executor.instances: 2
      spark.executor.memory: 512m
      spark.kubernetes.executor.apiPollingInterval: 5s
      spark.hadoop.fs.s3a.secret.key: hush-of-settings
"""


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Cluster]:
    with kubernetes_api(tmp_path / "kubernetes") as started:
        yield started


def books_on(api: Cluster, folder: Path) -> Books:
    return lasting_books(folder, api.url, SETTINGS)


@cluster
@pytest.mark.timeout(1200)
def test_the_rows_are_those_of_a_local_run_and_pods_are_told_no_secret(
    api: Cluster, local: dict[str, Any], tmp_path: Path
) -> None:
    books = books_on(api, tmp_path)
    ended = run_january(books, ERP_PASSWORD="hush-of-the-environment")
    assert ended.code == 0, ended.err
    assert outcome(books) == local
    assert len(api.pods) == 2
    assert "KubernetesExecutorBackend" not in "".join(api.specs)
    assert "-Duser.timezone=UTC" in "".join(api.specs)
    assert "hush" not in "".join(api.specs)
    assert api.resources == {}


@cluster
@pytest.mark.timeout(1200)
def test_so_they_are_where_a_pod_is_lost(
    api: Cluster, local: dict[str, Any], tmp_path: Path
) -> None:
    books = books_on(api, tmp_path)

    def lose() -> None:
        wait_until(lambda: bool(api.executors()), "an executor")
        api.kill_executor()

    ended = run_january(books, "an output", lose)
    assert ended.code == 0, ended.err
    assert outcome(books) == local


def test_the_image_has_the_spark_of_the_driver_and_a_java_for_it() -> None:
    text = (ROOT / "examples" / "cluster" / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^ARG PYSPARK=(.*)$", text, re.MULTILINE) == [version("pyspark")]
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    for shown in (text, page, SETTINGS):
        assert set(re.findall(r"rowbook-executor:(\S+)", shown)) == {version("pyspark")}
    (java,) = re.findall(r"^FROM eclipse-temurin:(\d+)-jre$", text, re.MULTILINE)
    assert int(java) in SUITABLE
    assert "COPY --chmod=755 executor.sh" in text
