"""The options of csv files, read and checked once, for Spark and for Python."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass

from rowbook.errors import RowbookError
from rowbook.expressions.literals import is_date_format
from rowbook.sources.text_forms import ISO, TextForm, layout_of

LOST = "\ufffd"
"""What stands for bytes that are no text in a file's encoding."""

_SPARK_CHARSETS = {
    "utf-8": "UTF-8",
    "ascii": "US-ASCII",
    "iso8859-1": "ISO-8859-1",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "utf-32": "UTF-32",
}
_WIDE = frozenset({"utf-16", "utf-16-le", "utf-16-be", "utf-32"})
_NAMED = {"\\t": "\t"}
_QUOTE = '"'


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """How a csv file is written. A field without quotes that is empty or equal to `null_text` is
    NULL; `""` is empty text, unless `null_text` is empty."""

    delimiter: str = ","
    quote: str = _QUOTE
    escape: str = _QUOTE
    encoding: str = "utf-8"
    header: bool = True
    null_text: str | None = None
    compression: str | None = None
    form: TextForm = ISO

    @property
    def spark_charset(self) -> str:
        """The charset that Spark reads with; other single-byte ones are translated from Latin-1."""
        return _SPARK_CHARSETS.get(self.encoding, "ISO-8859-1")

    @property
    def is_ascii_based(self) -> bool:
        """Whether delimiters, quotes and line ends are single bytes that mean nothing else."""
        return self.encoding not in _WIDE

    @property
    def translation(self) -> tuple[str, str] | None:
        """Latin-1's characters, and those which the same bytes stand for in the encoding."""
        if self.encoding in _SPARK_CHARSETS:
            return None
        changed = [(chr(n), _character(n, self.encoding)) for n in range(128, 256)]
        pairs = [(was, now) for was, now in changed if was != now]
        return "".join(p[0] for p in pairs), "".join(p[1] for p in pairs)


def dialect_of(options: Mapping[str, str], shown: str) -> CsvDialect:
    """The dialect that a data source's options make; DATASOURCE_002 for values that cannot be."""

    def refuse(option: str, must: str) -> RowbookError:
        message = f"option '{option}' of {shown} is '{options[option]}', but must be {must}"
        return RowbookError.of("DATASOURCE_002", message)

    marks: dict[str, str] = {}
    for name in ("delimiter", "quote", "escape"):
        if name in options:
            marks[name] = _NAMED.get(options[name], options[name])
            if len(marks[name]) != 1 or marks[name] in "\r\n" or not marks[name].isascii():
                raise refuse(name, "one character")
    marks.setdefault("escape", marks.get("quote", _QUOTE))
    form = TextForm(
        options.get("decimal_separator", "."),
        options.get("date_format"),
        options.get("timestamp_format"),
    )
    if form.decimal_separator not in (".", ","):
        raise refuse("decimal_separator", "'.' or ','")
    if form.date_format is not None and not is_date_format(form.date_format):
        raise refuse("date_format", "made of yyyy, MM, dd and punctuation")
    if form.timestamp_format and not layout_of(form.timestamp_format, with_time=True):
        raise refuse("timestamp_format", "made of yyyy, MM, dd, HH, mm, ss, S, XXX and punctuation")
    encoding = _encoding(options.get("encoding", "utf-8"))
    if encoding is None:
        raise refuse("encoding", "UTF-8, UTF-16, UTF-32 or a single-byte encoding")
    return CsvDialect(
        **marks,
        encoding=encoding,
        header=options.get("header", "true") == "true",
        null_text=options.get("null_text"),
        compression=options.get("compression"),
        form=form,
    )


def _encoding(name: str) -> str | None:
    """Python's own name of an encoding that can be read: one that Spark knows, or one byte for each
    character and ASCII below."""
    try:
        found = codecs.lookup(name).name.removesuffix("-sig")
        if found in _SPARK_CHARSETS:
            return found
        ascii_, above = bytes(range(128)), bytes(range(128, 256))
        single = len(above.decode(found, "replace")) == len(above)
        return found if single and ascii_.decode(found) == ascii_.decode() else None
    except (LookupError, ValueError):
        return None


def _character(byte: int, encoding: str) -> str:
    return bytes([byte]).decode(encoding, "replace")
