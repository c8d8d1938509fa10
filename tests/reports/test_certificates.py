"""Where certificates go."""

from __future__ import annotations

from pathlib import Path

from rowbook.reports.certificates import check_places
from tests.support.refusal import refusal


def refused(path: Path) -> str:
    return refusal(lambda: check_places(path), "USAGE_001").message


def test_a_certificate_and_its_json_stand_side_by_side(tmp_path: Path) -> None:
    assert check_places(tmp_path / "close.html") == (tmp_path / "close.html").resolve()
    assert list(tmp_path.iterdir()) == []


def test_the_page_cannot_have_the_name_of_its_json(tmp_path: Path) -> None:
    path = tmp_path / "close.json"
    assert refused(path) == f"the certificate cannot go to {path}: that is where its JSON goes"


def test_what_stands_where_the_json_goes_is_found_before_anything_is_computed(
    tmp_path: Path,
) -> None:
    (tmp_path / "close.json").mkdir()
    assert refused(tmp_path / "close.html") == (
        f"the certificate's JSON cannot go to {tmp_path / 'close.json'}: it is a folder"
    )


def test_a_folder_is_no_place_for_a_certificate(tmp_path: Path) -> None:
    (tmp_path / "close.html").mkdir()
    path = tmp_path / "close.html"
    assert refused(path) == f"the certificate cannot go to {path}: it is a folder"
