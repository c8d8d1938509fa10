"""Whether every line of a csv file is a record of its own.

A quote may hold a line's end, and who begins in the middle of a file cannot tell. Spark therefore
reads a file as a whole, on one core, unless it is told that lines are records; then it reads parts
of the file at once, but also takes any line end for one and drops lines of nothing but spaces. So
it is told only of files where both ways give the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.text.encodings import PACKED, is_ascii_based
from rowbook.sources.stores.object_path import DataPath

WORTH_SPLITTING, FEWEST_CORES = 16 << 20, 4
"""By lines Spark takes 2.4 times the processor time; its parts have 4 MiB at least. So files of
four of them are worth it, where as many cores read them."""

_BLOCK = 16 << 20
_LINE_END, _RETURN = b"\n\r"
_SPACES = re.compile(rb"\n[\x00-\x09\x0b\x0c\x0e-\x20]+(?=[\r\n]|\Z)")


def lines_are_records(path: DataPath, dialect: CsvDialect, line_end: str) -> bool:
    """By looking at all of it, which takes a hundredth of the time that reading does, a tenth where
    there are quotes."""
    if path.suffix in PACKED or dialect.compression or dialect.header_row > 1:
        return False
    if line_end == "\r" or not is_ascii_based(dialect.encoding):
        return False
    return all(block_has_records(block, dialect, line_end) for block in _blocks(path))


def block_has_records(block: bytes, dialect: CsvDialect, line_end: str) -> bool:
    """Of whole lines with a line end before the first."""
    quote, escape = dialect.quote.encode(), dialect.escape.encode()
    if escape != quote and escape in block:
        return False
    if quote in block and not _quotes_are_whole(block, dialect):
        return False
    return _has_one_line_end(block, line_end) and _SPACES.search(block) is None


def _has_one_line_end(block: bytes, line_end: str) -> bool:
    returns = block.count(b"\r")
    if line_end == "\n":
        return not returns
    ends = block.count(b"\n", 1)
    return returns == ends == block.count(b"\r\n")


def _quotes_are_whole(block: bytes, dialect: CsvDialect) -> bool:
    """Whether quotes begin and end with their value, on one line; two of them that touch are a
    value with a quote in it."""
    quote, delimiter = dialect.quote.encode(), dialect.delimiter.encode()
    if len(quote) != 1 or len(delimiter) != 1:
        return False
    found = np.frombuffer(block, np.uint8)
    quotes = np.flatnonzero(found == quote[0])
    if len(quotes) % 2:
        return False
    begins, ends = quotes[::2], quotes[1::2]
    line_ends = np.flatnonzero(found == _LINE_END)
    if not np.array_equal(np.searchsorted(line_ends, begins), np.searchsorted(line_ends, ends)):
        return False
    touching = begins[1:] == ends[:-1] + 1
    before = found[begins - 1][np.append(True, ~touching)]
    after = found[np.minimum(ends + 1, len(found) - 1)]
    after = after[np.append(~touching, ends[-1] + 1 < len(found))]
    return bool(
        np.isin(before, [delimiter[0], _LINE_END]).all()
        and np.isin(after, [delimiter[0], _LINE_END, _RETURN]).all()
    )


def _blocks(path: DataPath) -> Iterator[bytes]:
    with path.open("rb") as file:
        rest = b"\n"
        while data := file.read(_BLOCK):
            whole, end, begun = data.rpartition(b"\n")
            if end:
                yield b"".join((rest, whole, end))
                rest = b"\n" + begun
            else:
                rest += begun
        if len(rest) > 1:
            yield rest
