"""Contents kept as evidence: whole or not at all, each once."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from rowbook.sources.content_folder import ContentFolder, file_digest

TEXT = "account,rate\n4000,2\n"


@pytest.fixture
def folder(tmp_path: Path) -> ContentFolder:
    return ContentFolder(tmp_path / "evidence", tmp_path / "inputs")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rates.csv"
    path.write_text(TEXT)
    return path


def test_a_content_is_found_by_its_digest(folder: ContentFolder, file: Path) -> None:
    digest = file_digest(file)
    folder.keep(file, digest)
    file.write_text("something else")
    kept = folder.find(digest)
    assert kept is not None
    assert (kept.name, kept.read_text()) == (digest.removeprefix("sha256:"), TEXT)
    assert folder.find("sha256:../../etc/passwd") is None
    assert folder.find(None) is None


def test_a_file_that_is_not_what_was_digested_any_more_is_not_kept(
    folder: ContentFolder, file: Path
) -> None:
    digest = file_digest(file)
    file.write_text("changed meanwhile")
    folder.keep(file, digest)
    assert folder.find(digest) is None
    assert not list(folder.workshop.iterdir())


def test_what_cannot_be_kept_leaves_nothing(
    folder: ContentFolder, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        folder.keep(file, file_digest(file))
    assert not folder.path.exists()
    assert not list(folder.workshop.iterdir())


def test_two_runs_may_keep_the_same_content_at_once(folder: ContentFolder, file: Path) -> None:
    digest = file_digest(file)
    threads = [threading.Thread(target=folder.keep, args=(file, digest)) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [path.read_text() for path in folder.path.iterdir()] == [TEXT]


def test_a_link_in_the_place_of_a_content_is_not_followed(
    folder: ContentFolder, file: Path
) -> None:
    digest = file_digest(file)
    folder.path.mkdir()
    (folder.path / digest.removeprefix("sha256:")).symlink_to(file)
    assert folder.find(digest) is None


def test_files_are_taken_up_to_a_size(folder: ContentFolder) -> None:
    assert (folder.takes(16 << 20), folder.takes((16 << 20) + 1)) == (True, False)
    assert ContentFolder(folder.path, folder.workshop, None).takes(1 << 40)
