"""Types of the language in Arrow, as Spark takes them over."""

from __future__ import annotations

import pyarrow as pa

from rowbook.expressions.types import Kind, Type

_TYPES = {
    Kind.STRING: pa.string(),
    Kind.INTEGER: pa.int64(),
    Kind.FLOAT: pa.float64(),
    Kind.BOOLEAN: pa.bool_(),
    Kind.DATE: pa.date32(),
    Kind.TIMESTAMP: pa.timestamp("us", tz="UTC"),
}


def arrow_type(kind: Type) -> pa.DataType:
    if kind.kind is Kind.DECIMAL:
        return pa.decimal128(kind.precision, kind.scale)
    return _TYPES[kind.kind]
