"""Where a workspace is: the nearest folder upwards that has a rowbook.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.workspace_root import find_workspace
from rowbook.errors import RowbookError


def test_the_nearest_workspace_above_is_found(tmp_path: Path) -> None:
    (tmp_path / "rowbook.yaml").write_text("workspace: {name: a}")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_workspace(inner) == tmp_path
    (tmp_path / "a" / "rowbook.yaml").write_text("workspace: {name: b}")
    assert find_workspace(inner) == tmp_path / "a"


def test_no_workspace_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RowbookError) as caught:
        find_workspace(tmp_path)
    (found,) = caught.value.diagnostics
    assert found.code == "WORKSPACE_001"
    assert found.message == f"no rowbook.yaml in {tmp_path} or above it"


def test_the_folder_itself_comes_before_those_above_it(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder in (tmp_path, inner):
        (folder / "rowbook.yaml").touch()
    assert find_workspace(inner) == inner


def test_a_link_leads_to_the_workspace_it_points_into(tmp_path: Path) -> None:
    (tmp_path / "real" / "projects").mkdir(parents=True)
    (tmp_path / "real" / "rowbook.yaml").touch()
    (tmp_path / "elsewhere").symlink_to(tmp_path / "real" / "projects")
    assert find_workspace(tmp_path / "elsewhere") == tmp_path / "real"


def test_a_folder_that_does_not_exist_is_looked_for_above(tmp_path: Path) -> None:
    (tmp_path / "rowbook.yaml").touch()
    assert find_workspace(tmp_path / "no" / "such") == tmp_path
