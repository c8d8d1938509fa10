"""The options that all text formats have: their encoding, and how values are written."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.errors import RowbookError
from rowbook.expressions.literals import is_date_format
from rowbook.locations.text_encodings import encoding_named
from rowbook.sources.files.text.value_forms import TextForm, layout_of


def refused(options: Mapping[str, str], option: str, label: str, must: str) -> RowbookError:
    message = f"option '{option}' of {label} is '{options[option]}', but must be {must}"
    return RowbookError.of("DATASOURCE_002", message)


def text_form(options: Mapping[str, str], label: str) -> TextForm:
    """DATASOURCE_002 for formats that are none."""
    form = TextForm(
        options.get("decimal_separator", "."),
        options.get("date_format"),
        options.get("timestamp_format"),
    )
    if form.decimal_separator not in (".", ","):
        raise refused(options, "decimal_separator", label, "'.' or ','")
    if form.date_format is not None and not is_date_format(form.date_format):
        raise refused(options, "date_format", label, "made of yyyy, MM, dd and punctuation")
    if form.timestamp_format and not layout_of(form.timestamp_format, with_time=True):
        must = "made of yyyy, MM, dd, HH, mm, ss, S, XXX and punctuation"
        raise refused(options, "timestamp_format", label, must)
    return form


def text_encoding(options: Mapping[str, str], label: str) -> str:
    """Python's name of it; DATASOURCE_002 for one that cannot be read."""
    encoding = encoding_named(options.get("encoding", "utf-8"))
    if encoding is None:
        raise refused(options, "encoding", label, "UTF-8, UTF-16, UTF-32 or a single-byte encoding")
    return encoding
