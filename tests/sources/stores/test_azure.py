"""What is read at Azure, of a real server of its protocol."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import store_address
from rowbook.sources import registry
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectChangedError, ObjectStore
from tests.support.azure_server import ACCOUNT, KEY, KEYS, AzureServer
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REFERENCE = "env://ROWBOOK_TEST_AZURE"
VARIABLE = "ROWBOOK_TEST_AZURE"
_containers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Container:
    name: str
    server: AzureServer
    root: Path

    @property
    def url(self) -> str:
        return f"abfss://{self.name}@{ACCOUNT}.dfs.core.windows.net"

    @property
    def boundary(self) -> Boundary:
        grant = CredentialDefinition(ref=REFERENCE, host=self.server.host)
        return Boundary(self.root, (self.url, f"az://{self.name}"), (grant,))

    @property
    def options(self) -> dict[str, str]:
        return {"endpoint": self.server.endpoint, "path_style": "true"}

    @property
    def store(self) -> ObjectStore:
        return ObjectStore(store_address(self.url, self.options), REFERENCE, self.boundary)

    def put(self, objects: Mapping[str, bytes | str]) -> None:
        self.server.put(self.name, objects)

    def table(self, key: str, kind: Any = "csv") -> FileTable:
        path = ObjectPath(self.store, key)
        return FileTable(kind, path, label=str(path), boundary=self.boundary)


@pytest.fixture
def container(
    azure_store: AzureServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Container:
    monkeypatch.setenv(VARIABLE, KEYS)
    name = f"lake-{next(_containers)}"
    azure_store.container(name)
    return Container(name, azure_store, tmp_path)


def test_a_folder_is_listed_with_what_identifies_each_object(container: Container) -> None:
    container.put({"gl/a.csv": "1", "gl/x/b.csv": "22", "gl.csv": "333", "glx/c.csv": "4"})
    found = {each.key: each for each in container.store.list("gl")}
    assert {key: each.size for key, each in found.items()} == {"gl/a.csv": 1, "gl/x/b.csv": 2}
    assert found["gl/a.csv"].etag != found["gl/x/b.csv"].etag


def test_a_range_is_read_of_the_object_that_was_listed(container: Container) -> None:
    container.put({"a": "0123456789"})
    found = container.store.head("a")
    assert found is not None
    assert container.store.read("a", 2, 5, found.etag) == b"234"
    assert b"".join(container.store.chunks("a", found.etag)) == b"0123456789"
    container.put({"a": "abcdefghij"})
    with pytest.raises(ObjectChangedError):
        container.store.read("a", 2, 5, found.etag)
    with pytest.raises(ObjectChangedError):
        list(container.store.chunks("a", found.etag))


def test_both_forms_of_a_url_lead_to_the_same_object(container: Container) -> None:
    container.put({"in/a": "1"})
    options = {**container.options, "account": ACCOUNT}
    address = store_address(f"az://{container.name}/in", options)
    store = ObjectStore(address, REFERENCE, container.boundary)
    assert store.url("in/a") == f"az://{container.name}/in/a"
    assert store.read("in/a", 0, 1) == b"1"
    assert ObjectPath(store, "in/a").is_relative_to(ObjectPath(container.store, "in"))


def test_what_is_not_there_is_no_fault_and_a_container_that_is_not_there_is(
    container: Container,
) -> None:
    assert container.store.head("a") is None
    assert container.store.list("gl") == ()
    address = store_address(container.url.replace(container.name, "nowhere"), container.options)
    store = ObjectStore(address, REFERENCE, container.boundary)
    found = refusal(lambda: store.list(""), "DATASOURCE_010")
    assert "there is no bucket nowhere" in found.message


def test_wrong_keys_are_refused(container: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, f"{ACCOUNT}:{KEY[:-4]}AAA=")
    found = refusal(lambda: container.store.list(""), "DATASOURCE_010")
    assert "refuses" in found.message
    assert KEY[:-4] not in str(found)
    monkeypatch.setenv(VARIABLE, f"other:{KEY}")
    assert (
        "another storage account"
        in refusal(lambda: container.store.list(""), "DATASOURCE_009").message
    )


def test_a_signature_opens_what_it_is_for(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import timedelta

    import obstore

    container.put({"a": "1"})
    url = obstore.sign(container.server.client(container.name), "GET", "a", timedelta(minutes=5))
    monkeypatch.setenv(VARIABLE, f"{ACCOUNT}:?{url.partition('?')[2]}")
    assert container.store.read("a", 0, 1) == b"1"


def test_a_server_that_somebody_names_gets_nothing_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token could be used by whoever it is sent to; what is given is all that is sent."""
    asked: list[Mapping[str, str]] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(dict(self.headers))
            self.send_response(403)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("AZURE_STORAGE_TOKEN", "a-token-of-mine")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", KEY)
    monkeypatch.setenv("AWS_SESSION_TOKEN", "a-token-of-mine")
    monkeypatch.setenv(VARIABLE, "keeper:c2VjcmV0")
    host = f"127.0.0.1:{server.server_port}"
    grant = CredentialDefinition(ref=REFERENCE, host=host)
    boundary = Boundary(tmp_path, (), (grant,))
    options = {"endpoint": f"http://{host}", "path_style": "true"}
    try:
        for url in ("abfss://lake@keeper.dfs.core.windows.net", "s3://lake"):
            for reference in (None, REFERENCE) if url.startswith("abfss") else (REFERENCE,):
                store = ObjectStore(store_address(url, options), reference, boundary)
                refusal(partial(store.list, ""), "DATASOURCE_010")
    finally:
        server.shutdown()
        server.server_close()
    assert len(asked) == 3
    assert "a-token-of-mine" not in str(asked)
    assert ["Authorization" in each or "authorization" in each for each in asked] == [
        False,
        True,
        True,
    ]


@pytest.mark.spark
@pytest.mark.parametrize("kind", ["csv", "json", "parquet", "orc"])
def test_spark_reads_a_copy(
    kind: str, container: Container, spark: SparkSession, tmp_path: Path
) -> None:
    folder = tmp_path / "rows"
    rows = spark.createDataFrame([("4000", "1.50")], ["account", "amount"])
    typed = rows.selectExpr("account", "CAST(amount AS DECIMAL(18,2)) AS amount")
    writer = typed.coalesce(1).write.option("header", "true")
    writer.format(kind).save(str(folder))
    (part,) = folder.glob("part-*")
    container.put({f"gl/{part.name}": part.read_bytes()})
    with ExitStack() as held:
        for keeping in (None, Keeping(held), Keeping(held, tmp_path / "kept")):
            table = registry.pin(container.table("gl", kind), None, keeping)
            assert registry.extras(table) == frozenset()
            raws = registry.read(spark, [table], held)
            assert [row["account"] for raw in raws for row in raw.frame.collect()] == ["4000"]


def test_what_spark_would_have_to_read_itself_is_refused_before_it_starts(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    container.put({"gl/a.csv": "account\n1\n"})
    elsewhere = Keeping(ExitStack(), elsewhere=True)
    found = refusal(lambda: registry.pin(container.table("gl"), None, elsewhere), "DATASOURCE_008")
    assert "can be read on this machine alone" in found.message
    monkeypatch.setattr("rowbook.sources.files.object_pins.COPIED", 4)
    for keeping in (None, Keeping(ExitStack())):
        table = container.table("gl")
        pin = partial(registry.pin, table, None, keeping)
        found = refusal(pin, "DATASOURCE_008")
        assert "Spark has no library for abfss://" in found.message
