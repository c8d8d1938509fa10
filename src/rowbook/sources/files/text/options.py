"""The options that all text formats have: their encoding, and how values are written."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.errors import RowbookError
from rowbook.locations.text_encodings import encoding_named
from rowbook.locations.text_options import FORMAT_OPTIONS, format_fault
from rowbook.sources.files.text.value_forms import ISO, TextForm


def refused(options: Mapping[str, str], option: str, label: str, must: str) -> RowbookError:
    message = f"option '{option}' of {label} is '{options[option]}', but must be {must}"
    return RowbookError.of("DATASOURCE_002", message)


def text_form(options: Mapping[str, str], label: str) -> TextForm:
    """DATASOURCE_002 for values that cannot be."""
    given = {name: options[name] for name in FORMAT_OPTIONS if name in options}
    complete = {"decimal_separator": ISO.decimal_separator, **given}
    for name in given:
        if fault := format_fault(name, complete):
            raise RowbookError.of("DATASOURCE_002", f"option '{name}' of {label} {fault}")
    return ISO.with_options(given)


def text_encoding(options: Mapping[str, str], label: str) -> str:
    """Python's name of it; DATASOURCE_002 for one that cannot be read."""
    encoding = encoding_named(options.get("encoding", "utf-8"))
    if encoding is None:
        raise refused(options, "encoding", label, "UTF-8, UTF-16, UTF-32 or a single-byte encoding")
    return encoding
