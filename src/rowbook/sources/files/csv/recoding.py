"""Csv files in other encodings than Spark writes: what it wrote in UTF-8, written anew."""

from __future__ import annotations

import shutil
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.locations.file_options import PACKINGS
from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.header import column_names, read_head
from rowbook.sources.files.csv.records import records
from rowbook.sources.files.text.arrangement import text_to
from rowbook.sources.files.text.encodings import open_text
from rowbook.sources.source_errors import output_error

_CHUNK = 1 << 20


def recode(path: Path, staged: CsvDialect, encoding: str, packing: str | None, label: str) -> None:
    """A file that is in UTF-8. OUTPUT_006 for a character that the encoding does not have: it
    would become another one, or a question mark."""
    ending = PACKINGS.get(packing or "", "")
    hidden = path.with_name(f".{path.name}{ending}")
    try:
        with open_text(path, staged.encoding) as text, text_to(hidden, encoding, packing) as copy:
            shutil.copyfileobj(text, copy, _CHUNK)
    except UnicodeEncodeError as cause:
        raise _foreign_character(path, staged, encoding, label) from cause
    path.unlink()
    hidden.rename(path.with_name(f"{path.name}{ending}"))


def _foreign_character(path: Path, staged: CsvDialect, encoding: str, label: str) -> RowbookError:
    names = column_names(read_head(path, staged, label), staged)
    where = next(
        (name, value, foreign)
        for record in records(path, staged)
        for name, value in zip(names, record.fields, strict=True)
        if value is not None and (foreign := _first_foreign(value, encoding))
    )
    name, value, foreign = where
    shown = value if len(value) <= 40 else f"{value[:40]}…"
    why = f"column '{name}' holds '{shown}', and {encoding} has no character '{foreign}'"
    return output_error(f"{label}:", why, "leave encoding out for UTF-8, which has them all")


def _first_foreign(value: str, encoding: str) -> str | None:
    try:
        value.encode(encoding)
    except UnicodeEncodeError as error:
        return value[error.start]
    return None
