"""A Spark Connect server on this machine, whose own settings are not ours."""

from __future__ import annotations

import fcntl
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType

from rowbook.engine.session import launch
from rowbook.engine.session.jars import EXTRAS, jars_for
from rowbook.engine.session.java import find_java
from rowbook.engine.session.settings import EngineSettings, with_extras
from tests.support.free_port import free_port

_READY_WITHIN = 300.0
NO_MORE: Mapping[str, str] = MappingProxyType({})


@contextmanager
def one_connect_server(folder: Path, conf: Mapping[str, str]) -> Iterator[str]:
    """The address of one for all processes that name the folder: who comes first starts it, and
    ends it when nobody uses it any more."""
    folder.mkdir(exist_ok=True)
    address = folder / "address"
    with ExitStack() as held, (folder / "users").open("w") as users:
        with _alone(folder):
            is_first = not address.exists()
            if is_first:
                address.write_text(
                    held.enter_context(connect_server(folder, conf)), encoding="utf-8"
                )
            url = address.read_text(encoding="utf-8")
            fcntl.flock(users, fcntl.LOCK_SH)
        try:
            yield url
        finally:
            if is_first:
                with _alone(folder):
                    address.unlink()
                fcntl.flock(users, fcntl.LOCK_EX)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def connect_server(folder: Path, conf: Mapping[str, str] = NO_MORE) -> Iterator[str]:
    """Its address, for as long as it runs; it keeps what it needs in the folder."""
    with connect_process(folder, free_port(), conf) as (url, _):
        yield url


@contextmanager
def connect_process(
    folder: Path, port: int, more: Mapping[str, str] = NO_MORE
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The same at a port, with the process, to be killed."""
    conf = {
        **more,
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": str(folder),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.ansi.enabled": "false",
        "spark.sql.session.timeZone": "America/New_York",
    }
    settings = EngineSettings(extras=frozenset(EXTRAS))
    conf |= with_extras(settings, jars_for(EXTRAS), conf)
    (folder / "spark.conf").write_text(launch.as_properties(conf))
    options = launch.stable_options(conf)
    options += launch.varying_options(conf, "small", folder, debug=False)
    command = launch.command(
        find_java(),
        options,
        launch.class_path(launch.spark_home(), conf, {}),
        "org.apache.spark.deploy.SparkSubmit",
        "--properties-file",
        str(folder / "spark.conf"),
        "--class",
        "org.apache.spark.sql.connect.service.SparkConnectServer",
        "spark-internal",
    )
    with subprocess.Popen(
        command,
        cwd=folder,
        env=launch.environment(conf),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _wait_for(port, server)
            yield f"sc://127.0.0.1:{port}", server
        finally:
            server.kill()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    limit = time.monotonic() + _READY_WITHIN
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert server.poll() is None, "the Connect server ended"
            assert time.monotonic() < limit, "the Connect server is not up"
            time.sleep(0.1)
