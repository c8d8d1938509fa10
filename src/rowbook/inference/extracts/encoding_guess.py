"""In which encoding a file is text: all of it, not only its beginning."""

from __future__ import annotations

from pathlib import Path

from rowbook.sources.files.text.content_guesses import content_chunks, guess_encoding
from rowbook.value_class import dataclass

_UTF_8 = "utf-8"
_SINGLE_BYTES = ("iso8859-1", "cp1252")
"""Those that take more bytes first."""


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """`why` says what was seen."""

    encoding: str
    why: str


def guess_file_encoding(path: Path) -> EncodingGuess:
    """As its first bytes say; else UTF-8 where all of it is; else the one that has a character for
    all its bytes."""
    chunks = content_chunks(path)
    first = next(chunks, b"")
    encoding = guess_encoding(first) or _UTF_8
    if encoding.startswith("utf-") and encoding != _UTF_8:
        return EncodingGuess(encoding, "by the zeros and marks among its bytes")
    found = {encoding, *(guess_encoding(chunk) or _UTF_8 for chunk in chunks)}
    single = next((each for each in _SINGLE_BYTES if each in found), None)
    if single is None:
        return EncodingGuess(_UTF_8, "all of it is UTF-8")
    return EncodingGuess(single, "not all of it is UTF-8")
