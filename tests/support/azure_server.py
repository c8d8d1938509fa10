"""An object store of our own that speaks Azure's protocol: Azurite, installed once, kept in the
user's cache."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path
from typing import Any

from rowbook.engine.session.cache_folder import cache_folder
from tests.support.free_port import free_port
from tests.support.object_store_server import NoStoreError, wait_for_answer

ACCOUNT, KEY = "keeper", base64.b64encode(b"the key of the storage account").decode()
KEYS = f"{ACCOUNT}:{KEY}"
"""As a credential holds them."""
VERSION = "3.35.0"
_BUILD_WITHIN = 600.0
_PROTOCOL = "2021-08-06"


@dataclass(frozen=True, slots=True)
class AzureServer:
    """A running server, of one storage account."""

    port: int

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def container(self, name: str) -> None:
        path, date = f"/{ACCOUNT}/{name}", formatdate(usegmt=True)
        headers = f"x-ms-date:{date}\nx-ms-version:{_PROTOCOL}\n"
        text = f"PUT{chr(10) * 12}{headers}/{ACCOUNT}{path}\nrestype:container"
        signed = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
        request = urllib.request.Request(f"{self.endpoint}{path}?restype=container", method="PUT")
        request.add_header("x-ms-date", date)
        request.add_header("x-ms-version", _PROTOCOL)
        proof = base64.b64encode(signed).decode()
        request.add_header("Authorization", f"SharedKey {ACCOUNT}:{proof}")
        urllib.request.urlopen(request, timeout=20).close()

    def put(self, container: str, objects: Mapping[str, bytes | str]) -> None:
        """As somebody else would."""
        import obstore

        client = self.client(container)
        for key, content in objects.items():
            obstore.put(client, key, content.encode() if isinstance(content, str) else content)

    def client(self, container: str) -> Any:
        from obstore.store import AzureStore

        return AzureStore(
            container,
            account_name=ACCOUNT,
            account_key=KEY,
            endpoint=f"{self.endpoint}/{ACCOUNT}",
            client_options={"allow_http": True},
        )


@contextmanager
def running_azure() -> Iterator[AzureServer]:
    program, server = _program(), AzureServer(free_port())
    with tempfile.TemporaryDirectory(prefix="rowbook-azure-") as folder:
        with Path(folder, "log").open("wb") as sink:
            process = subprocess.Popen(
                [
                    *("node", str(program), "--inMemoryPersistence", "--silent"),
                    *("--blobHost", "127.0.0.1", "--blobPort", str(server.port)),
                    *("--skipApiVersionCheck", "--disableTelemetry"),
                ],
                cwd=folder,
                env={"PATH": os.environ["PATH"], "AZURITE_ACCOUNTS": KEYS},
                stdout=sink,
                stderr=sink,
            )
        try:
            wait_for_answer(server.endpoint, process, "Azurite")
            yield server
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(20)


def build() -> None:
    """A minute of work, once for a machine."""
    if not _place().is_file():
        folder = str(_folder())
        subprocess.run(
            ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", f"azurite@{VERSION}"],
            check=True,
            timeout=_BUILD_WITHIN,
        )


def _folder() -> Path:
    return cache_folder(f"test-servers/azurite-{VERSION}", os.environ)


def _place() -> Path:
    return _folder() / "node_modules/azurite/dist/src/blob/main.js"


def _program() -> Path:
    if (program := _place()).is_file():
        return program
    how = "`python -m tests.support.azure_server` installs it, with npm"
    raise NoStoreError(f"Azurite is not there: {how}")


if __name__ == "__main__":
    build()
