"""What a file is, told from its bytes: its encoding, or that it is no text at all."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from rowbook.errors import RowbookError
from rowbook.sources.files.text.encodings import open_bytes
from rowbook.sources.stores.object_path import DataPath

_CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8"),
)
_NO_TEXTS = (
    (b"PK\x03\x04", "an Excel workbook or another archive"),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook"),
)
_SINGLE_BYTES = ("cp1252", "iso8859-1")


def guess_encoding(content: bytes) -> str | None:
    """The encoding of the beginning of a text, maybe cut within a character. None for nothing."""
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if marked or not content:
        return marked
    zeros = [content[start::2].count(0) for start in (0, 1)]
    if sum(zeros) * 4 > len(content):
        return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    return next((name for name in ("utf-8", *_SINGLE_BYTES) if _is_text(content, name)), None)


def refuse_no_text(path: DataPath, kind: str, label: str) -> None:
    """DATASOURCE_007 for a file that begins as no text does."""
    with path.open("rb") as file:
        start = file.read(len(_NO_TEXTS[0][0]))
    for mark, said in _NO_TEXTS:
        if start == mark:
            message = f"{label} is {said}, not {kind}"
            hint = f"save its sheet as {kind}, or read it with a data source of type excel"
            raise RowbookError.of("DATASOURCE_007", message, hint=hint)


def encoding_hint(paths: Iterable[DataPath], encoding: str) -> str:
    """Of the first file that is no text in an encoding, what it looks like."""
    for path in paths:
        for content in content_chunks(path):
            if not _is_text(content, encoding) or b"\0" in content:
                guess = guess_encoding(content)
                if guess not in (None, encoding):
                    return f"it looks like {guess}: set the option `encoding: {guess}`"
                break
    return "set the option `encoding` of the data source to the files' encoding"


def content_chunks(path: DataPath) -> Iterator[bytes]:
    """Cut at the ends of lines, so that characters stay whole."""
    try:
        with open_bytes(path) as file:
            while content := file.read(_CHUNK):
                yield content + file.readline()
    except (OSError, EOFError):
        return


def _is_text(content: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(content)
    except UnicodeError:
        return False
    return True
