"""A REST catalog is asked as its protocol says, and its token goes to it alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.sources.iceberg.catalogs.rest_client import RestClient
from rowbook.sources.source_errors import UnreachableError
from tests.support.iceberg_rest_server import PREFIX, TOKEN, RestServer, running_catalog
from tests.support.refusal import refusal

REFERENCE = "env://ROWBOOK_TEST_CATALOG"
NAME = ("books", "eu", "gl")
TABLE = {"schema": {"type": "struct", "fields": []}}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RestServer]:
    monkeypatch.setenv("ROWBOOK_TEST_CATALOG", TOKEN)
    with running_catalog(str(tmp_path)) as server:
        server.token = TOKEN
        yield server


def client(server: RestServer, root: Path, host: str | None = None) -> RestClient:
    grant = CredentialDefinition(ref=REFERENCE, host=host or server.host)
    boundary = Boundary(root, credentials=(grant,))
    return RestClient(server.uri, str(root), None, REFERENCE, boundary)


def test_a_table_is_made_with_its_namespace(server: RestServer, tmp_path: Path) -> None:
    asked = client(server, tmp_path)
    assert asked.load(NAME) is None
    asked.create(NAME, {"name": "gl", "location": str(tmp_path / "gl"), **TABLE})
    asked.create(NAME, {"name": "gl", "location": "/elsewhere", **TABLE})
    found = asked.load(NAME)
    assert found is not None
    assert found["metadata"]["location"] == str(tmp_path / "gl")
    assert server.namespaces == {("books",), ("books", "eu")}
    assert ("GET", f"/v1/{PREFIX}/namespaces/books%1Feu/tables/gl") in server.requests


def test_a_prefix_that_is_given_is_not_asked_for(server: RestServer, tmp_path: Path) -> None:
    asked = replace(client(server, tmp_path), prefix=PREFIX)
    assert asked.load(NAME) is None
    assert [path for _, path in server.requests if path.endswith("/config")] == []


def test_a_commit_is_made_only_where_what_it_requires_holds(
    server: RestServer, tmp_path: Path
) -> None:
    asked = client(server, tmp_path)
    assert not asked.commit(NAME, [], [])
    asked.create(NAME, {"name": "gl", "location": str(tmp_path / "gl"), **TABLE})
    update = {"action": "set-properties", "updates": {"a": "1"}}
    wrong = {"type": "assert-table-uuid", "uuid": "another"}
    assert not asked.commit(NAME, [wrong], [update])
    assert asked.commit(NAME, [], [update])
    found = asked.load(NAME)
    assert found is not None
    assert found["metadata"]["properties"] == {"a": "1"}


def test_the_token_goes_where_the_workspace_lets_it(server: RestServer, tmp_path: Path) -> None:
    asked = client(server, tmp_path, "lake:443")
    assert refusal(lambda: asked.load(NAME)).code == "DATASOURCE_011"
    assert server.requests == []
    assert TOKEN not in repr(client(server, tmp_path))


def test_who_is_not_let_in_hears_so(
    server: RestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWBOOK_TEST_CATALOG", "wr0ng-Token")
    with pytest.raises(UnreachableError) as refused:
        client(server, tmp_path).load(NAME)
    said = f"the catalog at {server.host} cannot be used: who are you? (401)"
    assert str(refused.value) == said


def test_a_server_that_is_not_there_is_said_to_be_so(server: RestServer, tmp_path: Path) -> None:
    gone = replace(client(server, tmp_path, "127.0.0.1:9"), uri="http://127.0.0.1:9", prefix="")
    with pytest.raises(UnreachableError, match=r"127\.0\.0\.1:9 cannot be used: .*refused"):
        gone.load(NAME)


@contextmanager
def answering(status: int, text: bytes, **headers: str) -> Iterator[tuple[str, list[str]]]:
    """A server of one answer, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join(20)
        server.server_close()


def test_no_redirection_is_followed(server: RestServer, tmp_path: Path) -> None:
    with answering(302, b"", Location=f"{server.uri}/v1/elsewhere") as (uri, asked):
        boundary = Boundary(tmp_path)
        sent_on = RestClient(uri, str(tmp_path), "", None, boundary)
        with pytest.raises(UnreachableError, match=r"cannot be used: Found \(302\)"):
            sent_on.load(NAME)
    assert (len(asked), server.requests) == (1, [])


@pytest.mark.parametrize(
    ("status", "text", "said"),
    [
        (200, b"<html>", "Expecting value"),
        (200, b"[]", "its answer is none of the protocol"),
        (500, b"<html>", r"Internal Server Error \(500\)"),
        (503, b'{"error": {"message": "later\\n please"}}', r"later please \(503\)"),
        (409, b"{}", "its answer is 409"),
    ],
)
def test_what_is_no_answer_is_no_table(status: int, text: bytes, said: str, tmp_path: Path) -> None:
    """Nor is it none: that would be made anew."""
    with answering(status, text) as (uri, _):
        asked = RestClient(uri, str(tmp_path), "", None, Boundary(tmp_path))
        with pytest.raises(UnreachableError, match=said):
            asked.load(NAME)
