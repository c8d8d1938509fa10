"""Text in files: the encodings that can be read, for Spark and for Python, packed or not."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable, Mapping
from io import TextIOWrapper
from typing import IO, BinaryIO, cast

from rowbook.locations.text_encodings import SPARK_CHARSETS
from rowbook.sources.stores.object_path import DataPath, openable

LOST = "\ufffd"
"""What stands for bytes that are no text in a file's encoding."""

PACKED: Mapping[str, Callable[..., object]] = {".gz": gzip.open, ".bz2": bz2.open}

_WIDE = frozenset({"utf-16", "utf-16-le", "utf-16-be", "utf-32"})


def spark_charset(encoding: str) -> str:
    """The charset that Spark reads with; other single-byte ones are translated from Latin-1."""
    return SPARK_CHARSETS.get(encoding, "ISO-8859-1")


def is_ascii_based(encoding: str) -> bool:
    """Whether delimiters, quotes and line ends are single bytes that mean nothing else."""
    return encoding not in _WIDE


def is_known_to_spark(encoding: str) -> bool:
    return encoding in SPARK_CHARSETS


def from_latin_1(encoding: str) -> tuple[str, str]:
    """Latin-1's characters, and those which the same bytes stand for in a single-byte encoding."""
    above = [(chr(n), bytes([n]).decode(encoding, "replace")) for n in range(128, 256)]
    pairs = [(was, now) for was, now in above if was != now]
    return "".join(p[0] for p in pairs), "".join(p[1] for p in pairs)


def open_text(path: DataPath, encoding: str) -> IO[str]:
    """A file as text; bytes that are none become U+FFFD, as they do for Spark."""
    marked = "utf-8-sig" if encoding == "utf-8" else encoding
    return TextIOWrapper(open_bytes(path), encoding=marked, errors="replace", newline="")


def open_bytes(path: DataPath) -> BinaryIO:
    """What is in a file, unpacked."""
    unpack = PACKED.get(path.suffix)
    return cast(BinaryIO, unpack(openable(path), "rb") if unpack else path.open("rb"))
