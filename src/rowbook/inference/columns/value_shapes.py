"""What the texts of a column look like: every text has a shape, in which a figure is a 9 and a
letter an a. Whether a text is a number depends on its shape alone: one text stands for all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

_SHAPES = bytes(
    ord("9") if chr(n).isdigit() and n < 128 else ord("a") if chr(n).isalpha() else n
    for n in range(256)
)
_MOST_SHAPES = 1_000
_MOST_DISTINCT = 300_000
_LONGEST = 48
_MOST_LETTERS = 3
"""Of a number: those of a currency."""
_TELLING = 100
_MAYBE_DATE = re.compile(rb"(?=(?:[^9]*9){6})9[9./:\-+ aTZ]*")
_WORDS = (b"aaaa", b"aaaaa")


@dataclass(slots=True)
class SampleValue:
    """How many texts have a shape, and the first of them with its place. `is_kept`: they may be
    dates, or true and false, and are all needed; `is_wordy`: they are neither, nor numbers."""

    count: int
    text: str
    place: str
    is_kept: bool = False
    is_wordy: bool = False


@dataclass(slots=True)
class TextProfile:
    """What was seen of a column of texts. Where there are too many shapes it is text of all kinds,
    and `is_varied`; `distinct` are all texts that there are, where they may be dates or words."""

    rows: int = 0
    nulls: int = 0
    empty: int = 0
    shapes: dict[bytes, SampleValue] = field(default_factory=dict)
    is_varied: bool = False
    distinct: dict[str, SampleValue] = field(default_factory=dict)
    has_all: bool = True
    zero_led: SampleValue | None = None
    """A number of several figures that begins with 0."""

    @property
    def texts(self) -> int:
        return self.rows - self.nulls - self.empty

    @property
    def samples(self) -> tuple[SampleValue, ...]:
        """Most frequent first."""
        return tuple(sorted(self.shapes.values(), key=lambda each: -each.count))

    def add(self, values: Sequence[str | None], places: Sequence[str]) -> None:
        self.rows += len(values)
        if self.is_varied:
            self.nulls += values.count(None)
            self.empty += values.count("")
            return
        counts = Counter(values)
        self.nulls += counts.pop(None, 0)
        self.empty += counts.pop("", 0)
        first = dict(zip(reversed(values), reversed(places), strict=True))
        shapes, looks_for_zero = self.shapes, self.zero_led is None
        for text, count in counts.items():
            assert text is not None
            shape = text[:_LONGEST].encode("latin-1", "replace").translate(_SHAPES)
            sample = shapes.get(shape) or self._new(shape, text, first[text])
            sample.count += count
            if sample.is_kept:
                self.distinct.setdefault(text, SampleValue(0, text, first[text])).count += count
            if looks_for_zero and text[0] == "0" and text[1:2].isdigit():
                self.zero_led = self.zero_led or SampleValue(1, text, first[text])
        self._see()

    def _new(self, shape: bytes, text: str, place: str) -> SampleValue:
        is_kept = shape in _WORDS or _MAYBE_DATE.fullmatch(shape) is not None
        is_wordy = not is_kept and (shape.count(b"a") > _MOST_LETTERS or len(text) > _LONGEST)
        sample = SampleValue(0, text, place, is_kept, is_wordy)
        if not self.is_varied:
            self.shapes[shape] = sample
            self.is_varied = len(self.shapes) > _MOST_SHAPES
        return sample

    def _see(self) -> None:
        """Whether more need be seen: most are words, or there is too much to keep."""
        self.has_all = self.has_all and len(self.distinct) <= _MOST_DISTINCT
        words = sum(sample.count for sample in self.shapes.values() if sample.is_wordy)
        self.is_varied = self.is_varied or words > max(_TELLING, self.texts / 2)
        if self.is_varied or not self.has_all:
            self.distinct.clear()


def in_batches(
    rows: Iterable[tuple[str, Sequence[T]]], size: int = 5_000
) -> Iterator[tuple[list[str], list[tuple[T, ...]]]]:
    """Rows as columns, some thousand at a time, with their places."""
    places: list[str] = []
    cells: list[Sequence[T]] = []
    for place, row in rows:
        places.append(place)
        cells.append(row)
        if len(cells) == size:
            yield places, list(zip(*cells, strict=True))
            places, cells = [], []
    if cells:
        yield places, list(zip(*cells, strict=True))
