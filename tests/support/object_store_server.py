"""An object store of our own that speaks S3: versitygw, built once, kept in the user's cache."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowbook.engine.session.cache_folder import cache_folder
from tests.support.free_port import free_port

ACCESS, SECRET = "keeper", "s3cret-Key/of+the-store"
KEYS = f"{ACCESS}:{SECRET}"
"""As a credential holds them."""
VERSION = "v1.8.0"
_MODULE = f"github.com/versity/versitygw/cmd/versitygw@{VERSION}"
_REQUEST = re.compile(r" s3_(\w+) \S+ (/\S*) ")
_BUILD_WITHIN = 900.0


class NoStoreError(Exception):
    """There is no object store on this machine that could be started."""


@dataclass(frozen=True, slots=True)
class StoreServer:
    """A running server. A bucket is a folder below `folder`, and what is put there is an object;
    `log` has a line for each request."""

    port: int
    folder: Path
    log: Path

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def options(self) -> dict[str, Any]:
        """Of a data source, beside its root."""
        return {"endpoint": self.endpoint, "path_style": True}

    def bucket(self, name: str) -> Path:
        path = self.folder / name
        path.mkdir(exist_ok=True)
        return path

    def put(self, bucket: str, objects: Mapping[str, bytes | str]) -> None:
        """Through the server, as somebody else would."""
        import obstore

        self.bucket(bucket)
        client = self.client(bucket)
        for key, content in objects.items():
            data = content.encode() if isinstance(content, str) else content
            obstore.put(client, key, data)

    def client(self, bucket: str) -> Any:
        from obstore.store import S3Store

        return S3Store(
            bucket,
            endpoint=self.endpoint,
            region="us-east-1",
            access_key_id=ACCESS,
            secret_access_key=SECRET,
            client_options={"allow_http": True},
        )

    def requests(self) -> list[tuple[str, str]]:
        """What was asked so far: the operation, such as GetObject, and the path with the query."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [(found[1], found[2]) for line in lines if (found := _REQUEST.search(line))]


@contextmanager
def running_store() -> Iterator[StoreServer]:
    program = _program()
    base = Path(tempfile.mkdtemp(prefix="rowbook-s3-"))
    try:
        server = StoreServer(free_port(), base / "buckets", base / "access.log")
        server.folder.mkdir()
        with (base / "log").open("wb") as sink:
            process = subprocess.Popen(
                [
                    *(str(program), "--port", server.host, "--access", ACCESS, "--secret", SECRET),
                    *("--access-log", str(server.log), "posix", str(server.folder)),
                ],
                stdout=sink,
                stderr=sink,
            )
        try:
            wait_for_answer(server.endpoint, process, "versitygw")
            yield server
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def build() -> None:
    """Minutes of work, once for a machine: longer than a test may take."""
    program = _place()
    if program.is_file():
        return
    with tempfile.TemporaryDirectory(dir=program.parent) as made:
        environ = {**os.environ, "GOBIN": made, "GOFLAGS": ""}
        subprocess.run(["go", "install", _MODULE], check=True, env=environ, timeout=_BUILD_WITHIN)
        (Path(made) / program.name).replace(program)


def _place() -> Path:
    name = f"test-servers/versitygw-{VERSION.removeprefix('v')}"
    return cache_folder(name, os.environ) / "versitygw"


def _program() -> Path:
    if (program := _place()).is_file():
        return program
    how = "`python -m tests.support.object_store_server` builds it, with Go"
    raise NoStoreError(f"versitygw is not there: {how}")


def wait_for_answer(url: str, process: subprocess.Popen[bytes], name: str) -> None:
    """Until a server that was started answers, be it with a refusal."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise NoStoreError(f"{name} did not start")


if __name__ == "__main__":
    build()
