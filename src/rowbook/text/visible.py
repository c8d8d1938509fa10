"""Texts that may hold anything, fit to be shown: on one line, and as wide as they look."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def visible(text: str) -> str:
    """The text on one line, and without what a terminal would take as a command."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "·" for c in text)


def number(count: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_columns, text))


def pad(text: str, columns: int, *, right: bool = False) -> str:
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def clip(text: str, columns: int, around: int = 0) -> str:
    """As much of it as fits, such that the character at `around` is seen."""
    if width(text) <= columns:
        return text
    start = max(0, around - columns // 3)
    left = "…" if start else ""
    room = columns - len(left)
    if width(text[start:]) <= room:
        while start > 1 and width(text[start - 1 :]) <= room:
            start -= 1
        return left + text[start:]
    end, used = start, 0
    while used + _columns(text[end]) <= room - 1:
        used += _columns(text[end])
        end += 1
    return f"{left}{text[start:end]}…"


def _columns(char: str) -> int:
    if combining(char):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
