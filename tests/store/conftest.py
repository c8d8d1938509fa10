"""Every test that takes `place` or `store` runs twice: on SQLite, and on a real PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook.store import Store
from rowbook.store.database.tables import METADATA, fence
from tests.store.forking import Forks
from tests.store.places import Place
from tests.support.postgres_server import PASSWORD, Server

_schemas = itertools.count(1)


@pytest.fixture
def postgres(server: Server, tmp_path: Path) -> Place:
    return Place(server.url(f"store_{next(_schemas)}"), str(tmp_path), PASSWORD)


@pytest.fixture
def sqlite(tmp_path: Path) -> Place:
    return Place("sqlite:///.rowbook/store.db", str(tmp_path), None)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest) -> Place:
    """Where a store may be; there is none yet."""
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture(
    scope="session", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store for many tests: opening one takes longer than most of them."""
    place = Place("sqlite:///store.db", str(tmp_path_factory.mktemp("shared")), None)
    if request.param == "postgres":
        server: Server = request.getfixturevalue("server")
        place = Place(server.url("shared"), place.root, PASSWORD)
    with place.open() as opened:
        yield opened


@pytest.fixture
def store(shared: Store) -> Store:
    """An empty store."""
    with shared._database.writing("emptying") as connection:
        for table in reversed(METADATA.sorted_tables):
            if table is not fence:
                connection.execute(table.delete())
        connection.execute(fence.update().values(token=0))
    return shared


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    with Forks() as started:
        yield started
