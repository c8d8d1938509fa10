"""The cache is the user's own folder, made when it is needed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rowbook.engine.session.cache_folder import cache_folder


def test_it_is_made_below_the_users_cache_for_the_user_alone(tmp_path: Path) -> None:
    folder = cache_folder("jars", {"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert folder == tmp_path / "cache" / "rowbook" / "jars"
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_without_a_cache_of_its_own_it_is_in_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder("jars", {}) == tmp_path / ".cache" / "rowbook" / "jars"
    assert cache_folder("jars", {"XDG_CACHE_HOME": ""}) == tmp_path / ".cache" / "rowbook" / "jars"


def test_what_is_there_stays_there(tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    (cache_folder("jars", environ) / "a.jar").write_bytes(b"jar")
    assert (cache_folder("jars", environ) / "a.jar").read_bytes() == b"jar"


def test_somebody_elses_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    with pytest.raises(PermissionError, match="rowbook/jars belongs to somebody else"):
        cache_folder("jars", {"XDG_CACHE_HOME": str(tmp_path)})


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rowbook").touch()
    with pytest.raises(OSError, match="rowbook"):
        cache_folder("jars", {"XDG_CACHE_HOME": str(tmp_path)})
