"""A catalog of Iceberg's REST protocol on this machine: it keeps tables in memory and their
metadata in files, on a disk or in a bucket, and commits only where what is required holds."""

from __future__ import annotations

import copy
import json
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PREFIX = "lakes/close"
TOKEN = "t0ken-of-the-Lake"
_BELOW = "/catalog"
_LOG = 100

Write = Callable[[str, bytes], None]
Table = dict[str, Any]


class RefusedError(Exception):
    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


def write_file(place: str, data: bytes) -> None:
    path = Path(place.removeprefix("file://"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@dataclass
class RestServer:
    """`write` puts a metadata file. `requests` are what was asked, `tokens` what came with it;
    where there is a `token`, none but it is let in."""

    uri: str
    warehouse: str
    write: Write
    tables: dict[tuple[str, ...], tuple[str, Table]] = field(default_factory=dict)
    namespaces: set[tuple[str, ...]] = field(default_factory=set)
    requests: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    token: str | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def host(self) -> str:
        return urllib.parse.urlsplit(self.uri).netloc

    def answer(self, method: str, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        if path == "/v1/config":
            return {"defaults": {}, "overrides": {"prefix": PREFIX}}
        below = f"/v1/{PREFIX}/"
        if not path.startswith(below):
            raise RefusedError(400, "BadRequestException", f"no path {path}")
        parts = [urllib.parse.unquote(part) for part in path.removeprefix(below).split("/")]
        match method, parts:
            case "POST", ["namespaces"]:
                return self._create_namespace(tuple(body["namespace"]))
            case "GET" | "HEAD", ["namespaces", levels]:
                self._namespace(levels)
                return {"namespace": _levels(levels), "properties": {}}
            case "GET", ["namespaces", levels, "tables"]:
                own = self._namespace(levels)
                names = [name for name in self.tables if name[:-1] == own]
                return {"identifiers": [{"namespace": own, "name": n[-1]} for n in names]}
            case "POST", ["namespaces", levels, "tables"]:
                return self._create((*self._namespace(levels), body["name"]), body)
            case "GET" | "HEAD", ["namespaces", levels, "tables", name]:
                return self._loaded((*_levels(levels), name))
            case "POST", ["namespaces", levels, "tables", name]:
                return self._commit((*_levels(levels), name), body)
            case _:
                raise RefusedError(400, "BadRequestException", f"no {method} {path}")

    def _namespace(self, levels: str) -> tuple[str, ...]:
        found = _levels(levels)
        if found not in self.namespaces:
            raise RefusedError(404, "NoSuchNamespaceException", f"no namespace {found}")
        return found

    def _create_namespace(self, name: tuple[str, ...]) -> Mapping[str, Any]:
        if name in self.namespaces:
            raise RefusedError(409, "AlreadyExistsException", f"namespace {name} is there")
        self.namespaces.add(name)
        return {"namespace": list(name), "properties": {}}

    def _loaded(self, name: tuple[str, ...]) -> Mapping[str, Any]:
        if name not in self.tables:
            raise RefusedError(404, "NoSuchTableException", f"no table {name}")
        file, table = self.tables[name]
        return {"metadata-location": file, "metadata": table, "config": {}}

    def _create(self, name: tuple[str, ...], body: Mapping[str, Any]) -> Mapping[str, Any]:
        if name in self.tables:
            raise RefusedError(409, "AlreadyExistsException", f"table {name} is there")
        table = _new_table()
        location = body.get("location") or "/".join((self.warehouse, *name))
        spec = body.get("partition-spec") or {"spec-id": 0, "fields": []}
        order = body.get("write-order") or {"order-id": 0, "fields": []}
        for update in (
            {"action": "set-location", "location": location},
            {"action": "add-schema", "schema": body["schema"]},
            {"action": "set-current-schema", "schema-id": -1},
            {"action": "add-spec", "spec": spec},
            {"action": "set-default-spec", "spec-id": -1},
            {"action": "add-sort-order", "sort-order": order},
            {"action": "set-default-sort-order", "sort-order-id": -1},
            {"action": "set-properties", "updates": body.get("properties") or {}},
        ):
            _apply(table, update)
        table["properties"].pop("format-version", None)
        table.pop("_last")
        if body.get("stage-create"):
            return {"metadata": table, "config": {}}
        return self._put(name, table)

    def _commit(self, name: tuple[str, ...], body: Mapping[str, Any]) -> Mapping[str, Any]:
        required = body["requirements"]
        if {"type": "assert-create"} in required:
            if name in self.tables:
                raise RefusedError(409, "CommitFailedException", f"table {name} is there")
            table = _new_table()
        else:
            table = copy.deepcopy(self._loaded(name)["metadata"])
            for each in required:
                _require(table, each)
        for update in body["updates"]:
            _apply(table, update)
        table.pop("_last", None)
        return self._put(name, table)

    def _put(self, name: tuple[str, ...], table: Table) -> Mapping[str, Any]:
        before = self.tables.get(name)
        table["last-updated-ms"] = max(int(time.time() * 1000), table["last-updated-ms"])
        if before is not None:
            old = {
                "metadata-file": before[0],
                "timestamp-ms": before[1]["last-updated-ms"],
            }
            table["metadata-log"] = [*table["metadata-log"], old][-_LOG:]
        number = len(table["metadata-log"])
        file = f"{table['location']}/metadata/{number:05}-{uuid.uuid4()}.metadata.json"
        self.write(file, json.dumps(table).encode())
        self.tables[name] = (file, table)
        return self._loaded(name)


def _levels(namespace: str) -> tuple[str, ...]:
    return tuple(namespace.split("\x1f"))


def _new_table() -> Table:
    return {
        "format-version": 2,
        "table-uuid": str(uuid.uuid4()),
        "location": "",
        "last-sequence-number": 0,
        "last-updated-ms": 0,
        "last-column-id": 0,
        "schemas": [],
        "current-schema-id": -1,
        "partition-specs": [],
        "default-spec-id": -1,
        "last-partition-id": 999,
        "sort-orders": [],
        "default-sort-order-id": -1,
        "properties": {},
        "current-snapshot-id": -1,
        "snapshots": [],
        "refs": {},
        "snapshot-log": [],
        "metadata-log": [],
    }


_REQUIRED = {
    "assert-table-uuid": ("uuid", "table-uuid"),
    "assert-last-assigned-field-id": ("last-assigned-field-id", "last-column-id"),
    "assert-current-schema-id": ("current-schema-id", "current-schema-id"),
    "assert-last-assigned-partition-id": ("last-assigned-partition-id", "last-partition-id"),
    "assert-default-spec-id": ("default-spec-id", "default-spec-id"),
    "assert-default-sort-order-id": ("default-sort-order-id", "default-sort-order-id"),
}


def _require(table: Table, required: Mapping[str, Any]) -> None:
    kind = required["type"]
    if kind == "assert-ref-snapshot-id":
        wanted = required["snapshot-id"]
        found = table["refs"].get(required["ref"], {}).get("snapshot-id")
    elif kind in _REQUIRED:
        said, key = _REQUIRED[kind]
        wanted, found = required[said], table[key]
    else:
        raise RefusedError(400, "BadRequestException", f"no requirement {kind}")
    if wanted != found:
        message = f"requirement failed: {kind}: expected {wanted}, found {found}"
        raise RefusedError(409, "CommitFailedException", message)


def _numbered(table: Table, parts: str, key: str, part: Mapping[str, Any], first: int) -> None:
    """A part that is there already keeps its number, others get the next."""
    same = next((e for e in table[parts] if e["fields"] == part["fields"]), None)
    if same is not None:
        table["_last"] = {**table.get("_last", {}), parts: same[key]}
        return
    number = max((each[key] for each in table[parts]), default=first - 1) + 1
    table[parts].append({**part, key: number})
    table["_last"] = {**table.get("_last", {}), parts: number}


def _chosen(table: Table, parts: str, number: int) -> int:
    return int(table["_last"][parts]) if number == -1 else number


def _apply(table: Table, update: Mapping[str, Any]) -> None:
    match update["action"]:
        case "assign-uuid":
            table["table-uuid"] = update["uuid"]
        case "upgrade-format-version":
            table["format-version"] = max(table["format-version"], update["format-version"])
        case "set-location":
            table["location"] = update["location"].rstrip("/")
        case "add-schema":
            schema = {"type": "struct", **update["schema"]}
            _numbered(table, "schemas", "schema-id", schema, 0)
            highest = max((each["id"] for each in schema["fields"]), default=0)
            table["last-column-id"] = max(table["last-column-id"], highest)
        case "set-current-schema":
            table["current-schema-id"] = _chosen(table, "schemas", update["schema-id"])
        case "add-spec":
            _numbered(table, "partition-specs", "spec-id", update["spec"], 0)
            used = (each["field-id"] for each in update["spec"]["fields"])
            table["last-partition-id"] = max((table["last-partition-id"], *used))
        case "set-default-spec":
            table["default-spec-id"] = _chosen(table, "partition-specs", update["spec-id"])
        case "add-sort-order":
            first = 1 if update["sort-order"]["fields"] else 0
            _numbered(table, "sort-orders", "order-id", update["sort-order"], first)
        case "set-default-sort-order":
            number = _chosen(table, "sort-orders", update["sort-order-id"])
            table["default-sort-order-id"] = number
        case "add-snapshot":
            _add_snapshot(table, update["snapshot"])
        case "set-snapshot-ref":
            _set_reference(table, update)
        case "remove-snapshot-ref":
            table["refs"].pop(update["ref-name"], None)
        case "set-properties":
            table["properties"].update(update["updates"])
        case "remove-properties":
            for key in update["removals"]:
                table["properties"].pop(key, None)
        case action:
            raise RefusedError(400, "BadRequestException", f"no update {action}")


def _add_snapshot(table: Table, snapshot: Mapping[str, Any]) -> None:
    number, last = snapshot["sequence-number"], table["last-sequence-number"]
    if number <= last and snapshot.get("parent-snapshot-id") is not None:
        message = f"sequence number {number} is not above {last}"
        raise RefusedError(400, "BadRequestException", message)
    if snapshot["schema-id"] not in {each["schema-id"] for each in table["schemas"]}:
        raise RefusedError(400, "BadRequestException", "the snapshot has a schema of its own")
    table["snapshots"].append(dict(snapshot))
    table["last-sequence-number"] = max(number, last)


def _set_reference(table: Table, update: Mapping[str, Any]) -> None:
    name = update["ref-name"]
    found = {k: v for k, v in update.items() if k not in ("action", "ref-name")}
    if found["snapshot-id"] not in {each["snapshot-id"] for each in table["snapshots"]}:
        raise RefusedError(400, "BadRequestException", f"{name} is of no snapshot")
    table["refs"][name] = found
    if name == "main":
        table["current-snapshot-id"] = found["snapshot-id"]
        entry = {"timestamp-ms": int(time.time() * 1000), "snapshot-id": found["snapshot-id"]}
        table["snapshot-log"].append(entry)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: RestServer

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def log_message(self, *_: Any) -> None:
        """Nothing: a test says what it expects."""

    def _answer(self) -> None:
        rest, length = self.server_of, int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        path = urllib.parse.urlsplit(self.path).path.removeprefix(_BELOW)
        sent = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        rest.requests.append((self.command, path))
        rest.tokens.add(sent)
        try:
            if rest.token is not None and sent != rest.token:
                raise RefusedError(401, "NotAuthorizedException", "who are you?")
            with rest.lock:
                status, found = 200, rest.answer(self.command, path, body)
                text = json.dumps(found).encode()
        except RefusedError as refused:
            status = refused.status
            error = {"message": str(refused), "type": refused.kind, "code": status}
            text = json.dumps({"error": error}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)


@contextmanager
def running_catalog(warehouse: str, write: Write = write_file) -> Iterator[RestServer]:
    class Handler(_Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    rest = RestServer(f"http://127.0.0.1:{server.server_port}{_BELOW}", warehouse, write)
    Handler.server_of = rest
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield rest
    finally:
        server.shutdown()
        thread.join(20)
        server.server_close()
