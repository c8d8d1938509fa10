"""A close whose data all lies in a bucket, on a cluster: whatever is killed, the rows of a run on
one machine with files of its own."""

from __future__ import annotations

import itertools
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from rowbook.sources.delta.log import Log
from rowbook.sources.delta.state import live_actions
from rowbook.sources.stores.table_pointer import POINTER
from tests.clusters.lasting_books import LASTING, LEDGER, STEPS, lasting_books, run_january
from tests.runs.books import NOW, Books, Rows, rows_of
from tests.support.object_store_server import KEYS, StoreServer
from tests.support.processes import wait_until
from tests.support.standalone_cluster import StandaloneCluster, standalone_cluster

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.cluster,
    pytest.mark.timeout(900),
]
PROJECT = LASTING.replace("lake, table: log", "totals, table: log")
SOURCE = """\
datasource:
  name: {name}
  type: {type}
  options: {{root: "s3://{bucket}/{root}", endpoint: "{endpoint}", path_style: true{more}}}
  credential_ref: env://LAKE_KEYS
"""
POINTED = ", publication: pointer"
_numbers = itertools.count(1)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[StandaloneCluster]:
    with standalone_cluster(tmp_path / "cluster") as started:
        yield started


@pytest.fixture
def bucket(object_store: StoreServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAKE_KEYS", KEYS)
    return object_store.bucket(f"close-{next(_numbers)}")


@pytest.fixture
def books(
    cluster: StandaloneCluster, bucket: Path, object_store: StoreServer, tmp_path: Path
) -> Books:
    """The ledger is csv, what is closed a Delta table, the totals parquet files with a pointer."""
    known = {"bucket": bucket.name, "endpoint": object_store.endpoint}
    sources = (
        SOURCE.format(name="inbox", type="csv", root="in", more="", **known),
        SOURCE.format(name="lake", type="delta", root="lake", more="", **known),
        SOURCE.format(name="totals", type="parquet", root="totals", more=POINTED, **known),
    )
    settings = f"""\
  allowed_locations: ["s3://{bucket.name}"]
  credentials: [{{ref: "env://LAKE_KEYS", host: "{object_store.host}"}}]
"""
    (ledger,) = LEDGER.values()
    object_store.put(bucket.name, {"in/gl/2026-01.csv": ledger})
    files = {"datasources/files.yaml": "---\n".join(sources)}
    return lasting_books(tmp_path, cluster.url, settings, PROJECT, files)


def executor(cluster: StandaloneCluster) -> None:
    cluster.wait_for_executors(1)
    cluster.kill_executor()


def worker(cluster: StandaloneCluster) -> None:
    cluster.wait_for_executors(1)
    cluster.kill_worker()


@pytest.mark.parametrize("kill", [executor, worker])
@pytest.mark.parametrize("moment", ["the first aggregate", "an output"])
def test_what_a_cluster_loses_changes_no_row(
    kill: Callable[[StandaloneCluster], None],
    moment: str,
    books: Books,
    cluster: StandaloneCluster,
    bucket: Path,
    local: dict[str, Any],
) -> None:
    ended = run_january(books, moment, lambda: kill(cluster))
    assert ended.code == 0, ended.err
    assert outcome(books, bucket) == expected(local)


@pytest.mark.parametrize("moment", STEPS)
def test_a_driver_that_is_killed_is_resumed(
    moment: str, books: Books, bucket: Path, local: dict[str, Any]
) -> None:
    with books.start("run", "close", "--period", "2026-01", "--now", NOW) as run:
        wait_until(lambda: STEPS[moment] in run.said or run.has_ended, moment)
        run.send(signal.SIGKILL)
        ended = run.end()
    assert ended.code == -signal.SIGKILL, ended.err
    books.spawn("runs", "resume", ended.run_id)
    assert outcome(books, bucket) == expected(local)


def expected(local: dict[str, Any]) -> dict[str, Any]:
    return {
        "status": "completed",
        "written": [rows for _, rows in local["written"]],
        "closed": alike(local["closed"]),
        "log": alike(local["log"]),
    }


def outcome(books: Books, bucket: Path) -> dict[str, Any]:
    (run,) = books.runs()
    shown = books.show(run["run_id"])
    return {
        "status": run["status"],
        "written": [each["rows"] for each in shown["outputs"]],
        "closed": alike(delta_rows(bucket / "lake" / "closed")),
        "log": alike(pointed_rows(bucket / "totals" / "log")),
    }


def alike(rows: Rows) -> Rows:
    """Whether a period stands in files or in the names of folders is for the format to say."""
    named = ({name: row[name] for name in sorted(row) if name != "period"} for row in rows)
    return sorted(named, key=repr)


def delta_rows(table: Path) -> Rows:
    log = Log.of(table)
    segment = None if log.newest is None else log.segment(log.newest)
    assert segment is not None
    names = (unquote(each["path"]) for each in live_actions(segment))
    return rows_of((table / name, name.split("/")) for name in names)


def pointed_rows(table: Path) -> Rows:
    names = (each["name"] for each in json.loads((table / POINTER).read_bytes())["files"])
    return rows_of((table / name, name.split("/")) for name in names)
