"""From a place in a scalar's text back to the place in the file.

The text of a scalar is what is left after quotes, escapes, folding and indentation. It is decoded
a second time here, keeping for each character where it came from. Done only to show an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TypeAlias

from rowbook.definitions.yaml.nodes import Scalar, SourceText, Style
from rowbook.errors import Position
from rowbook.value_class import dataclass

_BREAK = r"(?:\r\n|\r|\n)"
_FOLDED = rf"(?P<fold>[ \t]*(?:{_BREAK}[ \t]*)+)"
_JOINED = rf"(?P<join>\\(?:{_BREAK}[ \t]*)+)"
_CODE = r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}"
_TOKENS: dict[Style, str] = {
    "plain": rf"{_FOLDED}|(?P<text>[ \t]+|[^ \t\r\n]+)",
    "single": rf"{_FOLDED}|(?P<quote>'')|(?P<text>[ \t]+|[^' \t\r\n]+)",
    "double": rf"{_FOLDED}|{_JOINED}|\\(?P<code>{_CODE})|\\(?P<escape>.)"
    r"|(?P<text>[ \t]+|[^\\ \t\r\n]+)",
}
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f",
    "r": "\r", "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0",
    "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_BREAKS = re.compile(_BREAK)
_LINE = re.compile(rf"([^\r\n]*)({_BREAK}|\Z)")

_Line: TypeAlias = tuple[int, int, int | None]
"""Start and end of a line, and where its break is if it has one."""


@dataclass(frozen=True, slots=True)
class _Trail:
    """Text as it is decoded, and the offset in the file of each of its characters."""

    parts: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def copy(self, source_text: str, start: int, end: int) -> None:
        self.parts.append(source_text[start:end])
        self.places.extend(range(start, end))

    def put(self, char: str, *places: int) -> None:
        self.parts.append(char * len(places))
        self.places.extend(places)


def offsets(source_text: str, scalar: Scalar) -> list[int]:
    """For each character of `scalar.text`, and for its end, the offset it has in the file's text.

    An escape counts as its first character, a folded line break as the break. Where the second
    decoding does not give the scalar's text, each character gets the start of the scalar."""
    if scalar.style in ("literal", "folded"):
        trail, end = _block(source_text, scalar), scalar.end
    else:
        quote = 0 if scalar.plain else 1
        end = scalar.end - quote
        trail = _flow(source_text, scalar.style, scalar.start + quote, end)
    decoded = "".join(trail.parts)
    length = len(scalar.text)
    chomped = decoded[length:] if scalar.style in ("literal", "folded") else ""
    if decoded != scalar.text + chomped or chomped.strip("\n"):
        return [scalar.start] * (length + 1)
    return [*trail.places, end][: length + 1]


def locate(source: SourceText, scalar: Scalar, start: int, end: int) -> Position:
    """The place in the file of the part [start, end) of a scalar's text: its first character
    that is not blank, so that a part that starts at a folded line break is shown below it."""
    part = scalar.text[start:end]
    blanks = len(part) - len(part.lstrip())
    first = start + blanks if blanks < len(part) else start
    places = offsets(source.text, scalar)
    return source.position(places[min(max(first, 0), len(scalar.text))])


def _flow(source_text: str, style: Style, start: int, end: int) -> _Trail:
    trail = _Trail()
    for token in re.compile(_TOKENS[style], re.DOTALL).finditer(source_text, start, end):
        first, last = token.span()
        match token.lastgroup:
            case "text":
                trail.copy(source_text, first, last)
            case "fold" | "join" as kind:
                breaks = [found.start() for found in _BREAKS.finditer(source_text, first, last)]
                if kind == "fold" and len(breaks) == 1:
                    trail.put(" ", *breaks)
                else:
                    trail.put("\n", *breaks[1:])
            case "quote":
                trail.put("'", first)
            case "code":
                trail.put(_character(int(token["code"][1:], 16)), first)
            case "escape":
                trail.put(_ESCAPES.get(token["escape"], ""), first)
    return trail


def _block(source_text: str, scalar: Scalar) -> _Trail:
    _, *lines = _lines(source_text, scalar.start, scalar.end)
    indent = _indent(source_text, scalar.text, lines)
    trail = _Trail()
    held: list[int] = []
    foldable = False
    for start, stop, break_at in lines:
        content = start + indent
        if content < stop:
            starts_with_text = source_text[content] not in " \t"
            if not (foldable and starts_with_text):
                trail.put("\n", *held)
            elif len(held) == 1:
                trail.put(" ", *held)
            else:
                trail.put("\n", *held[1:])
            trail.copy(source_text, content, stop)
            held.clear()
            foldable = scalar.style == "folded" and starts_with_text
        if break_at is not None:
            held.append(break_at)
    trail.put("\n", *held)
    return trail


def _lines(source_text: str, start: int, end: int) -> Iterator[_Line]:
    for found in _LINE.finditer(source_text, start, end):
        yield *found.span(1), found.start(2) if found[2] else None


def _indent(source_text: str, text: str, lines: Sequence[_Line]) -> int:
    """How many columns the block is indented by.

    Header and surroundings decide that; the text tells it more simply: on the first line that is
    not blank, by the spaces that are in the file and not in the text. In a block of blank lines
    the same holds for the longest."""
    for start, stop, _ in lines:
        line = source_text[start:stop]
        if line.strip(" "):
            before = text[: len(text) - len(text.lstrip(" \n"))]
            kept = len(before) - len(before.rstrip(" "))
            return max(0, len(line) - len(line.lstrip(" ")) - kept)
    longest = max((stop - start for start, stop, _ in lines), default=0)
    return max(0, longest - max(map(len, text.split("\n"))))


def _character(code: int) -> str:
    return chr(code) if code <= 0x10FFFF else ""
