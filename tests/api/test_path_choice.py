"""Which workspace paths belong to, and which of its parts are wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.api.path_choice import parts_of, within, workspace_of
from rowbook.errors import Diagnostic, Position, RowbookError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        (tmp_path / name / "projects").mkdir(parents=True)
        (tmp_path / name / "rowbook.yaml").touch()
    return tmp_path / "one"


def test_files_and_folders_belong_to_the_workspace_above_them(root: Path) -> None:
    assert workspace_of([root / "projects", root / "rowbook.yaml"]) == root.resolve()


def test_paths_of_two_workspaces_are_refused(root: Path) -> None:
    with pytest.raises(RowbookError, match="different workspaces"):
        workspace_of([root, root.parent / "two"])


def test_the_folder_of_a_workspace_means_all_of_it(root: Path) -> None:
    assert parts_of([root / "projects", root]) == ()
    assert parts_of([root / "projects"]) == ((root / "projects").resolve(),)


def test_findings_without_a_place_belong_to_every_part(root: Path) -> None:
    here = Diagnostic("EXPR_001", "a", Position("projects/a.yaml", 1, 1))
    there = Diagnostic("EXPR_001", "b", Position("rowbook.yaml", 1, 1))
    nowhere = Diagnostic("EXPR_001", "c")
    found = (here, there, nowhere)
    assert within(found, root.resolve(), parts_of([root / "projects"])) == (here, nowhere)
    assert within(found, root, ()) == found
