"""A name node of HDFS that answers what reading asks, with files from memory."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

_PREFIX = "/webhdfs/v1"


@dataclass(slots=True)
class NameNode:
    """`files` by their paths, each with the id that it got when it was put; `asked` are operation
    and path of each question."""

    port: int = 0
    files: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    users: set[str] = field(default_factory=set)
    refusal: tuple[int, dict[str, Any] | None] | None = None

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def put(self, path: str, content: str) -> None:
        self.files[path] = (len(self.asked) + len(self.files) + 1, content.encode())

    def answer(self, path: str, words: dict[str, str]) -> tuple[int, Any]:
        operation = words["op"]
        self.asked.append((operation, path))
        self.users.add(words["user.name"])
        if self.refusal is not None:
            return self.refusal
        folder = f"{path.rstrip('/')}/"
        below = {each.removeprefix(folder) for each in self.files if each.startswith(folder)}
        if path not in self.files and not below:
            said = {"exception": "FileNotFoundException", "message": f"no {path}"}
            return 404, {"RemoteException": said}
        if operation == "OPEN":
            content = self.files[path][1]
            start = int(words.get("offset", 0))
            return 200, content[start : start + int(words.get("length", len(content)))]
        if operation == "GETFILESTATUS":
            return 200, {"FileStatus": self._status("", path)}
        names = sorted({each.partition("/")[0] for each in below})
        found = [self._status(name, f"{folder}{name}") for name in names]
        return 200, {"FileStatuses": {"FileStatus": found or [self._status("", path)]}}

    def _status(self, name: str, path: str) -> dict[str, Any]:
        if path not in self.files:
            return {
                "pathSuffix": name,
                "type": "DIRECTORY",
                "length": 0,
                "modificationTime": 0,
                "fileId": 0,
            }
        number, content = self.files[path]
        return {
            "pathSuffix": name,
            "type": "FILE",
            "length": len(content),
            "modificationTime": 1_700_000_000_000,
            "fileId": number,
        }


@contextmanager
def running_name_node() -> Iterator[NameNode]:
    node = NameNode()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            words = {name: values[0] for name, values in parse_qs(parts.query).items()}
            code, told = node.answer(unquote(parts.path.removeprefix(_PREFIX)), words)
            data = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    node.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield node
    finally:
        server.shutdown()
        server.server_close()
