from __future__ import annotations

import hashlib
from contextlib import ExitStack
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Keeping
from rowbook.sources.files import object_pins
from rowbook.sources.files.file_table import FileTable
from tests.sources.stores.buckets import Bucket

TEXT = "account,amount\n4000,1.00\n"


@pytest.fixture
def gl(bucket: Bucket) -> FileTable:
    bucket.put({"gl/a.csv": TEXT, "gl/b.csv": "account,amount\n5000,2.00\n"})
    return FileTable("csv", bucket.path("gl"), label=f"{bucket.url}/gl")


def accounts(table: FileTable) -> list[str]:
    return [str(row["account"]) for each in registry.read_plain([table]) for row in each.rows]


def test_small_objects_are_read_as_they_were_whatever_happens_to_them(
    gl: FileTable, bucket: Bucket, tmp_path: Path
) -> None:
    with ExitStack() as resources:
        pinned = gl.pin(Keeping(resources, tmp_path / "inputs"))
        before = len(bucket.server.requests())
        bucket.put({"gl/a.csv": "account,amount\n9999,9.00\n"})
        bucket.store.delete("gl/b.csv")
        asked = len(bucket.server.requests())
        assert accounts(pinned) == ["4000", "5000"]
        assert len(bucket.server.requests()) == asked > before
    assert not list((tmp_path / "inputs").glob("*"))


def test_what_is_read_in_the_store_is_what_was_listed_or_the_run_fails(
    gl: FileTable, bucket: Bucket
) -> None:
    pinned = gl.pin()
    bucket.put({"gl/a.csv": "account,amount\n9999,9.00\n"})
    with pytest.raises(RowbookError, match=rf"RUN_011.*{bucket.url}/gl/a\.csv changed"):
        accounts(pinned)


def test_large_tables_are_not_copied(
    gl: FileTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_pins, "COPIED", 10)
    with ExitStack() as resources:
        pinned = gl.pin(Keeping(resources, tmp_path / "inputs"))
        assert registry.extras(pinned) == {"s3"}
        assert accounts(pinned) == ["4000", "5000"]
        assert [each.digest for each in registry.fingerprint(pinned)] == [None, None]


def test_a_copied_table_needs_no_jars(gl: FileTable, tmp_path: Path) -> None:
    with ExitStack() as resources:
        pinned = gl.pin(Keeping(resources, tmp_path / "inputs"))
        assert registry.extras(pinned) == frozenset()


def test_contents_are_told_by_size_and_etag_and_never_by_time(gl: FileTable) -> None:
    first, _ = registry.contents(gl.pin())
    assert (first.name, first.size) == (f"{gl.label}/a.csv", len(TEXT))
    assert first.etag == f'"{hashlib.md5(TEXT.encode()).hexdigest()}"'
    assert first.modified_ns is None


@pytest.mark.parametrize(
    ("happens", "says"),
    [
        ({"gl/c.csv": "account,amount\n"}, "gl/c.csv is new"),
        ({"gl/a.csv": TEXT + "6000,3.00\n"}, "gl/a.csv changed"),
    ],
)
def test_what_came_or_changed_is_said_before_anything_is_published(
    gl: FileTable, bucket: Bucket, happens: dict[str, str | bytes], says: str
) -> None:
    pinned = gl.pin()
    registry.check(pinned)
    bucket.put(happens)
    with pytest.raises(RowbookError, match=f"RUN_011.*{says}"):
        registry.check(pinned)


def test_the_same_bytes_put_again_are_no_change(gl: FileTable, bucket: Bucket) -> None:
    pinned = gl.pin()
    bucket.put({"gl/a.csv": TEXT})
    registry.check(pinned)


def test_evidence_is_kept_of_small_objects(gl: FileTable, bucket: Bucket, tmp_path: Path) -> None:
    pinned, folder = gl.pin(), ContentFolder(tmp_path / "evidence", tmp_path / "workshop")
    found = registry.keep_contents(pinned, registry.fingerprint(pinned), folder)
    digest = f"sha256:{hashlib.sha256(TEXT.encode()).hexdigest()}"
    assert found[0].digest == digest
    kept = folder.find(digest)
    assert kept is not None
    assert kept.read_text(encoding="utf-8") == TEXT
