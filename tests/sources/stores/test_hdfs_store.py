from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import store_address
from rowbook.sources import registry
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.stores.hdfs_store import HdfsStore
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectChangedError
from rowbook.sources.stores.spark_access import spark_url
from tests.support.free_port import free_port
from tests.support.name_node import NameNode, running_name_node
from tests.support.refusal import refusal

ROOT = "hdfs://name.example:8020"


@pytest.fixture
def node() -> Iterator[NameNode]:
    with running_name_node() as started:
        yield started


@pytest.fixture
def store(node: NameNode, tmp_path: Path) -> HdfsStore:
    address = store_address(f"{ROOT}/in", {"namenode": node.endpoint})
    return HdfsStore(address, None, Boundary(tmp_path, (ROOT,)))


def test_folders_are_listed_to_their_ends(node: NameNode, store: HdfsStore) -> None:
    for path in ("/in/gl/a.csv", "/in/gl/x y/b ü.csv", "/in/gl.csv"):
        node.put(path, path)
    found = {each.key: each for each in store.list("in/gl")}
    assert {key: each.size for key, each in found.items()} == {
        "in/gl/a.csv": 12,
        "in/gl/x y/b ü.csv": 19,
    }
    assert len({each.etag for each in found.values()}) == 2
    assert store.list("in/gl.csv") == store.list("in/nothing") == ()
    assert (store.head("in/nothing"), store.head("in/gl")) == (None, None)


def test_a_range_is_read_of_the_file_that_was_listed(node: NameNode, store: HdfsStore) -> None:
    node.put("/in/a", "0123456789")
    (found,) = store.list("in")
    assert store.read("in/a", 2, 5, found.etag) == b"234"
    assert b"".join(store.chunks("in/a", found.etag)) == b"0123456789"
    node.put("/in/a", "abcdefghij")
    with pytest.raises(ObjectChangedError):
        store.read("in/a", 2, 5, found.etag)
    with pytest.raises(ObjectChangedError):
        list(store.chunks("in/a", found.etag))


def test_the_name_node_is_asked_as_the_user_of_hadoop(
    node: NameNode, store: HdfsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HADOOP_USER_NAME", "closer")
    assert store.list("in") == ()
    assert node.users == {"closer"}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ((401, None), "by Kerberos"),
        (
            (
                403,
                {
                    "RemoteException": {
                        "exception": "AccessControlException",
                        "message": "Permission denied: user=ann\n\tat org.apache",
                    }
                },
            ),
            f"it refuses {ROOT}/in (Permission denied: user=ann)",
        ),
        ((503, None), "503 Service Unavailable"),
        ((200, {"unknown": 1}), "FileStatuses is missing"),
    ],
)
def test_what_is_refused_is_said(
    answer: tuple[int, dict[str, object] | None], says: str, node: NameNode, store: HdfsStore
) -> None:
    node.refusal = answer
    assert says in refusal(lambda: store.list("in"), "DATASOURCE_010").message


def test_a_name_node_that_does_not_answer_is_named(tmp_path: Path) -> None:
    port = free_port()
    address = store_address(ROOT, {"namenode": f"http://127.0.0.1:{port}"})
    store = HdfsStore(address, None, Boundary(tmp_path))
    found = refusal(lambda: store.list(""), "DATASOURCE_010")
    assert f"127.0.0.1:{port} cannot be used: Connection refused" in found.message


def test_a_table_is_pinned_by_copies_and_missed_where_it_changes(
    node: NameNode, store: HdfsStore, tmp_path: Path
) -> None:
    node.put("/in/gl/a.csv", "account,amount\n4000,1.00\n")
    path = ObjectPath(store, "in/gl")
    table = FileTable("csv", path, label=str(path))
    with ExitStack() as held:
        pinned = registry.pin(table, None, Keeping(held, tmp_path / "kept"))
        assert registry.columns(pinned) == ("account", "amount")
        assert registry.extras(pinned) == frozenset()
        (plain,) = registry.read_plain([pinned])
        assert [row["amount"] for row in plain.rows] == ["1.00"]
        registry.check(pinned)
        node.put("/in/gl/a.csv", "account,amount\n4000,2.00\n")
        changed = refusal(lambda: registry.check(pinned), "RUN_011").message
    assert f"{ROOT}/in/gl/a.csv changed" in changed


def test_spark_reads_large_tables_itself(
    node: NameNode, store: HdfsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rowbook.sources.files.object_pins.COPIED", 4)
    node.put("/in/gl/a.csv", "account,amount\n4000,1.00\n")
    path = ObjectPath(store, "in/gl")
    table = FileTable("csv", path, label=str(path))
    pinned = table.pin(Keeping(ExitStack(), elsewhere=True))
    (file,), _ = pinned.files()
    assert isinstance(file.path, ObjectPath)
    assert spark_url(file.path) == f"{ROOT}/in/gl/a.csv"


def test_nothing_is_written(store: HdfsStore) -> None:
    found = refusal(lambda: store.put_if_absent("in/a", b"1"), "DATASOURCE_010")
    assert "nothing is written there" in found.message
