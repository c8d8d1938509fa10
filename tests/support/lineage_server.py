"""A lineage server on this machine: keeps the events that it is sent."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Events = list[dict[str, Any]]


@contextmanager
def lineage_server() -> Iterator[tuple[str, Events]]:
    """Its URL, and the events that have come."""
    events: Events = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            events.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(201)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", events
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def sending_to(url: str) -> Iterator[None]:
    """Runs of this process tell this server; the client leaves variables behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENLINEAGE_URL", url)
        try:
            yield
        finally:
            for name in [each for each in os.environ if each.startswith("OPENLINEAGE__")]:
                del os.environ[name]
