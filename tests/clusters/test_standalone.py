"""Runs on a standalone cluster: the rows and the ledger of a local run, whatever is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clusters.lasting_books import REWRITING, STEPS, lasting_books, outcome, run_january
from tests.runs.books import Books
from tests.support.paths import ROOT
from tests.support.standalone_cluster import (
    MASTER,
    WORKER,
    StandaloneCluster,
    standalone_cluster,
)

DYNAMIC = """\
    conf:
      spark.dynamicAllocation.enabled: true
      spark.dynamicAllocation.minExecutors: 1
      spark.dynamicAllocation.executorIdleTimeout: 2s
"""
INTERPRETED = """\
  engine:
    conf:
      spark.sql.adaptive.enabled: false
      spark.sql.codegen.wholeStage: false
      spark.sql.codegen.factoryMode: NO_CODEGEN
"""
"""What is lost and found again is the same without compiled code, and takes less time."""
pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[StandaloneCluster]:
    with standalone_cluster(tmp_path / "cluster") as started:
        yield started


@pytest.fixture(scope="module")
def lone_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandaloneCluster]:
    """One for all that lose no worker: it starts another executor in place of a lost one."""
    with standalone_cluster(tmp_path_factory.mktemp("cluster"), workers=1) as started:
        yield started


def shared_folder(folder: Path) -> str:
    """Settings of a workspace, to be gone on with by others of the engine."""
    return f"""\
  allowed_locations: ["{folder}/rows"]
  engine:
    checkpoint_dir: "{folder}/rows"
"""


def run_losing(books: Books, cluster: StandaloneCluster, what: str, moment: str) -> None:
    def lose() -> None:
        cluster.wait_for_executors(1)
        {"executor": cluster.kill_executor, "worker": cluster.kill_worker}[what]()

    ended = run_january(books, moment, lose)
    assert ended.code == 0, ended.err


def test_a_lost_executor_does_not_fail_a_run(
    lone_worker: StandaloneCluster, local: dict[str, Any], tmp_path: Path
) -> None:
    books = lasting_books(tmp_path, lone_worker.url, INTERPRETED)
    run_losing(books, lone_worker, "executor", "an output")
    assert outcome(books) == local


@pytest.mark.cluster
@pytest.mark.parametrize("moment", STEPS)
@pytest.mark.parametrize("what", ["executor", "worker"])
def test_whatever_is_lost_at_whatever_moment_the_rows_are_the_same(
    what: str, moment: str, cluster: StandaloneCluster, local: dict[str, Any], tmp_path: Path
) -> None:
    books = lasting_books(tmp_path, cluster.url)
    run_losing(books, cluster, what, moment)
    assert outcome(books) == local


@pytest.mark.cluster
@pytest.mark.parametrize("kept", ["", "checkpoint_dir"])
def test_executors_may_come_and_go(
    kept: str, cluster: StandaloneCluster, local: dict[str, Any], tmp_path: Path
) -> None:
    """Dynamic allocation, with rows kept by executors or in a folder."""
    settings = shared_folder(tmp_path) if kept else "  engine:\n"
    books = lasting_books(tmp_path, cluster.url, settings + DYNAMIC)
    run_losing(books, cluster, "executor", "an output")
    assert outcome(books) == local
    assert not kept or list((tmp_path / "rows").iterdir()) == []


@pytest.fixture(scope="module")
def local_rewriting(connect_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    books = lasting_books(tmp_path_factory.mktemp("local"), connect_url, project=REWRITING)
    assert run_january(books).code == 0
    return outcome(books)


@pytest.mark.cluster
def test_rows_that_cannot_be_computed_again_are_kept_by_two_executors(
    cluster: StandaloneCluster, local_rewriting: dict[str, Any], tmp_path: Path
) -> None:
    books = lasting_books(tmp_path, cluster.url, project=REWRITING)
    run_losing(books, cluster, "executor", "the next")
    assert outcome(books) == local_rewriting


@pytest.mark.cluster
def test_rows_in_a_shared_folder_outlive_all_executors(
    cluster: StandaloneCluster, local_rewriting: dict[str, Any], tmp_path: Path
) -> None:
    books = lasting_books(tmp_path, cluster.url, shared_folder(tmp_path), REWRITING)
    ended = run_january(books, "the next", cluster.kill_executors)
    assert ended.code == 0, ended.err
    assert outcome(books) == local_rewriting
    assert list((tmp_path / "rows").iterdir()) == []


def test_the_page_starts_a_cluster_as_it_is_started_here() -> None:
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    for program in (MASTER, WORKER):
        assert f"$SPARK_HOME/bin/spark-class {program} " in page


@pytest.mark.cluster
def test_executors_that_no_worker_has_room_for_are_waited_for_aloud(
    lone_worker: StandaloneCluster, tmp_path: Path
) -> None:
    settings = "  engine: {conf: {spark.executor.memory: 16g}}\n"
    books = lasting_books(tmp_path, lone_worker.url, settings)
    ended = run_january(books, ROWBOOK_WAIT_SECONDS="8")
    assert f"waiting for executors of {lone_worker.url}: there is none" in ended.err
    assert "ENGINE_011" in ended.out + ended.err
    assert f"{lone_worker.url} has had no executor for Rowbook for 8 s" in ended.out + ended.err
    assert [each["status"] for each in books.runs()] == ["failed"]
