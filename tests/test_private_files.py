"""Rowbook's own files are for who made them, whatever the umask says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook.private_files import is_own, make_private_file, make_private_folder, restrict


def mode(path: Path) -> int:
    return path.lstat().st_mode & 0o777


@pytest.fixture(params=[0o000, 0o022, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_what_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "a" / "b")
    make_private_file(tmp_path / "a" / "b" / "c")
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700
    assert mode(tmp_path / "a" / "b" / "c") == 0o600


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "a").write_text("text")
    (tmp_path / "a").chmod(0o644)
    make_private_folder(tmp_path)
    make_private_file(tmp_path / "a")
    assert (mode(tmp_path), mode(tmp_path / "a")) == (0o755, 0o644)
    assert (tmp_path / "a").read_text() == "text"
    with pytest.raises(FileExistsError):
        make_private_folder(tmp_path / "a")


def test_the_rights_of_others_are_taken_away_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "a").touch(0o444)
    (tmp_path / "b").symlink_to("c")
    (tmp_path / "c").touch()
    (tmp_path / "c").chmod(0o644)
    restrict(tmp_path, tmp_path / "a", tmp_path / "b", tmp_path / "nothing")
    assert (mode(tmp_path), mode(tmp_path / "a"), mode(tmp_path / "c")) == (0o700, 0o400, 0o644)


def test_what_belongs_to_somebody_else_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)
    assert is_own(tmp_path)
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    restrict(tmp_path)
    assert mode(tmp_path) == 0o755
    assert not is_own(tmp_path)
    assert not is_own(tmp_path / "nothing")
