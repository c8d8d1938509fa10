from __future__ import annotations

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import store_address
from rowbook.sources.stores.object_store import ObjectChangedError, ObjectStore
from tests.sources.stores.buckets import REFERENCE, VARIABLE, Bucket
from tests.support.free_port import free_port
from tests.support.object_store_server import SECRET
from tests.support.refusal import refusal


def test_a_folder_is_listed_with_what_identifies_each_object(bucket: Bucket) -> None:
    bucket.put({"gl/a.csv": "1", "gl/x/b.csv": "22", "gl.csv": "333", "glx/c.csv": "4"})
    found = {each.key: each for each in bucket.store.list("gl")}
    assert {key: each.size for key, each in found.items()} == {"gl/a.csv": 1, "gl/x/b.csv": 2}
    assert found["gl/a.csv"].etag != found["gl/x/b.csv"].etag


@pytest.mark.campaign
def test_more_objects_are_listed_than_one_answer_holds(bucket: Bucket) -> None:
    bucket.put({f"many/{number:04}.csv": "" for number in range(1_050)})
    assert len(bucket.store.list("many")) == 1_050


def test_a_range_is_read_of_the_object_that_was_listed(bucket: Bucket) -> None:
    bucket.put({"a": "0123456789"})
    found = bucket.store.head("a")
    assert found is not None
    assert bucket.store.read("a", 2, 5, found.etag) == b"234"
    bucket.put({"a": "abcdefghij"})
    with pytest.raises(ObjectChangedError):
        bucket.store.read("a", 2, 5, found.etag)


def test_what_is_there_is_not_put_again(bucket: Bucket) -> None:
    assert bucket.store.put_if_absent("a", b"first") is not None
    assert bucket.store.put_if_absent("a", b"second") is None
    assert bucket.store.read("a", 0, 5) == b"first"


def test_what_changed_is_not_replaced(bucket: Bucket) -> None:
    store = bucket.store
    first = store.put_if_absent("a", b"1")
    assert first is not None
    second = store.put_if_unchanged("a", b"2", first)
    assert second is not None
    assert store.put_if_unchanged("a", b"3", first) is None
    store.delete("a")
    assert store.put_if_unchanged("a", b"4", second) is None
    assert store.head("a") is None


def test_of_eight_that_count_at_once_none_is_lost(bucket: Bucket) -> None:
    store = bucket.store
    store.put_if_absent("count", b"0")

    def add(_: int) -> None:
        while True:
            found = store.head("count")
            assert found is not None
            now = int(store.read("count", 0, found.size, found.etag))
            if store.put_if_unchanged("count", str(now + 1).encode(), found.etag):
                return

    def tried(number: int) -> None:
        for _ in range(5):
            while True:
                try:
                    add(number)
                except ObjectChangedError:
                    continue
                break

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(tried, range(8)))
    assert store.read("count", 0, 9) == b"40"


def test_one_of_eight_that_put_the_same_name_at_once_is_first(bucket: Bucket) -> None:
    with ThreadPoolExecutor(8) as threads:
        texts = [str(number).encode() for number in range(8)]
        etags = list(threads.map(lambda text: bucket.store.put_if_absent("a", text), texts))
    assert Counter(etag is None for etag in etags) == {True: 7, False: 1}
    assert bucket.store.read("a", 0, 1) == texts[next(n for n, e in enumerate(etags) if e)]


def test_deleting_what_is_gone_is_no_fault(bucket: Bucket) -> None:
    bucket.put({"a": "1"})
    bucket.store.delete("a", "b")
    assert bucket.store.list("") == ()


def test_a_bucket_that_is_not_there_is_named(bucket: Bucket) -> None:
    address = store_address(
        "s3://nowhere", {"endpoint": bucket.server.endpoint, "path_style": "true"}
    )
    found = refusal(lambda: ObjectStore(address, REFERENCE, bucket.boundary).list(""))
    assert (found.code, "there is no bucket nowhere" in found.message) == ("DATASOURCE_010", True)


def test_wrong_keys_are_refused_and_not_repeated(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, f"keeper:{SECRET}x")
    found = refusal(lambda: bucket.store.list(""))
    assert found.code == "DATASOURCE_010"
    assert "refuses" in found.message
    assert SECRET not in str(found)


def test_a_server_that_does_not_answer_is_named(bucket: Bucket) -> None:
    port = free_port()
    address = store_address(
        "s3://b12", {"endpoint": f"http://127.0.0.1:{port}", "path_style": "true"}
    )
    store = ObjectStore(address, None, Boundary(Path()))
    found = refusal(lambda: store.list(""))
    assert found.code == "DATASOURCE_010"
    assert f"127.0.0.1:{port}" in found.message


def test_keys_go_to_no_server_that_the_workspace_does_not_name(bucket: Bucket) -> None:
    store = ObjectStore(bucket.store.address, REFERENCE, Boundary(bucket.root, (bucket.url,)))
    before = len(bucket.server.requests())
    found = refusal(lambda: store.list(""))
    assert found.code == "DATASOURCE_011"
    assert f'host: "{bucket.server.host}"' in (found.hint or "")
    assert len(bucket.server.requests()) == before


@pytest.mark.parametrize("text", ["keeper", "keeper:", "a:b:c:d"])
def test_keys_that_are_none_are_said_to_be(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv(VARIABLE, text)
    assert refusal(lambda: bucket.store.list("")).code == "DATASOURCE_009"


def test_the_environment_has_keys_where_no_credential_is_named(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put({"a": "1"})
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "keeper")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    options = {"endpoint": bucket.server.endpoint, "path_style": "true", "region": "us-east-1"}
    store = ObjectStore(store_address(bucket.url, options), None, bucket.boundary)
    assert [each.key for each in store.list("")] == ["a"]


def test_who_reads_files_does_not_wait_for_the_library() -> None:
    modules = "rowbook.cli.app, rowbook.sources.files.source, rowbook.sources.delta.source"
    text = f"import sys, {modules}; sys.exit('obstore' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0
