"""In which encoding the bytes of a file are text: what its beginning says, else all of it."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

from rowbook.sources.files.text.encodings import PACKED
from rowbook.value_class import dataclass

_CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Longer ones before those they begin with."""
_SINGLE_BYTE = ("cp1252", "iso8859-1")
_MANY = 0.3
"""Of every second byte: so many are 0 where western text has two bytes for each character."""


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """`why` says what was seen."""

    encoding: str
    why: str


def guess_encoding(path: Path) -> EncodingGuess:
    """A mark at its beginning; else zeros in every second byte; else UTF-8 where all of it is; else
    cp1252, which has a character for nearly every byte. OSError where it cannot be read."""
    first = next(_chunks(path), b"")
    for mark, encoding in _MARKS:
        if first.startswith(mark):
            return EncodingGuess(encoding, "as the byte order mark says")
    if wide := _without_mark(first):
        return EncodingGuess(wide, "every second byte is 0, without a byte order mark")
    if (bad := _first_fault(path, "utf-8")) is None:
        return EncodingGuess("utf-8", "all of it is UTF-8")
    single = next((each for each in _SINGLE_BYTE if _first_fault(path, each) is None), "iso8859-1")
    return EncodingGuess(single, f"it is not UTF-8: byte 0x{bad:02X}")


def _without_mark(first: bytes) -> str | None:
    if len(first) < 4:
        return None
    even, odd = (first[start::2].count(0) / (len(first) // 2) for start in (0, 1))
    if odd > _MANY and even < odd / 2:
        return "utf-16-le"
    if even > _MANY and odd < even / 2:
        return "utf-16-be"
    return None


def _first_fault(path: Path, encoding: str) -> int | None:
    """The first byte that is no text."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        for chunk in _chunks(path):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as fault:
        return fault.object[fault.start]
    return None


def _chunks(path: Path) -> Iterator[bytes]:
    opener = cast(Callable[..., IO[bytes]], PACKED.get(path.suffix, open))
    with opener(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
