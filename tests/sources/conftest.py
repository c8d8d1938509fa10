"""Spark set up for a handful of rows; a schema of a PostgreSQL server, or a bucket of an object
store, for tests that need one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.postgres_server import PASSWORD, Server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.sources.iceberg.catalogs.catalog import CatalogAddress
    from tests.sources.mysql_books import MysqlBooks
    from tests.sources.postgres_books import Books
    from tests.sources.stores.buckets import Bucket
    from tests.support.mariadb_server import MariadbServer
    from tests.support.object_store_server import StoreServer

_schemas = itertools.count(1)
_buckets = itertools.count(1)


@pytest.fixture(scope="module")
def spark(spark: SparkSession, pytestconfig: pytest.Config) -> Iterator[SparkSession]:
    """The shared session as a run of few rows has it; in a campaign as one of many has it."""
    from rowbook.engine.session.sizing import FEW_ROWS
    from tests.engine.running import settings

    with settings(spark, {} if pytestconfig.getoption("--campaign") else FEW_ROWS) as fitting:
        yield fitting


@pytest.fixture
def books(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Books]:
    from tests.sources.postgres_books import SECRET, books_in

    monkeypatch.setenv(SECRET, PASSWORD)
    made = books_in(server, f"books_{next(_schemas)}", tmp_path)
    with made.held:
        yield made


@pytest.fixture
def mysql_books(
    mariadb: MariadbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MysqlBooks]:
    from tests.sources.mysql_books import SECRET, mysql_books_in

    monkeypatch.setenv(SECRET, PASSWORD)
    made = mysql_books_in(mariadb, f"books_{next(_schemas)}", tmp_path)
    with made.held:
        yield made


@pytest.fixture
def bucket(object_store: StoreServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    from tests.sources.stores.buckets import VARIABLE, Bucket
    from tests.support.object_store_server import KEYS

    monkeypatch.setenv(VARIABLE, KEYS)
    name = f"lake-{next(_buckets)}"
    object_store.bucket(name)
    return Bucket(name, object_store, tmp_path)


@pytest.fixture
def rest_lake() -> Iterator[Callable[[Path], CatalogAddress]]:
    """Makes lakes in folders, each with a server for a catalog."""
    from tests.sources.iceberg import lakes

    with ExitStack() as held:
        yield lambda folder: held.enter_context(lakes.rest_lake(folder))
