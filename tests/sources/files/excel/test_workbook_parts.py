"""Workbooks unpacked: never more than they say, never more than fits."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from rowbook.sources.files.excel import workbook_parts
from rowbook.sources.files.excel.workbook_parts import UnsoundWorkbookError, WorkbookParts


def packed(path: Path, content: bytes, how: int = ZIP_DEFLATED) -> Path:
    with ZipFile(path, "w", how) as archive:
        archive.writestr("xl/styles.xml", content)
    return path


def test_a_workbook_that_becomes_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_parts, "MOST_UNPACKED", 1 << 20)
    path = packed(tmp_path / "b.xlsx", bytes(3 << 20))
    with pytest.raises(UnsoundWorkbookError, match="has 3 MiB when unpacked, more than 1 MiB"):
        WorkbookParts.of(path)


def test_a_part_that_is_larger_than_it_says_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "b.xlsx", bytes(1000))
    size, less = (1000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, less))
    with pytest.raises(UnsoundWorkbookError, match="larger than said"):
        WorkbookParts.of(path)


def test_parts_packed_in_another_way_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsoundWorkbookError, match="packed in an unknown way"):
        WorkbookParts.of(packed(tmp_path / "b.xlsx", b"x", ZIP_LZMA))


def test_a_workbook_that_ends_too_early_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "b.xlsx", bytes(range(256)) * 100)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(UnsoundWorkbookError, match="is not whole"):
        WorkbookParts.of(path)
