"""Which places data may be in: the workspace, and what it allows beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.locations.boundary import Boundary


@pytest.fixture
def boundary(tmp_path: Path) -> Boundary:
    (tmp_path / "work" / "data").mkdir(parents=True)
    (tmp_path / "shared").mkdir()
    return Boundary(tmp_path / "work", ("../shared", "s3://lake/close"))


@pytest.mark.parametrize(
    ("path", "below", "inside"),
    [
        ("data/gl.csv", ".", True),
        ("../work/data", ".", True),
        ("../other", ".", False),
        ("../../shared/x", "data", True),
        ("../shared_too", ".", False),
        ("/etc/passwd", ".", False),
        ("a\0b", ".", False),
        ("s3://lake/close/gl", ".", True),
        ("s3://lake/closed", ".", False),
        ("s3://lake/close/../secret", ".", False),
        ("s3://lake/close/%2e%2e/secret", ".", False),
        ("gl", "s3://lake/close/", True),
        ("gl", "s3://lake", False),
        ("file:///etc/passwd", ".", False),
    ],
)
def test_a_path_stays_inside(boundary: Boundary, path: str, below: str, inside: bool) -> None:
    assert boundary.contains(path, below) is inside


def test_a_link_that_leads_out_is_outside(boundary: Boundary, tmp_path: Path) -> None:
    (tmp_path / "work" / "out").symlink_to(tmp_path)
    assert not boundary.contains("out/anything")


@pytest.mark.parametrize(
    ("path", "below", "whole"),
    [
        (".", ".", True),
        ("", "data", True),
        (" . ", ".", True),
        ("data", ".", False),
        ("..", "data", True),
        ("../shared", ".", True),
        ("s3://lake/close/", ".", True),
        ("s3://lake/close/gl", ".", False),
        ("a\0b", ".", False),
    ],
)
def test_a_whole_place_is_no_part_of_one(
    boundary: Boundary, path: str, below: str, whole: bool
) -> None:
    assert boundary.is_whole(path, below) is whole


@pytest.mark.parametrize(
    ("path", "below", "state"),
    [
        (".rowbook", ".", True),
        (".rowbook/sandbox/x", ".", True),
        ("out/../.rowbook/store.db", ".", True),
        ("store.db", ".rowbook", True),
        ("link/store.db", ".", True),
        (".rowbook-schema", ".", False),
        ("data/.rowbook", ".", False),
        ("s3://lake/.rowbook", ".", False),
        ("a\0b", ".", False),
    ],
)
def test_what_rowbook_keeps_is_known_behind_links(
    boundary: Boundary, tmp_path: Path, path: str, below: str, state: bool
) -> None:
    (tmp_path / "work" / ".rowbook").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "work" / ".rowbook")
    assert boundary.is_state(path, below) is state
