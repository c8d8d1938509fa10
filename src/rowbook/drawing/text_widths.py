"""How wide a text is drawn, and what of it fits. Fonts differ: widths are on the wide side."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

_NARROW = frozenset("iIjl|!.,:;'`()[]{}ftr ")
_BROAD = frozenset("mwMW@%&")
_THIN, _LETTER, _CAPITAL, _WIDEST = 0.4, 0.62, 0.75, 1.0
_MONOSPACED = 0.62


def drawn_width(text: str, size: float, *, monospaced: bool) -> float:
    return sum(_part(c, monospaced=monospaced) for c in text) * size


def fitted_end(text: str, room: float, size: float) -> str:
    return fitted(text[::-1], room, size, monospaced=False)[::-1]


def fitted(text: str, room: float, size: float, *, monospaced: bool) -> str:
    """The text, or as much of its beginning as there is room for, and an ellipsis."""
    if drawn_width(text, size, monospaced=monospaced) <= room:
        return text
    left = room / size - _part("…", monospaced=monospaced)
    for at, character in enumerate(text):
        left -= _part(character, monospaced=monospaced)
        if left < 0:
            return f"{text[:at].rstrip()}…"
    return text


def _part(character: str, *, monospaced: bool) -> float:
    """Of the font's size, the width of a character."""
    if combining(character):
        return 0
    if east_asian_width(character) in "WF":
        return _WIDEST
    if monospaced:
        return _MONOSPACED
    if character in _NARROW:
        return _THIN
    if character in _BROAD:
        return _WIDEST
    return _CAPITAL if character.isupper() or character in "…→" else _LETTER
