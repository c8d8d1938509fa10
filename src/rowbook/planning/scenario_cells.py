"""Cells of scenario rows: read from their text, by the column's type."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

from rowbook.definitions.yaml.nodes import Scalar
from rowbook.expressions.bound import Value
from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.types import Kind, Type

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?", re.ASCII)
_EXACT = Context(prec=2000)
_INTEGER = re.compile(r"[+-]?\d{1,19}", re.ASCII)


def read_cell(cell: object, kind: Type) -> Value | float:
    """The value of a cell, quoted or not; ValueError says what does not fit. NULL is an unquoted
    null, or nothing."""
    if cell is None or (isinstance(cell, Scalar) and cell.is_null):
        return None
    text = cell.text if isinstance(cell, Scalar) else str(cell)
    match kind.kind:
        case Kind.STRING | Kind.NULL | Kind.UNKNOWN:
            return text
        case Kind.INTEGER:
            number = int(text) if _INTEGER.fullmatch(text) else None
            return _need(number if number is None or -(2**63) <= number < 2**63 else None, text)
        case Kind.DECIMAL:
            return _decimal(text, kind)
        case Kind.FLOAT:
            return _need(float(text) if _NUMBER.fullmatch(text) else None, text)
        case Kind.BOOLEAN:
            return _need({"true": True, "false": False}.get(text.lower()), text)
        case Kind.DATE:
            return _need(parse_date(text), text)
        case Kind.TIMESTAMP:
            return _need(parse_timestamp(text), text)


def _decimal(text: str, kind: Type) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"'{text}' does not fit")
    value = Decimal(text)
    stored = value.quantize(Decimal(1).scaleb(-kind.scale), ROUND_HALF_UP, _EXACT)
    if stored != value or len(stored.as_tuple().digits) > kind.precision:
        raise ValueError(f"'{text}' does not fit")
    return stored


def _need(value: Value | float, text: str) -> Value | float:
    if value is None:
        raise ValueError(f"'{text}' does not fit")
    return value
