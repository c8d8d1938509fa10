"""Places in definition files: from a path of keys to line and column, also inside expressions."""

from __future__ import annotations

from functools import lru_cache

from rowbook.definitions.yaml.nodes import Document, Node, Scalar
from rowbook.definitions.yaml.scalar_offsets import offsets
from rowbook.errors import Diagnostic, Position, Severity, Snippet
from rowbook.value_class import dataclass

_SNIPPET_WIDTH = 76
_LONGEST = 200_000
"""A longer text is beyond every limit, whatever is in it: the place where it starts will do."""
_offsets = lru_cache(maxsize=8)(offsets)
"""Kept because a long expression may have thousands of faults."""


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a document, named by the keys and indices that lead to it."""

    document: Document
    path: tuple[str | int, ...] = ()

    def at(self, *path: str | int) -> Place:
        return Place(self.document, (*self.path, *path))

    @property
    def node(self) -> Node:
        """The YAML node; where the path ends early, the last one there is."""
        return self.document.find(self.path)

    @property
    def exists(self) -> bool:
        """Whether the file has something at this very path."""
        return self.document.has(self.path)

    @property
    def position(self) -> Position:
        return self.document.source.position(self.node.start)

    @property
    def key_position(self) -> Position:
        return self.document.source.position(self.document.find_key(self.path).start)

    def holds(self, position: Position) -> bool:
        source, node = self.document.source, self.node
        return source.position(node.start) <= position <= source.position(node.end)

    def diagnostic(
        self,
        code: str,
        message: str,
        *,
        hint: str | None = None,
        span: tuple[int, int] | None = None,
        severity: Severity = "error",
    ) -> Diagnostic:
        """A finding here; `span` marks a part of the scalar's text."""
        if span is None:
            return Diagnostic(code, message, self.position, hint, None, severity)
        node = self.node
        if not isinstance(node, Scalar):
            return Diagnostic(code, message, self.position, hint, None, severity)
        start, end = _trimmed(node.text, *span)
        source = self.document.source
        if len(node.text) > _LONGEST:
            position = self.position
        else:
            position = source.position(_offsets(source.text, node)[min(start, len(node.text))])
        label = next((key for key in reversed(self.path) if isinstance(key, str)), "expression")
        shown = snippet(node.text, start, end, label)
        return Diagnostic(code, message, position, hint, shown, severity)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A part of a text without the blanks before it; where it is nothing but blanks, as at the end
    of a block of lines, the place right after what stands before them."""
    blanks = len(text[start:end]) - len(text[start:end].lstrip())
    if start + blanks < min(end, len(text)):
        return start + blanks, end
    last = len(text[:start].rstrip())
    return last, last + 1


def snippet(text: str, start: int, end: int, label: str = "expression") -> Snippet:
    """The part of a text around [start, end), on one line and not too wide."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    first, last = start - line_start, min(end - line_start, len(line))
    if len(line) > _SNIPPET_WIDTH:
        cut = max(0, min(first - 20, len(line) - _SNIPPET_WIDTH))
        left, right = "…" if cut else "", "…" if cut + _SNIPPET_WIDTH < len(line) else ""
        line = left + line[cut : cut + _SNIPPET_WIDTH] + right
        first, last = first - cut + len(left), min(last - cut + len(left), len(line) - len(right))
    return Snippet(line.replace("\t", " "), first, max(last, first + 1), label)
