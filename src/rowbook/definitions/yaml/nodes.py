"""YAML as read: nodes that know where they stand, and nothing about what they mean.

Scalars keep their text; how YAML 1.2's core schema reads a plain one is asked of the scalar.
Offsets count characters of the file's text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import field
from typing import Literal, TypeAlias

from rowbook.errors import Position
from rowbook.value_class import dataclass

Style = Literal["plain", "single", "double", "literal", "folded"]

MAX_INTEGER_LENGTH = 1_000
"""Longer digit strings are no integer to us: far beyond any use, and slow to convert."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
)
_BASES = {"0o": 8, "0x": 16}
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value as written: its text with quotes, escapes and folding undone.

    [start, end) is the whole of it in the file, quotes or block header included, without anchor."""

    text: str
    start: int
    end: int
    style: Style = "plain"

    @property
    def plain(self) -> bool:
        """Written without quotes or block header, so that the core schema may read it as typed."""
        return self.style == "plain"

    @property
    def is_null(self) -> bool:
        """A plain `null`, `~`, or nothing at all."""
        return self.plain and self.text in _NULLS

    @property
    def is_number(self) -> bool:
        """A plain integer (also 0o…, 0x…) or decimal number. `.inf` and `.nan` are not numbers."""
        return self.plain and _NUMBER.fullmatch(self.text) is not None

    def as_bool(self) -> bool | None:
        """The boolean of a plain `true` or `false` in the core schema's spellings, else None."""
        return _BOOLEANS.get(self.text) if self.plain else None

    def as_int(self) -> int | None:
        """The value of a plain integer of at most MAX_INTEGER_LENGTH characters, else None."""
        text = self.text
        if not self.plain or len(text) > MAX_INTEGER_LENGTH or not _INTEGER.fullmatch(text):
            return None
        base = _BASES.get(text[:2])
        return int(text[2:], base) if base else int(text)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. An item written as an alias is the anchored node itself, at the anchor's place."""

    items: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in file order; no two keys have the same text."""

    entries: tuple[tuple[Scalar, Node], ...]
    start: int
    end: int

    def entry(self, key: str) -> tuple[Scalar, Node] | None:
        return next((entry for entry in self.entries if entry[0].text == key), None)


Node: TypeAlias = Scalar | Sequence | Mapping
Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text, and the name under which it is shown to people."""

    file: str
    text: str
    _line_starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    def position(self, offset: int) -> Position:
        """Line and column of a character; beyond the text's ends, the nearest place."""
        offset = min(max(offset, 0), len(self.text))
        starts = self._lines()
        line = bisect_right(starts, offset)
        return Position(self.file, line, offset - starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its break; '' where there is none."""
        starts = self._lines()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def _lines(self) -> list[int]:
        """The offset of each line's start; computed when a place is asked for the first time."""
        if not self._line_starts:
            breaks = _LINE_BREAK.finditer(self.text)
            self._line_starts.extend([0, *(found.end() for found in breaks)])
        return self._line_starts


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML document of a file. Paths are keys and indices, from the root."""

    source: SourceText
    root: Node

    def find(self, path: Path) -> Node:
        """The node at a path.

        Elements that are not there are skipped: a missing key leads to the mapping that lacks it,
        and names that a validator puts between (the tag of a union) do no harm."""
        return self._walk(path)[1]

    def find_key(self, path: Path) -> Node:
        """The key that the last element of a path names; where it names none, as `find`."""
        key, node, _ = self._walk(path)
        return key or node

    def has(self, path: Path) -> bool:
        return self.existing((), path) == path

    def existing(self, base: Path, below: Path) -> Path:
        """`base`, and those elements of the path `below` it that are there."""
        return base + self._walk(below, self.find(base))[2]

    def _walk(self, path: Path, start: Node | None = None) -> tuple[Scalar | None, Node, Path]:
        """The key and the node that a path leads to, and the elements of it that are there."""
        node = start or self.root
        key: Scalar | None = None
        taken: list[str | int] = []
        for element in path:
            key, child = _child(node, element)
            if child is not None:
                node = child
                taken.append(element)
        return key, node, tuple(taken)


def _child(node: Node, element: str | int) -> tuple[Scalar | None, Node | None]:
    match node:
        case Mapping():
            return node.entry(str(element)) or (None, None)
        case Sequence() if isinstance(element, int) and 0 <= element < len(node.items):
            return None, node.items[element]
        case _:
            return None, None
