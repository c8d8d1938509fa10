"""Values in the words of a diff: for people, and for programs."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rowbook.expressions.types import Type
    from rowbook.expressions.values import Value

    Cell: TypeAlias = Value | "Unfit"

JsonValue = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Unfit:
    """An expected cell whose text does not fit its column's type, so that nothing equals it."""

    text: str
    type: Type


def format_cell(cell: Cell) -> str:
    """A cell as people read it: texts in quotes, so that NULL, '' and blanks can be told apart."""
    match cell:
        case None:
            return "NULL"
        case Unfit(text, kind):
            return f"{_quoted(text)} (no {kind})"
        case bool():
            return "true" if cell else "false"
        case str():
            return _quoted(cell)
        case _:
            return str(as_json(cell))


def format_both(expected: Cell, got: Cell) -> tuple[str, str]:
    """Two different cells; where they look the same, as with composed and decomposed letters, in
    ASCII."""
    if isinstance(expected, str) and isinstance(got, str):
        looks = (unicodedata.normalize("NFKC", text) for text in (expected, got))
        if len(set(looks)) == 1:
            return ascii(expected), ascii(got)
    return format_cell(expected), format_cell(got)


def as_json(cell: Cell) -> JsonValue:
    """A cell for programs: decimals as text, which keeps their digits; dates in ISO form."""
    match cell:
        case Unfit(text):
            return encodable(text)
        case str():
            return encodable(cell)
        case Decimal():
            return f"{cell:f}"
        case datetime():
            return cell.isoformat().replace("+00:00", "Z")
        case date():
            return cell.isoformat()
        case float() if not math.isfinite(cell):
            return "NaN" if math.isnan(cell) else "Infinity" if cell > 0 else "-Infinity"
        case _:
            return cell


def encodable(text: str) -> str:
    """The text with lone surrogates, which no encoding takes, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def one_line(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def first_difference(a: str, b: str) -> int:
    both = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(both) if x != y), min(len(a), len(b)))


def _quoted(text: str) -> str:
    return f"'{text}'" if text.isprintable() else repr(text)
