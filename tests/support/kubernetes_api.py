"""A Kubernetes API server as far as Spark's driver asks one: pods are processes of this machine,
started as the image of examples/cluster would start them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from rowbook.engine.session.java import find_java
from rowbook.engine.session.launch import spark_home
from tests.support.paths import ROOT
from tests.support.processes import child_processes, end_process

_PATH = re.compile(r"/api/v1/namespaces/[^/]+/(?P<kind>[a-z]+)(?:/(?P<name>[^/]+))?")
_ENTRYPOINT = ROOT / "examples" / "cluster" / "executor.sh"
Resource = dict[str, Any]


@dataclass(slots=True)
class Cluster:
    """What was asked for, and the pods that run; `specs` is all that was ever posted, as text."""

    folder: Path
    url: str = ""
    resources: dict[tuple[str, str], Resource] = field(default_factory=dict)
    pods: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    specs: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def executors(self) -> list[int]:
        found = ((p.pid, child_processes(p.pid)) for p in self.pods.values() if p.poll() is None)
        return [pid for pid, _ in found]

    def kill_executor(self) -> None:
        """The pod fails, and a watch would tell."""
        name = next(name for name, process in self.pods.items() if process.poll() is None)
        end_process(self.pods[name])
        self.resources["pods", name]["status"]["phase"] = "Failed"

    def add(self, kind: str, resource: Resource) -> Resource:
        name = resource["metadata"].setdefault("name", f"{kind}-{len(self.specs)}")
        resource["metadata"] |= {"namespace": "default", "uid": name, "resourceVersion": "1"}
        self.resources[kind, name] = resource
        if kind == "pods":
            resource["status"] = {
                "phase": "Running",
                "podIP": "127.0.0.1",
                "containerStatuses": [
                    {"name": "spark-kubernetes-executor", "state": {"running": {}}, "ready": True}
                ],
            }
            self.pods[name] = self._start(name, resource)
        return resource

    def remove(self, kind: str, name: str) -> Resource | None:
        if kind == "pods" and name in self.pods:
            end_process(self.pods[name])
        return self.resources.pop((kind, name), None)

    def _start(self, name: str, pod: Resource) -> subprocess.Popen[bytes]:
        (container,) = pod["spec"]["containers"]
        fields = {"metadata.name": name, "status.podIP": "127.0.0.1"}
        environment = {
            each["name"]: each["value"]
            if "value" in each
            else fields[each["valueFrom"]["fieldRef"]["fieldPath"]]
            for each in container["env"]
        }
        ours = {
            "PATH": os.environ["PATH"],
            "JAVA_HOME": str(find_java().home),
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_DIRS": str(self.folder),
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [str(_ENTRYPOINT), *container["args"]],
                cwd=self.folder,
                env={**environment, **ours},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )


@contextmanager
def kubernetes_api(folder: Path) -> Iterator[Cluster]:
    folder.mkdir(parents=True)
    cluster = Cluster(folder)

    class Handler(_Handler):
        known = cluster

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    cluster.url = f"k8s://http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield cluster
    finally:
        cluster.over.set()
        server.shutdown()
        server.server_close()
        for process in cluster.pods.values():
            end_process(process)


class _Handler(BaseHTTPRequestHandler):
    known: Cluster
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        kind, _ = self._asked()
        text = self._body()
        self.known.specs.append(text)
        self._answer(201, self.known.add(kind, json.loads(text)))

    def do_GET(self) -> None:
        kind, name = self._asked()
        query = parse_qs(urlsplit(self.path).query)
        if "Upgrade" in self.headers:
            self._answer(200, {})  # a websocket is not had: the client then asks by HTTP
        elif query.get("watch") == ["true"]:
            self._watch()
        elif name is not None:
            found = self.known.resources.get((kind, name))
            self._answer(200, found) if found else self._answer(404, _status("Failure", 404))
        else:
            items = [each for (of, _), each in list(self.known.resources.items()) if of == kind]
            metadata = {"resourceVersion": "1"}
            listed = {"kind": "List", "apiVersion": "v1", "metadata": metadata, "items": items}
            self._answer(200, listed)

    def do_DELETE(self) -> None:
        self._body()
        kind, name = self._asked()
        names = [name] if name else [n for of, n in list(self.known.resources) if of == kind]
        for each in names:
            self.known.remove(kind, each)
        self._answer(200, _status("Success", 200))

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def _asked(self) -> tuple[str, str | None]:
        found = _PATH.fullmatch(urlsplit(self.path).path)
        return (found["kind"], found["name"]) if found else ("unknown", None)

    def _body(self) -> str:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()

    def _watch(self) -> None:
        """Is kept open, and tells nothing: Spark's driver lists pods as well."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.close_connection = True
        self.known.over.wait()

    def _answer(self, code: int, content: Resource) -> None:
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _status(status: str, code: int) -> Resource:
    return {"kind": "Status", "apiVersion": "v1", "status": status, "code": code}
