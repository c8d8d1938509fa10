"""Nothing goes but what Rowbook made: by its name, in its place, without following a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.locations.removal import (
    NotOursError,
    is_run_id,
    remove_inside,
    remove_replaced,
    remove_shared_sandbox,
    sandbox_folder,
)

RUN = "01a2b3c4-0000-7000-8000-000000000001"


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "part.csv").write_text("a", encoding="utf-8")
    return path


def reason(path: Path, inside: Path) -> str:
    with pytest.raises(NotOursError) as refused:
        remove_inside(path, inside)
    return refused.value.reason


@pytest.mark.parametrize(
    "name",
    [
        f".gl.staging-{RUN}",
        f".gl.staging-{RUN}.0123abcd",
        f".gl.staging-{RUN}.0123abcd-rewritten",
        f".gl.old-{RUN}",
        f".gl.old-{RUN}-taken",
        f".gl.journal-{RUN}",
        f".gl.v2 [x].staging-{RUN}",
    ],
)
def test_what_stands_beside_a_table_is_removed(tmp_path: Path, name: str) -> None:
    path = folder(tmp_path / name)
    remove_inside(path, tmp_path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("a file")
    remove_inside(path, tmp_path)
    assert list(tmp_path.iterdir()) == []
    remove_inside(path, tmp_path)


def test_the_sandbox_of_a_run_is_removed(tmp_path: Path) -> None:
    path = folder(sandbox_folder(tmp_path, RUN))
    remove_inside(path, tmp_path / ".rowbook")
    assert list((tmp_path / ".rowbook" / "sandbox").iterdir()) == []
    remove_inside(path, tmp_path / ".rowbook")


def test_a_folder_that_is_gone_holds_nothing_to_remove(tmp_path: Path) -> None:
    remove_inside(tmp_path / "gone" / f".gl.old-{RUN}", tmp_path / "gone")


@pytest.mark.parametrize(
    "name", ["gl", ".git", ".gl.staging", f"gl.staging-{RUN}", f".gl.backup-{RUN}", f".gl-{RUN}"]
)
def test_other_names_are_not_rowbooks(tmp_path: Path, name: str) -> None:
    path = folder(tmp_path / name)
    assert reason(path, tmp_path) == "it has no name that Rowbook gives"
    assert (path / "part.csv").exists()


@pytest.mark.parametrize("place", ["store.db", "sandbox", "sandbox/d1", f"other/{RUN}", "."])
def test_of_a_workspaces_state_only_sandboxes_go(tmp_path: Path, place: str) -> None:
    state = folder(tmp_path / ".rowbook")
    assert reason(state / place, state) == "it has no name that Rowbook gives"
    assert (state / "part.csv").exists()


@pytest.mark.parametrize("place", [f"../.gl.old-{RUN}", f"below/../../.gl.old-{RUN}"])
def test_what_is_not_inside_stays(tmp_path: Path, place: str) -> None:
    inside, path = folder(tmp_path / "lake"), folder(tmp_path / f".gl.old-{RUN}")
    assert reason(inside / place, inside) == f"it is not inside {inside}"
    assert reason(path, inside) == f"it is not inside {inside}"
    assert (path / "part.csv").exists()


def test_a_link_stays_and_so_does_what_it_leads_to(tmp_path: Path) -> None:
    victim = folder(tmp_path / "home")
    link = tmp_path / f".gl.staging-{RUN}"
    link.symlink_to(victim)
    assert reason(link, tmp_path) == "it is a link"
    assert link.is_symlink()
    assert (victim / "part.csv").exists()


def test_no_link_is_followed_on_the_way(tmp_path: Path) -> None:
    victim = folder(tmp_path / "home" / RUN)
    (tmp_path / "lake").symlink_to(victim)
    staged = folder(victim / f".gl.staging-{RUN}")
    why = "a link or a file is in the place of a folder"
    assert reason(tmp_path / "lake" / staged.name, tmp_path / "lake") == why
    (tmp_path / ".rowbook").mkdir()
    (tmp_path / ".rowbook" / "sandbox").symlink_to(victim.parent)
    assert reason(sandbox_folder(tmp_path, RUN), tmp_path / ".rowbook") == why
    assert (staged / "part.csv").exists()


def test_links_inside_go_and_what_they_lead_to_stays(tmp_path: Path) -> None:
    victim, staged = folder(tmp_path / "home"), folder(tmp_path / f".gl.staging-{RUN}")
    (staged / "linked").symlink_to(victim)
    remove_inside(staged, tmp_path)
    assert not staged.exists()
    assert (victim / "part.csv").exists()


def test_the_one_file_that_was_a_table_is_removed(tmp_path: Path) -> None:
    file = tmp_path / "gl.csv"
    file.write_text("a")
    remove_replaced(file, tmp_path / "gl")
    remove_replaced(file, tmp_path / "gl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["other.csv", "gl.txt", "gl", "lake/gl.csv", "../gl.csv"])
def test_another_file_is_not_what_a_table_was(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotOursError, match="it is not the file of gl"):
        remove_replaced(tmp_path / name, tmp_path / "gl")


def test_a_folder_in_the_place_of_the_one_file_stays(tmp_path: Path) -> None:
    remove_replaced(folder(tmp_path / "gl.csv"), tmp_path / "gl")
    assert (tmp_path / "gl.csv" / "part.csv").exists()


@pytest.mark.parametrize(
    "text", ["", ".", "..", "d1", "../x", f"{RUN}/..", f"{{{RUN}}}", RUN.upper(), f"{RUN}\n"]
)
def test_an_id_is_a_uuid_as_it_is_written(text: str) -> None:
    assert is_run_id(RUN)
    assert not is_run_id(text)


def test_the_sandbox_of_a_run_in_a_shared_folder_is_removed(tmp_path: Path) -> None:
    path = folder(sandbox_folder(tmp_path, RUN, "drafts"))
    assert path == tmp_path / "drafts" / RUN
    remove_shared_sandbox(path, tmp_path / "drafts")
    assert list((tmp_path / "drafts").iterdir()) == []


@pytest.mark.parametrize("name", ["gl", f"{RUN}/gl", "..", "."])
def test_of_a_shared_folder_only_sandboxes_go(tmp_path: Path, name: str) -> None:
    kept = folder(tmp_path / "drafts" / "gl")
    with pytest.raises(NotOursError):
        remove_shared_sandbox(tmp_path / "drafts" / name, tmp_path / "drafts")
    assert kept.is_dir()
