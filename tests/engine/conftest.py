"""Programs that need a session of their own, and a Spark Connect server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rowbook.engine import launch
from rowbook.engine.java import find_java

SOURCES = Path(__file__).parents[2] / "src"
_SERVER_READY_WITHIN = 120.0


class Program:
    """A Python program in a process and a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder.parent / f"{folder.name}-tmp"
        self.temporary.mkdir()

    def start(self, code: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code)],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCES),
                "TMPDIR": str(self.temporary),
                **(environ or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str, environ: Mapping[str, str] | None = None) -> tuple[str, str]:
        """What it printed, and what it said on stderr; it must end well."""
        with self.start(code, environ) as process:
            try:
                said, complained = process.communicate(timeout=200)
            finally:
                process.kill()
        assert process.returncode == 0, complained
        return said, complained


@pytest.fixture
def program(tmp_path: Path) -> Program:
    folder = tmp_path / "cwd"
    folder.mkdir()
    return Program(folder)


@pytest.fixture(scope="session")
def connect_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Spark Connect server whose settings are not ours, on this machine alone."""
    folder = tmp_path_factory.mktemp("connect")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    conf = {
        "spark.master": "local[1]",
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
            yield f"sc://127.0.0.1:{port}"
        finally:
            server.kill()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    limit = time.monotonic() + _SERVER_READY_WITHIN
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert server.poll() is None, "the Connect server ended"
            assert time.monotonic() < limit, "the Connect server is not up"
            time.sleep(0.1)
