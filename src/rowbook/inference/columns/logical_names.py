"""Names for expressions from the headers of sources: `Betrag (EUR)` becomes `betrag_eur`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from rowbook.expressions.syntax.lexer import KEYWORDS

_LETTERS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
    }
    | {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L", "đ": "d", "€": "eur"}
)
_PLAIN = re.compile(r"[a-z][a-z0-9_]*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][A-Za-z])")
_ENTITY = re.compile(r"[^A-Za-z0-9_.\-]+")


def logical_names(headers: Sequence[str]) -> tuple[str, ...]:
    """One for each, no two alike in any case; a header that is a name already stays as it is."""
    names: list[str] = []
    taken: set[str] = set()
    for position, header in enumerate(headers, start=1):
        name = _unlike(_logical_name(header) or f"column_{position}", taken)
        taken.add(name)
        names.append(name)
    return tuple(names)


def entity_name(text: str) -> str:
    """What a dataset of a file is called: the file's name in letters, digits, `_`, `-` and `.`."""
    return _ENTITY.sub("_", _ascii(text)).strip("_.-") or "data"


def table_name(text: str) -> str:
    """What its table is called in expressions."""
    return _logical_name(text) or "data"


def _logical_name(header: str) -> str:
    text = header.strip()
    if not _PLAIN.fullmatch(text):
        words = re.split(r"[^A-Za-z0-9]+", _CAMEL.sub("_", _ascii(text)))
        text = "_".join(word.lower() for word in words if word)
    if text[:1].isdigit():
        text = f"c_{text}"
    return f"{text}_" if text.upper() in KEYWORDS else text


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(_LETTERS))
    return "".join(c for c in plain if not unicodedata.combining(c))


def _unlike(name: str, taken: Collection[str]) -> str:
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found
