"""Where data is, and which part of its name is a month."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.inference.extracts.data_places import DataPlace, data_places
from rowbook.locations.boundary import Boundary


def _places(root: Path, *names: str) -> tuple[DataPlace, ...]:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return data_places([root / name for name in names], Boundary(root))


def test_a_file_is_named_below_the_workspace(tmp_path: Path) -> None:
    (place,) = _places(tmp_path, "data/inbox/ledger.csv")
    assert (place.root, place.below, place.stem) == ("data/inbox", "ledger.csv", "ledger")
    assert not place.is_monthly


@pytest.mark.parametrize(
    ("name", "root", "below", "stem"),
    [
        ("data/gl_2026-01.csv", "data", "gl_{{YYYY}}-{{MM}}.csv", "gl"),
        ("data/202601_gl.csv.gz", "data", "{{YYYY}}{{MM}}_gl.csv.gz", "gl"),
        ("data/gl/2026/01.csv", "data/gl", "{{YYYY}}/{{MM}}.csv", "gl"),
        ("data/2026-01/gl.csv", "data", "{{YYYY}}-{{MM}}/gl.csv", "gl"),
    ],
)
def test_a_month_in_a_name_varies(
    name: str, root: str, below: str, stem: str, tmp_path: Path
) -> None:
    (place,) = _places(tmp_path, name)
    assert (place.root, place.below, place.stem) == (root, below, stem)


@pytest.mark.parametrize("name", ["gl_2026-01-31.csv", "gl_20260131.csv", "gl_2026.csv"])
def test_days_and_years_are_no_months(name: str, tmp_path: Path) -> None:
    assert not _places(tmp_path, name)[0].is_monthly


def test_files_that_differ_by_their_month_alone_are_one_table(tmp_path: Path) -> None:
    places = _places(tmp_path, "gl_2026-01.csv", "gl_2026-02.csv", "tax_2026-01.csv")
    assert [len(place.files) for place in places] == [2, 1]


def test_what_lies_outside_the_workspace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "x.csv").touch()
    with pytest.raises(RowbookError, match="DATASOURCE_004"):
        data_places([tmp_path / "x.csv"], Boundary(tmp_path / "books"))
    with pytest.raises(RowbookError, match="does not exist"):
        data_places([tmp_path / "books" / "y.csv"], Boundary(tmp_path / "books"))
