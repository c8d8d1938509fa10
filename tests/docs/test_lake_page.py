"""docs/lake.md is a session in an empty folder, with a store and a cluster of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.markdown import blocks
from tests.docs.playing import play_by_processes
from tests.support.object_store_server import ACCESS, KEYS, SECRET, VERSION, StoreServer
from tests.support.paths import ROOT
from tests.support.programs import needs
from tests.support.shell import SCRIPT
from tests.support.standalone_cluster import MASTER, WORKER, standalone_cluster

PAGE = (ROOT / "docs" / "lake.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        f"versitygw@{VERSION}\n",
        f"versitygw --port 127.0.0.1:7070 --access {ACCESS} --secret {SECRET} posix buckets ",
        f"export LAKE_KEYS='{KEYS}'\n",
        f"$SPARK_HOME/bin/spark-class {MASTER} -h 127.0.0.1 -p 7077 ",
        f"$SPARK_HOME/bin/spark-class {WORKER} -h 127.0.0.1 -c 1 -m 2g ",
    ],
)
def test_the_page_starts_what_is_started_here(words: str) -> None:
    assert sum(block.text.count(words) for block in blocks(PAGE, "sh")) == 1


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.timeout(900)
@needs("curl")
@pytest.mark.usefixtures("ann")
def test_the_page_goes_as_it_is_shown_on_all_workers(
    object_store: StoreServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAKE_KEYS", KEYS)
    monkeypatch.setenv("PATH", str(SCRIPT.parent), prepend=os.pathsep)
    monkeypatch.chdir(tmp_path)
    object_store.bucket("lake")
    (tmp_path / "buckets").symlink_to(object_store.folder)
    with standalone_cluster(tmp_path / "cluster") as cluster:
        page = PAGE.replace("127.0.0.1:7070", object_store.host)
        play_by_processes(page.replace("spark://127.0.0.1:7077", cluster.url))
        logs = [path.read_text(encoding="utf-8") for path in cluster.folder.glob("worker*/log")]
    assert ["Asked to launch executor" in log for log in logs] == [True, True]
