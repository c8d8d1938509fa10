"""Workbooks made for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import xlsxwriter

from rowbook.sources.files.file_table import FileTable

FORMATS = {date: "yyyy-mm-dd", datetime: "yyyy-mm-dd hh:mm:ss", time: "hh:mm"}
_MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
)


class Error(str):
    """A formula whose stored value is an error."""


def write_book(path: Path, *sheets: tuple[str, Sequence[Any]], merged: str = "") -> Path:
    """Sheets with rows from A1 on; None is an empty cell. `merged` are cells of the first sheet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with xlsxwriter.Workbook(path) as book:
        formats = {kind: book.add_format({"num_format": text}) for kind, text in FORMATS.items()}
        for name, rows in sheets:
            sheet = book.add_worksheet(name)
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    if isinstance(cell, Error):
                        sheet.write_formula(i, j, "=1/0", None, str(cell))
                    elif type(cell) in FORMATS:
                        sheet.write_datetime(i, j, cell, formats[type(cell)])
                    elif cell is not None:
                        sheet.write(i, j, cell)
        if merged:
            book.worksheets()[0].merge_range(merged, "merged")
    return path


def table_at(path: Path, **options: str) -> FileTable:
    return FileTable("excel", path, options, label=path.name)


def write_ods(path: Path, rows: str) -> Path:
    """A sheet `Sheet1` of rows as XML."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content{spaces} xmlns:calcext="urn:org:documentfou'
        'ndation:names:experimental:calc:xmlns:calcext:1.0"><office:body><office:spreadsheet>'
        f'<table:table table:name="Sheet1">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
        archive.writestr("content.xml", content)
    return path


def ods_cell(text: str) -> str:
    return (
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
    )
