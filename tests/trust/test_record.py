"""What was agreed to is kept for the user alone, and found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.trust.record import add_trusted, trusted_contents, trusted_file

ONE, OTHER = {"d1": "store.url"}, {"d2": "store.url"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "rowbook" / "trusted.json"


def test_the_file_is_in_the_users_own_configuration(tmp_path: Path) -> None:
    assert trusted_file({"XDG_CONFIG_HOME": "/cfg"}) == Path("/cfg/rowbook/trusted.json")
    usual = Path.home() / ".config" / "rowbook" / "trusted.json"
    assert trusted_file({}) == trusted_file({"XDG_CONFIG_HOME": "here"}) == usual


def test_contents_are_kept_by_workspace_the_newest_last(file: Path, tmp_path: Path) -> None:
    work, other = tmp_path / "work", tmp_path / "other"
    for content in (ONE, OTHER, ONE):
        add_trusted(work, content, file)
    assert trusted_contents(work, file) == (OTHER, ONE)
    assert trusted_contents(other, file) == ()
    add_trusted(other, OTHER, file)
    assert trusted_contents(work, file) == (OTHER, ONE)


def test_nobody_else_reads_it_and_nothing_is_left_beside_it(file: Path, tmp_path: Path) -> None:
    add_trusted(tmp_path, ONE, file)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == ["trusted.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"workspaces": 1}', '{"workspaces": {"/w": 1}}'])
def test_a_file_that_cannot_be_understood_is_no_agreement(
    file: Path, tmp_path: Path, text: str
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert trusted_contents(tmp_path, file) == ()
    add_trusted(tmp_path, ONE, file)
    assert trusted_contents(tmp_path, file) == (ONE,)


def test_the_oldest_of_many_contents_is_forgotten(file: Path, tmp_path: Path) -> None:
    for number in range(25):
        add_trusted(tmp_path, {f"d{number}": "store.url"}, file)
    found = trusted_contents(tmp_path, file)
    assert (len(found), found[0], found[-1]) == (20, {"d5": "store.url"}, {"d24": "store.url"})
