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
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
