"""How many files a result is kept in, and which rows go into each of them.

Spark writes a file for each of its tasks: a thousand tiny ones, or a huge one, as it happens.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path

from rowbook.locations.file_options import file_size
from rowbook.sources.files.listing import LocalFile

SMALL, FEW = 16 * 2**20, 100_000
"""Bytes, and rows, up to which a result becomes one file in each folder: one task rewrites them in
a moment. Larger results keep the files that Spark's tasks made, if these are worth a task."""

TINY, MANY = 8 * 2**20, 16
"""Files that are smaller on average, and at least so many, are not."""

USUAL = 128 * 2**20
ORDERED = 1_000_000
"""Rows of a file where rows are in an order: how large files became must not matter to that."""


@dataclass(frozen=True, slots=True)
class Part:
    file: LocalFile
    rows: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of a part that stand together, from the first on."""

    part: Part
    first: int
    rows: int

    @property
    def is_whole(self) -> bool:
        return self.rows == self.part.rows


@dataclass(frozen=True, slots=True)
class NewFile:
    pieces: tuple[Piece, ...]

    @property
    def folder(self) -> Path:
        return self.pieces[0].part.file.path.parent

    @property
    def rows(self) -> int:
        return sum(piece.rows for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class FileLayout:
    """A number of files in each folder, or their size; neither where nothing is asked. Where rows
    are `ordered`, files end at the same rows each time: Spark's own end where it happens."""

    files: int | None = None
    file_size: int | None = None
    ordered: bool = False

    @classmethod
    def of(cls, options: Mapping[str, str], *, ordered: bool = False) -> FileLayout:
        files = options.get("files")
        size = file_size(options.get("file_size", ""))
        return cls(int(files) if files else None, size, ordered)

    def new_files(self, parts: Sequence[Part]) -> list[NewFile]:
        """By folder; one of which nothing is said is well as it is. The order of rows stays."""
        small = _are_small(parts)
        made: list[NewFile] = []
        for _, group in groupby(parts, key=lambda part: part.file.path.parent):
            folder = list(group)
            ends = self._ends(folder, is_small=small)
            if ends is not None:
                made += _cut(folder, ends)
        return made

    def _ends(self, parts: Sequence[Part], *, is_small: bool) -> list[int] | None:
        """Before which of a folder's rows files end; None where its files may stay."""
        rows, size = sum(p.rows for p in parts), sum(p.file.size for p in parts)
        if not rows:
            return None
        if self.ordered:
            wanted = min(self._ordered_files(rows, size), rows)
            return None if len(parts) == wanted == 1 else _even_ends(rows, wanted)
        if self.files is not None:
            wanted = min(self.files, rows)
            stays = len(parts) == wanted
            return None if stays else _even_ends(rows, wanted)
        if self.file_size is not None:
            largest = max(part.file.size for part in parts)
            few = len(parts) == 1 or size / len(parts) >= self.file_size / 2
            stays = largest <= 2 * self.file_size and few
            return None if stays else _ends_by_size(parts, self.file_size)
        if is_small:
            return None if len(parts) == 1 else []
        crowded = len(parts) >= MANY and size / len(parts) < TINY
        return _ends_by_size(parts, USUAL) if crowded else None

    def _ordered_files(self, rows: int, size: int) -> int:
        if self.files is not None:
            return self.files
        return math.ceil(size / self.file_size if self.file_size else rows / ORDERED)


def is_small(files: Sequence[NewFile]) -> bool:
    """Whether what goes into files is rewritten in a moment."""
    parts = {piece.part.file.path: piece.part for file in files for piece in file.pieces}
    return _are_small(parts.values())


def _are_small(parts: Collection[Part]) -> bool:
    return sum(part.file.size for part in parts) <= SMALL and sum(p.rows for p in parts) <= FEW


def _even_ends(rows: int, files: int) -> list[int]:
    return [rows * k // files for k in range(1, files)]


def _ends_by_size(parts: Sequence[Part], most: int) -> list[int]:
    """One ends where a part does, if that is near: whole parts are joined faster than they are
    cut."""
    sizes = list(accumulate((part.file.size for part in parts), initial=0))
    starts = list(accumulate((part.rows for part in parts), initial=0))
    wanted = math.ceil(sizes[-1] / most)
    ends: list[int] = []
    for k in range(1, wanted):
        at = sizes[-1] * k // wanted
        i = bisect_left(sizes, at, lo=1)
        near = i if sizes[i] - at <= at - sizes[i - 1] else i - 1
        if abs(sizes[near] - at) <= most // 4:
            ends.append(starts[near])
        else:
            part = parts[i - 1]
            ends.append(starts[i - 1] + part.rows * (at - sizes[i - 1]) // part.file.size)
    return ends


def _cut(parts: Sequence[Part], ends: Sequence[int]) -> list[NewFile]:
    total = sum(part.rows for part in parts)
    bounds = sorted({*ends, total} - {0})
    made: list[NewFile] = []
    pieces: list[Piece] = []
    at = 0
    for part in parts:
        first = 0
        while first < part.rows:
            rows = min(part.rows - first, bounds[len(made)] - at)
            pieces.append(Piece(part, first, rows))
            first, at = first + rows, at + rows
            if at == bounds[len(made)]:
                made.append(NewFile(tuple(pieces)))
                pieces = []
    return made
