"""Pages go to a file all or nothing, or are refused before anything starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.reports.saving import check_place, save
from tests.support.refusal import refusal


def refused(path: Path) -> str:
    return refusal(lambda: check_place(path, "page"), "USAGE_001").message


def test_a_place_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    assert check_place(tmp_path / "a.html", "page") == (tmp_path / "a.html").resolve()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no" / "a.html"
    assert refused(path) == f"the page cannot go to {path}: there is no such folder"


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"the page cannot go to {tmp_path}: it is a folder"


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    path = tmp_path / "a" / "b.html"
    assert refused(path) == f"the page cannot be written to {path}: Not a directory"


def test_what_is_no_file_is_refused() -> None:
    assert refused(Path(os.devnull)).endswith("it is not a file that can be written")


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / f"{'n' * 300}.html").endswith("File name too long")
    assert "null" in refused(tmp_path / "a\0b.html")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_writable_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert refused(tmp_path / "a.html").endswith("Permission denied")
    finally:
        tmp_path.chmod(0o700)


def test_a_page_replaces_the_one_before_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    save("one \ud800", path, "page")
    save("two", path, "page")
    assert path.read_text(encoding="utf-8") == "two"
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_where_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.html"
    save("one", path, "page")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RowbookError, match=r"the page cannot .* No space left on device"):
        save("two", path, "page")
    assert path.read_text(encoding="utf-8") == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_leads_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real.html").write_text("old", encoding="utf-8")
    (tmp_path / "link.html").symlink_to(tmp_path / "real.html")
    save("new", check_place(tmp_path / "link.html", "page"), "page")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_text(encoding="utf-8") == "new"
