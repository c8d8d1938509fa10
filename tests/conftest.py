"""One Spark session and one Connect server for all tests, and how often random tests try."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.support.connect_server import one_connect_server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.support.azure_server import AzureServer
    from tests.support.mariadb_server import MariadbServer
    from tests.support.object_store_server import StoreServer
    from tests.support.postgres_server import Server
    from tests.support.shell import Shell
    from tests.support.trial import Trial

_SLOW = (hypothesis.HealthCheck.too_slow,)
"""A busy machine is no failure: how long things take is measured in benchmarks/."""
hypothesis.settings.register_profile("usual", deadline=None, suppress_health_check=_SLOW)
hypothesis.settings.register_profile(
    "campaign", max_examples=5_000, deadline=None, suppress_health_check=_SLOW
)
hypothesis.settings.load_profile("usual")

_JAVA_OPTIONS = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions"
    " -XX:-BytecodeVerificationRemote"
)


def pytest_configure(config: pytest.Config) -> None:
    """PySpark leaves the socket of every `collect` to the garbage collector. Workspaces of tests
    are trusted, and nothing of the developer's own settings is read or written; processes that
    tests start inherit both. A JVM that runs for seconds is over before it has compiled for
    volumes: in processes of tests none tries, or verifies Spark's classes, or collects garbage
    beside its work; and none writes the class archive, which takes as long as three starts, and
    few of these are of one kind."""
    folder = tempfile.mkdtemp(prefix="rowbook-config-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ |= {"ROWBOOK_TRUST": "1", "XDG_CONFIG_HOME": folder}
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")
    os.environ.setdefault("JAVA_TOOL_OPTIONS", _JAVA_OPTIONS)
    os.environ.setdefault("ROWBOOK_NO_ARCHIVE", "1")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Started in the background by a shell; the processes of tests would ignore Ctrl-C too.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seeds", type=int, help="how many seeds each random test of the engine tries"
    )
    parser.addoption("--clusters", action="store_true", help="run the tests of clusters that last")
    parser.addoption(
        "--campaign", action="store_true", help="run the rest of what a usual run takes a part of"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A random test takes `seed`; its module says how many a usual run tries, as SEEDS."""
    if "seed" in metafunc.fixturenames:
        count = metafunc.config.getoption("--seeds") or metafunc.module.SEEDS
        metafunc.parametrize("seed", range(count))


_STARTED = {
    "spark": "spark",
    "connect_url": "spark",
    "server": "postgres",
    "mariadb": "mariadb",
    "object_store": "slow",
    "azure_store": "slow",
    "program": "slow",
    "forks": "slow",
}
"""Fixtures by what they start."""


_LASTING = {"cluster": "--clusters", "campaign": "--campaign"}
"""Markers of tests that a usual run leaves out, by the option that they run with."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Workers take whole files: those that are marked slow first, then those on Spark, so that
    short ones fill up the end. Tests are marked by what they start, too: Spark, PostgreSQL, other
    processes."""
    lasting = {
        item
        for marker, option in _LASTING.items()
        if not config.getoption(option)
        for item in items
        if item.get_closest_marker(marker)
    }
    if not config.getoption("--campaign") and config.getoption("--seeds") is None:
        lasting |= _further_cases(items)
    items[:] = [item for item in items if item not in lasting]
    config.hook.pytest_deselected(items=list(lasting))
    if hasattr(config, "workerinput"):
        first = [
            {item.path for item in items if item.get_closest_marker(marker)}
            for marker in ("slow", "spark")
        ]
        items.sort(key=lambda item: [item.path not in paths for paths in first])
    for item in items:
        for fixture in _STARTED.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(_STARTED[fixture])
        if isinstance(item, pytest.Function) and _starts_process(item.function):
            item.add_marker("slow")


def _further_cases(items: list[pytest.Item]) -> set[pytest.Item]:
    """The cases of tests marked `some(n)` that come after the first n."""
    seen: Counter[tuple[Path, str]] = Counter()
    further: set[pytest.Item] = set()
    for item in items:
        part = item.get_closest_marker("some")
        if part is not None and isinstance(item, pytest.Function):
            test = item.path, item.originalname
            seen[test] += 1
            if seen[test] > part.args[0]:
                further.add(item)
    return further


@cache
def _starts_process(test: FunctionType) -> bool:
    """Whether a test, or a function of the tests that it calls by name, names `subprocess`."""
    functions = [test]
    for function in functions:
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            if value is subprocess:
                return True
            if isinstance(value, FunctionType) and value.__module__.startswith("tests."):
                functions += [value] if value not in functions else []
    return False


@pytest.fixture(scope="session")
def spark(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[SparkSession]:
    """Rows are computed without compiled code; in a campaign with it, as in a run of many rows."""
    from rowbook.engine.session.jars import EXTRAS
    from rowbook.engine.session.session import EngineSettings, open_session
    from rowbook.engine.session.sizing import FEW_ROWS

    settings = EngineSettings(
        profile="small",
        scratch=tmp_path_factory.mktemp("spark"),
        extras=frozenset(EXTRAS),
        conf={} if pytestconfig.getoption("--campaign") else FEW_ROWS,
    )
    with open_session(settings) as engine:
        yield engine.spark


@pytest.fixture(scope="session")
def connect_url(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[str]:
    """A Spark Connect server, one for all workers, which runs until all tests are through."""
    from rowbook.engine.session.sizing import FEW_ROWS

    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    conf = {} if pytestconfig.getoption("--campaign") else FEW_ROWS
    with one_connect_server(folder / "connect", conf) as url:
        yield url


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server, which runs until all tests are through."""
    from tests.support.postgres_server import NoServerError, running_server

    try:
        with running_server() as started:
            yield started
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def mariadb() -> Iterator[MariadbServer]:
    """A MariaDB server, which runs until all tests are through."""
    from tests.support.mariadb_server import running_mariadb
    from tests.support.postgres_server import NoServerError

    try:
        with running_mariadb() as started:
            yield started
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def object_store() -> Iterator[StoreServer]:
    """An S3 server, which runs until all tests are through."""
    from tests.support.object_store_server import NoStoreError, running_store

    try:
        with running_store() as started:
            yield started
    except NoStoreError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def azure_store() -> Iterator[AzureServer]:
    """A server of Azure's protocol, which runs until all tests are through."""
    from tests.support.azure_server import running_azure
    from tests.support.object_store_server import NoStoreError

    try:
        with running_azure() as started:
            yield started
    except NoStoreError as error:
        pytest.skip(str(error))


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    """An empty folder that becomes a workspace."""
    from tests.support.trial import Trial

    return Trial(tmp_path)


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """An empty folder, which is the current one, and commands in it."""
    from tests.support.shell import Shell

    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capsys)
