"""Tables of files: which files they read, and that a pinned one reads those or none."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.files import file_table
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.source import TableLayout
from tests.sources.tables import csv_file, local, place
from tests.support.refusal import refusal

LONG_AGO = 1_000_000_000


@pytest.fixture
def gl(tmp_path: Path) -> FileTable:
    """Two months, in folders that nobody changed for years."""
    for month in ("2026-01", "2026-02"):
        csv_file(tmp_path, "a\n1\n", f"gl/_period={month}/1.csv")
    for path in (*(tmp_path / "gl").rglob("*"), tmp_path / "gl"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return place(tmp_path / "gl")


def add(folder: Path) -> None:
    csv_file(folder, "a\n2\n", "_period=2026-01/2.csv")


def change(folder: Path) -> None:
    csv_file(folder, "a\n7\n", "_period=2026-01/1.csv")


def remove(folder: Path) -> None:
    (folder / "_period=2026-01" / "1.csv").unlink()


@pytest.mark.parametrize(
    ("happens", "says"),
    [
        (add, "data/gl/_period=2026-01/2.csv is new"),
        (change, "data/gl/_period=2026-01/1.csv changed"),
        (remove, "data/gl/_period=2026-01/1.csv is gone"),
    ],
)
def test_what_happens_to_files_after_pinning_is_told(
    gl: FileTable, happens: Callable[[Path], None], says: str
) -> None:
    pinned = gl.pin()
    pinned.check_pinned()
    happens(local(gl.path))
    with pytest.raises(RowbookError) as refused:
        pinned.check_pinned()
    (found,) = refused.value.diagnostics
    assert (found.code, found.message) == (
        "RUN_011",
        f"the input changed during the run: {says}",
    )


@pytest.mark.parametrize("happens", [add, change, remove])
def test_what_happens_in_folders_that_are_not_read_does_not_matter(
    gl: FileTable, happens: Callable[[Path], None]
) -> None:
    pinned = replace(gl, only={"_period": {"2026-02"}}).pin()
    happens(local(gl.path))
    pinned.check_pinned()


def test_files_that_do_not_count_may_come(gl: FileTable) -> None:
    pinned = gl.pin()
    csv_file(local(gl.path), "x", "_period=2026-01/.1.csv.crc")
    csv_file(local(gl.path), "x", "readme.txt")
    pinned.check_pinned()


def test_a_pinned_table_is_listed_once(gl: FileTable, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = gl.pin()

    def listed_again(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(file_table, "list_table", listed_again)
    pinned.check_pinned()
    assert [each.size for each in registry.contents(pinned)] == [4, 4]
    assert registry.columns(pinned) == ("a", "_period")
    assert registry.layout(pinned) == TableLayout(False, frozenset({"_period"}), 2)


def test_a_table_that_is_one_file_is_pinned_too(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a\n1\n")
    pinned = place(path).pin()
    pinned.check_pinned()
    path.unlink()
    with pytest.raises(RowbookError, match=r"gl\.csv is gone"):
        pinned.check_pinned()


def test_nothing_cannot_be_pinned(tmp_path: Path) -> None:
    with pytest.raises(RowbookError) as refused:
        place(tmp_path / "gl").pin()
    assert refused.value.diagnostics[0].code == "DATASOURCE_006"


def test_csv_files_without_header_are_read_by_position(gl: FileTable) -> None:
    assert registry.layout(replace(gl, options={"header": "false"})).by_position


def test_a_target_is_where_its_folder_or_its_one_file_is(tmp_path: Path) -> None:
    single = tmp_path / "gl.csv"
    target = FileTarget("csv", tmp_path / "gl", {}, "gl", single)
    assert (target.current, single.exists()) == (None, False)
    assert registry.existing(target) == registry.table_of(target)
    csv_file(tmp_path, "a\n")
    assert target.current == single
    assert registry.existing(target) == FileTable("csv", single, {}, label="gl")
    csv_file(tmp_path, "a\n", "gl/1.csv")
    assert target.current == tmp_path / "gl"


@pytest.mark.parametrize(
    ("path", "overlaps"),
    [("gl", True), ("gl/_period=2026-01", True), (".", True), ("gl.csv", True), ("glx", False)],
)
def test_writing_a_target_takes_away_what_is_read_below_or_above_it(
    tmp_path: Path, path: str, overlaps: bool
) -> None:
    target = FileTarget("csv", tmp_path / "gl", {}, "gl", tmp_path / "gl.csv")
    assert registry.overlaps(target, FileTable("parquet", tmp_path / path)) is overlaps


def test_a_file_that_spark_cannot_open_is_refused_before_it_starts(gl: FileTable) -> None:
    csv_file(local(gl.path), "a\n2\n", "_period=2026-01/12:30.csv")
    found = refusal(lambda: registry.contents(gl), "DATASOURCE_007")
    told = "data/gl/_period=2026-01/12:30.csv: Spark cannot read a file with a colon in its name"
    assert (found.message, found.hint) == (told, "rename the file")
    assert len(registry.contents(replace(gl, only={"_period": {"2026-02"}}))) == 1
