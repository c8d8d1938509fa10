"""Files by their format: how their names end, where their header is, how an output is packed and
laid out."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from rowbook.errors import listing
from rowbook.locations.sheet_ranges import sheet_option_fault

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

CODECS: Mapping[str, tuple[str, ...]] = {
    "parquet": ("snappy", "gzip", "zstd", "lz4", "none"),
    "delta": ("snappy", "gzip", "zstd", "lz4", "none"),
    "orc": ("snappy", "zlib", "zstd", "lz4", "none"),
    "csv": ("gzip", "bzip2", "none"),
    "json": ("gzip", "bzip2", "none"),
}

LAYOUT_OPTIONS = ("compression", "files", "file_size")
"""The options of formats that are plain files."""

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


def file_option_fault(kind: str, name: str, value: str, options: Collection[str]) -> str | None:
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
    return sheet_option_fault(name, value, options) if kind == "excel" else None


def file_size(text: str) -> int | None:
    found = _SIZE.fullmatch(text)
    size = int(found[1]) * _UNITS[found[2].lower()] if found else 0
    return size if size >= _SMALLEST else None
