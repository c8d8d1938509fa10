"""Files by their format: how their names end, where their header is, how an output is packed and
laid out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rowbook.errors import listing
from rowbook.locations.sheet_ranges import sheet_option_fault
from rowbook.locations.text_encodings import WITH_MARK, encoding_named

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "csv": (".csv",),
    "excel": (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    "json": (".json", ".jsonl", ".ndjson"),
    "orc": (".orc",),
    "parquet": (".parquet",),
}
"""What the names of files end with, by format, the usual first."""

PACKED_ENDINGS: Mapping[str, tuple[str, ...]] = {"csv": (".gz", ".bz2"), "json": (".gz", ".bz2")}
"""What may follow where a file is packed as a whole."""

PACKINGS: Mapping[str, str] = {"gzip": ".gz", "bzip2": ".bz2"}
"""How such a file's name ends, by its compression."""

CODECS: Mapping[str, tuple[str, ...]] = {
    "parquet": ("snappy", "gzip", "zstd", "lz4", "none"),
    "delta": ("snappy", "gzip", "zstd", "lz4", "none"),
    "iceberg": ("snappy", "gzip", "zstd", "lz4", "none"),
    "orc": ("snappy", "zlib", "zstd", "lz4", "none"),
    "csv": ("gzip", "bzip2", "none"),
    "json": ("gzip", "bzip2", "none"),
}

LAYOUT_OPTIONS = ("compression", "files", "file_size", "single_file", "file_name")
"""The options of formats that are plain files."""

_MANY = ("files", "file_size")
_LONGEST = 200
"""Bytes of a file's name: room is left for what stands beside it."""
_LONGEST_SHEET = 31
_NOT_IN_SHEETS = "[]:*?/\\"
_COUNT = re.compile(r"[1-9][0-9]{0,4}")
_SIZE = re.compile(r"([1-9][0-9]{0,6}) ?(kb|mb|gb)", re.IGNORECASE)
_UNITS = {"kb": 2**10, "mb": 2**20, "gb": 2**30}
_SMALLEST = 2**16


def has_ending(name: str, kind: str) -> bool:
    """Whether a file's name ends as those of a format do, packed or not."""
    lower, packed = name.lower(), PACKED_ENDINGS.get(kind, ())
    return any(lower.endswith(ending + p) for ending in ENDINGS[kind] for p in ("", *packed))


def format_of(name: str) -> str | None:
    return next((kind for kind in ENDINGS if has_ending(name, kind)), None)


def file_option_fault(kind: str, name: str, value: str, options: Mapping[str, str]) -> str | None:
    """What is wrong with an option of this module among an output's options, if anything."""
    match name:
        case "compression" if kind in CODECS and value not in CODECS[kind]:
            return f"'{value}' is no compression of {kind}: {listing(CODECS[kind])}"
        case "header_row" if kind != "excel" and not _COUNT.fullmatch(value):
            return "'header_row' must be the number of a line, of at most five digits"
        case "files" if not _COUNT.fullmatch(value):
            return "'files' must be a positive integer of at most five digits"
        case "file_size" if file_size(value) is None:
            return "'file_size' must be a size from 64kb up, such as 128mb"
        case "file_size" if "files" in options:
            return "'files' and 'file_size' exclude each other"
        case "single_file" if value == "true" and not options.keys().isdisjoint(_MANY):
            return "'single_file' excludes 'files' and 'file_size'"
        case "file_name":
            return file_name_fault(kind, value, options)
        case "encoding" if encoding_named(value) is None:
            return "'encoding' must be UTF-8, UTF-16, UTF-32 or one with a byte for each character"
        case "bom" if value == "true":
            encoding = encoding_named(options.get("encoding", "utf-8"))
            if encoding is not None and encoding not in WITH_MARK:
                return "'bom' goes with UTF-8 and UTF-16"
    return sheet_option_fault(name, value, options) if kind == "excel" else None


def one_file(path: str, kind: str, options: Mapping[str, str]) -> tuple[str, str] | None:
    """The folder and the name of the one file that an output is to be; None where it becomes a
    folder of files. Without a name it is that of the path, or the table's with the usual ending."""
    if kind != "excel" and options.get("single_file") != "true":
        return None
    if name := options.get("file_name"):
        return path, name
    folder, _, last = path.rstrip("/").rpartition("/")
    ending = written_ending(kind, options)
    if last.lower().endswith(ending):
        return folder or ".", last
    return path, f"{last}{ending}"


def written_ending(kind: str, options: Mapping[str, str]) -> str:
    packed = options.get("compression", "") if kind in PACKED_ENDINGS else ""
    return f"{ENDINGS[kind][0]}{PACKINGS.get(packed, '')}"


def file_name_fault(kind: str, name: str, options: Mapping[str, str]) -> str | None:
    if kind != "excel" and options.get("single_file") != "true":
        return "'file_name' goes with single_file: true"
    if set(name) & set("/\\:") or not name.isprintable():
        return "'file_name' is a name alone, without '/', '\\' and ':'"
    if name.startswith((".", "_")):
        return f"'{name}' would be hidden: 'file_name' must not begin with '{name[0]}'"
    if not name.lower().endswith(ending := written_ending(kind, options)):
        return f"'file_name' must end with {ending}"
    if len(name.encode()) > _LONGEST:
        return f"'file_name' is longer than {_LONGEST} bytes"
    return None


def sheet_fault(name: str) -> str | None:
    """As Excel has it."""
    if len(name) > _LONGEST_SHEET:
        return f"'sheet' is longer than {_LONGEST_SHEET} characters"
    if set(name) & set(_NOT_IN_SHEETS) or not name.isprintable():
        return f"'sheet' must not hold any of {' '.join(_NOT_IN_SHEETS)}"
    if name.startswith("'") or name.endswith("'"):
        return "'sheet' must not begin or end with an apostrophe"
    if name.lower() == "history":
        return "'sheet' must not be History, which is Excel's own"
    return None


def file_size(text: str) -> int | None:
    found = _SIZE.fullmatch(text)
    size = int(found[1]) * _UNITS[found[2].lower()] if found else 0
    return size if size >= _SMALLEST else None
