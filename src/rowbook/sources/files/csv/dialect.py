"""The options of csv files, read and checked once, for Spark and for Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rowbook.sources.files.text import encodings
from rowbook.sources.files.text.options import refused, text_encoding, text_form
from rowbook.sources.files.text.value_forms import ISO, TextForm

_NAMED = {"\\t": "\t"}
_QUOTE = '"'


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """How a csv file is written. A field without quotes that is empty or equal to `null_text` is
    NULL; `""` is empty text, unless `null_text` is empty. The header stands in line `header_row`;
    what is above it is passed over."""

    delimiter: str = ","
    quote: str = _QUOTE
    escape: str = _QUOTE
    encoding: str = "utf-8"
    header: bool = True
    header_row: int = 1
    null_text: str | None = None
    compression: str | None = None
    form: TextForm = ISO

    @property
    def spark_charset(self) -> str:
        return encodings.spark_charset(self.encoding)

    @property
    def translation(self) -> tuple[str, str] | None:
        if encodings.is_known_to_spark(self.encoding):
            return None
        return encodings.from_latin_1(self.encoding)


def _header_row(options: Mapping[str, str], label: str) -> int:
    row = options.get("header_row", "1")
    if not re.fullmatch("[1-9][0-9]{0,4}", row) or (
        row != "1" and options.get("header") == "false"
    ):
        raise refused(options, "header_row", label, "the number of a header's line")
    return int(row)


def dialect_of(options: Mapping[str, str], label: str) -> CsvDialect:
    """DATASOURCE_002 for values that cannot be."""
    marks: dict[str, str] = {}
    for name in ("delimiter", "quote", "escape"):
        if name in options:
            marks[name] = _NAMED.get(options[name], options[name])
            if len(marks[name]) != 1 or marks[name] in "\r\n" or not marks[name].isascii():
                raise refused(options, name, label, "one character")
    marks.setdefault("escape", marks.get("quote", _QUOTE))
    packed = options.get("compression")
    return CsvDialect(
        **marks,
        encoding=text_encoding(options, label),
        header=options.get("header", "true") == "true",
        header_row=_header_row(options, label),
        null_text=options.get("null_text"),
        compression=None if packed == "none" else packed,
        form=text_form(options, label),
    )
