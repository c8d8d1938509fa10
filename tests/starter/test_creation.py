"""A workspace is made whole or not at all, and nothing that is there is touched."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.starter.creation import STAGED, NewWorkspace, init_workspace
from rowbook.starter.template_files import template_files, workspace_name
from tests.support.refusal import refusal
from tests.support.shell import spawn


def content(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def refused(folder: Path) -> str:
    diagnostic = refusal(lambda: init_workspace(folder, "minimal"))
    assert diagnostic.code == "USAGE_001"
    assert diagnostic.hint == (
        "nothing was written; name an empty folder, or one that does not exist yet"
    )
    return diagnostic.message


def test_a_folder_that_does_not_exist_is_made_with_those_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    texts = template_files("minimal", "b")
    assert init_workspace(folder, "minimal") == NewWorkspace(
        folder, "minimal", tuple(texts), resumed=False
    )
    assert content(folder) == texts
    assert [path.name for path in folder.parent.iterdir()] == ["b"]


def test_hidden_files_such_as_those_of_git_may_be_there(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref", encoding="utf-8")
    init_workspace(tmp_path, "minimal")
    texts = template_files("minimal", workspace_name(tmp_path.name))
    assert content(tmp_path) == {**texts, ".git/HEAD": "ref"}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("notes.txt", "is not empty: notes.txt"),
        ("data", "is not empty: data"),
        (".gitignore", "is not empty: .gitignore"),
        (".rowbook", "is not empty: .rowbook"),
        ("rowbook.yaml", "is a workspace already"),
    ],
)
def test_what_is_there_is_not_written_over(entry: str, message: str, tmp_path: Path) -> None:
    (tmp_path / entry).write_text("mine", encoding="utf-8")
    assert refused(tmp_path) == f"{tmp_path} {message}"
    assert content(tmp_path) == {entry: "mine"}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "acme").write_text("mine", encoding="utf-8")
    assert refused(tmp_path / "acme") == f"{tmp_path / 'acme'} is not a folder"
    assert refused(tmp_path / "acme" / "a" / "b") == f"{tmp_path / 'acme'} is not a folder"
    assert content(tmp_path) == {"acme": "mine"}


def test_a_link_in_a_circle_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "a")
    assert refused(tmp_path / "a") == f"{tmp_path / 'a'} is not a folder"


def test_a_link_to_an_empty_folder_is_that_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert init_workspace(tmp_path / "link", "minimal").name == "real"
    assert (tmp_path / "real" / "rowbook.yaml").exists()


def test_a_disk_that_refuses_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_text

    def full(path: Path, *arguments: str, **options: str) -> int:
        if path.name == "sales.yaml":
            raise OSError(28, "No space left on device")
        return write(path, *arguments, **options)

    monkeypatch.setattr(Path, "write_text", full)
    (tmp_path / "there").mkdir()
    for folder in (tmp_path / "there", tmp_path / "new"):
        message = f"no workspace can be made in {folder}: No space left on device"
        assert refused(folder) == message
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]


def write_points(folder: Path, count_file: Path) -> list[str]:
    folder.mkdir()
    ended = spawn(
        *("init", "--template", "minimal"),
        folder=folder,
        environment={"ROWBOOK_COUNT_WRITES": str(count_file)},
    )
    assert ended.code == 0, ended.err
    return count_file.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_killed_anywhere_in_a_folder_that_is_there_it_is_finished_by_the_next_init(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    points = write_points(tmp_path / "whole", tmp_path / "points")
    assert points[-1] == "init: rowbook.yaml in place"
    pace = 1 if pytestconfig.getoption("--campaign") else 4
    for number in range(1, len(points), pace):
        folder = tmp_path / f"killed-{number}"
        folder.mkdir()
        killed = spawn(
            *("init", "--template", "minimal"),
            folder=folder,
            environment={"ROWBOOK_KILL_AT_WRITE": str(number)},
        )
        assert killed.code == -signal.SIGKILL
        assert not (folder / "rowbook.yaml").exists()
        again = spawn("init", "--template", "minimal", folder=folder)
        assert again.code == 0, again.err
        assert again.out.startswith("made " if number == 1 else "finished what an earlier init")
        left = {path for path in content(folder) if path.startswith(f"{STAGED}-")}
        made = {path: text for path, text in content(folder).items() if path not in left}
        assert made == template_files("minimal", folder.name)
        assert not (folder / STAGED).exists()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "made"), [("1", False), ("2", True)])
def test_killed_on_the_way_to_a_new_folder_it_is_there_whole_or_not(
    number: str, made: bool, tmp_path: Path
) -> None:
    killed = spawn(
        *("init", "acme", "--template", "minimal"),
        folder=tmp_path,
        environment={"ROWBOOK_KILL_AT_WRITE": number},
    )
    assert killed.code == -signal.SIGKILL
    assert (tmp_path / "acme").exists() == made
    if made:
        assert content(tmp_path / "acme") == template_files("minimal", "acme")


def test_a_file_that_came_meanwhile_is_kept(tmp_path: Path) -> None:
    init_workspace(tmp_path / "acme", "minimal")
    folder = tmp_path / "there"
    folder.mkdir()
    (tmp_path / "acme").rename(folder / STAGED)
    (folder / "rowbook.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(RowbookError, match="came into being while a workspace was made there"):
        init_workspace(folder, "minimal")
    assert (folder / "rowbook.yaml").read_text(encoding="utf-8") == "mine"
    (folder / "rowbook.yaml").unlink()
    resumed = init_workspace(folder, "close")
    assert (resumed.template, resumed.resumed, resumed.files) == (
        "minimal",
        True,
        ("rowbook.yaml",),
    )
    assert content(folder) == template_files("minimal", "acme")
