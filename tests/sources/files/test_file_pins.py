"""Files as a run found them: kept under a second name, digested, compared."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.contents import Content, Keeping
from rowbook.sources.files import file_pins
from rowbook.sources.files.file_table import FileTable
from tests.sources.tables import csv_file, local, place
from tests.support.refusal import refusal

ONE = "a\n1\n"


@pytest.fixture
def gl(tmp_path: Path) -> FileTable:
    for month in ("2026-01", "2026-02"):
        csv_file(tmp_path, ONE, f"gl/_period={month}/1.csv")
    return place(tmp_path / "gl")


def kept_in(folder: Path) -> Keeping:
    return Keeping(ExitStack(), folder)


def first(table: FileTable) -> Path:
    return local(table.path) / "_period=2026-01" / "1.csv"


def texts(pinned: FileTable) -> list[str]:
    wanted, _ = pinned.files()
    return [local(file.path).read_text() for file in wanted]


def over(path: Path, text: str) -> None:
    """Another file takes its name."""
    other = path.with_name(".other")
    other.write_text(text)
    other.replace(path)


def quietly(path: Path, text: str) -> None:
    """Other bytes of the same length, in place, and nothing in the folder's list tells."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_file_that_is_replaced_is_still_read_as_it_was(gl: FileTable, tmp_path: Path) -> None:
    pinned = gl.pin(kept_in(tmp_path / "inputs"))
    before = registry.fingerprint(pinned)
    over(first(gl), "a\n7\n")
    assert texts(pinned) == [ONE, ONE]
    assert registry.fingerprint(pinned) == before
    assert refusal(pinned.check_pinned).message == (
        "the input changed during the run: data/gl/_period=2026-01/1.csv changed"
    )


def test_kept_files_end_as_the_definitions_name_them(gl: FileTable, tmp_path: Path) -> None:
    pinned = gl.pin(kept_in(tmp_path / "inputs"))
    wanted, _ = pinned.files()
    assert all(str(file.path).endswith(f"/{pinned.name_of(file)}") for file in wanted)
    assert pinned.base.name == "gl"
    assert (tmp_path / "inputs").stat().st_mode & 0o777 == 0o700
    assert [pinned.base / file.relative for file in wanted] == [file.path for file in wanted]


def test_nothing_of_it_is_left_afterwards_but_what_others_keep(
    gl: FileTable, tmp_path: Path
) -> None:
    other = ExitStack()
    with ExitStack() as resources:
        gl.pin(Keeping(resources, tmp_path / "inputs"))
        pinned = gl.pin(Keeping(other, tmp_path / "inputs"))
    assert texts(pinned) == [ONE, ONE]
    other.close()
    assert not (tmp_path / "inputs").exists()


def test_what_is_not_read_is_not_kept(gl: FileTable, tmp_path: Path) -> None:
    pinned = replace(gl, only={"_period": {"2026-02"}}).pin(kept_in(tmp_path / "inputs"))
    wanted, others = pinned.files()
    assert [file.path.is_relative_to(tmp_path / "inputs") for file in wanted] == [True]
    assert [file.path for file in others] == [first(gl)]
    nothing = replace(gl, only={"_period": {"2026-03"}}).pin(kept_in(tmp_path / "inputs"))
    assert (nothing.base, nothing.files()[0]) == (gl.path, [])


@pytest.mark.parametrize("change", [over, quietly])
@pytest.mark.parametrize("kept", [True, False])
def test_same_size_and_time_do_not_hide_other_content(
    gl: FileTable, tmp_path: Path, change: Callable[[Path, str], None], kept: bool
) -> None:
    pinned = gl.pin(kept_in(tmp_path / "inputs") if kept else None)
    registry.fingerprint(pinned)
    change(first(gl), "a\n7\n")
    assert refusal(pinned.check_pinned).code == "RUN_011"


@pytest.mark.parametrize("kept", [True, False])
def test_a_file_that_was_only_touched_or_written_anew_is_the_same(
    gl: FileTable, tmp_path: Path, kept: bool
) -> None:
    pinned = gl.pin(kept_in(tmp_path / "inputs") if kept else None)
    registry.fingerprint(pinned)
    first(gl).touch()
    pinned.check_pinned()
    over(first(gl), ONE)
    pinned.check_pinned()


def test_another_run_that_keeps_the_same_file_does_no_harm(gl: FileTable, tmp_path: Path) -> None:
    pinned = gl.pin(kept_in(tmp_path / "inputs"))
    gl.pin(kept_in(tmp_path / "others"))
    registry.fingerprint(pinned)
    gl.pin(kept_in(tmp_path / "more"))
    pinned.check_pinned()


def test_the_content_is_told_by_its_digest(gl: FileTable) -> None:
    (january, february) = registry.fingerprint(gl)
    digest = "sha256:f05fe5e8a5a3f8c4a28a8d3a4a1b5c2b"
    assert january.digest == february.digest
    assert january.digest is not None
    assert january.digest.startswith("sha256:")
    assert len(january.digest) == len("sha256:") + 64
    assert january.inode == first(gl).stat().st_ino
    assert Content.from_json(january.as_json()) == january
    assert not january.is_same(replace(january, digest=digest))
    assert january.is_same(replace(january, modified_ns=7))
    plain = replace(january, digest=None)
    assert plain.is_same(january)
    assert not replace(plain, modified_ns=7).is_same(january)


def no_links(*_: object) -> None:
    raise OSError(18, "Invalid cross-device link")


def test_where_no_link_can_be_made_small_files_are_copied(
    gl: FileTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", no_links)
    pinned = gl.pin(kept_in(tmp_path / "inputs"))
    registry.fingerprint(pinned)
    pinned.check_pinned()
    quietly(first(gl), "a\n7\n")
    assert texts(pinned) == [ONE, ONE]
    assert refusal(pinned.check_pinned).code == "RUN_011"


def test_where_nothing_can_be_kept_files_are_read_in_their_place(
    gl: FileTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(file_pins, "COPIED", 4)
    pinned = gl.pin(kept_in(tmp_path / "inputs"))
    assert pinned.base == gl.path
    pinned.check_pinned()
    over(first(gl), "a\n7\n")
    assert refusal(pinned.check_pinned).code == "RUN_011"


def test_a_file_that_changes_while_files_are_pinned_is_found(
    gl: FileTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(real: str, kept: Path) -> None:
        over(Path(real), "a\n7\n")
        kept.symlink_to(real)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(RowbookError, match=r"RUN_011.*2026-01/1.csv changed"):
        gl.pin(kept_in(tmp_path / "inputs"))
