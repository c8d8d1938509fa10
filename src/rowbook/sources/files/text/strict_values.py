"""Texts into types by Arrow, where they are written as programs write them: then everybody reads
the same value. Of any other text Arrow is not asked what it is: it takes ` 7`, `.5` and `0x7` for
numbers: that is for the rules to say."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from rowbook.expressions.types import Kind, Type
from rowbook.spark.arrow_types import arrow_type

_NUMBER = r"^-?[0-9]+(?:\.[0-9]+)?$"
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PLAIN = {
    Kind.INTEGER: "^-?[0-9]{1,19}$",
    Kind.DECIMAL: _NUMBER,
    Kind.FLOAT: _NUMBER,
    Kind.BOOLEAN: "^(?i:true|false)$",
    Kind.DATE: f"^{_DAY}$",
    Kind.TIMESTAMP: rf"^{_DAY}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]{{1,6}})?Z$",
}
_FIRST_DAY = -719_162
"""The first of January of the year 1, in days since 1970."""


class UnsureError(Exception):
    """Whether all values are what Arrow takes them for is not certain."""


def strict_values(texts: pa.ChunkedArray, kind: Type) -> pa.ChunkedArray:
    """UnsureError where a text is not plain, or does not fit."""
    if kind.kind is Kind.STRING:
        return texts
    _check(pc.match_substring_regex(texts, _PLAIN[kind.kind]))
    try:
        values = pc.cast(texts, arrow_type(kind))
    except pa.ArrowInvalid as cause:
        raise UnsureError from cause
    check_values(values, kind)
    return values


def check_values(values: pa.ChunkedArray, kind: Type) -> None:
    """UnsureError for what Arrow has and we have not: a year 0, infinite numbers."""
    match kind.kind:
        case Kind.FLOAT:
            _check(pc.is_finite(values))
        case Kind.DATE:
            _check(pc.greater_equal(values.cast(pa.int32()), _FIRST_DAY))
        case Kind.TIMESTAMP:
            _check(pc.greater_equal(values.cast(pa.int64()), _FIRST_DAY * 86_400 * 10**6))
        case _:
            pass


def _check(holds: pa.ChunkedArray) -> None:
    if not pc.all(holds, min_count=0).as_py():
        raise UnsureError
