"""Whole lines of a json file as columns in their types, by Arrow; where it is certain that our own
reader makes the same of them: each line is one flat object, without escapes that stand for
characters by their number, and no key twice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.json as arrow_json

from rowbook.expressions.types import FLOAT, Kind, Type
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.files.text.strict_values import UnsureError, check_values, strict_values
from rowbook.spark.arrow_types import arrow_type

_BLOCK = 1 << 20
"""What Arrow reads at once."""

_AS_WRITTEN = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT, Kind.BOOLEAN})
"""What json has without quotes."""


@dataclass(frozen=True, slots=True)
class TypedLines:
    """Keys that a line lacks are NULL there, or what `otherwise` says; None: that depends on the
    file."""

    encoding: str
    otherwise: Mapping[str, str | None]

    @property
    def may_be_sure(self) -> bool:
        return self.encoding == "utf-8" and None not in self.otherwise.values()

    def table(self, lines: bytes, types: Mapping[str, Type], *, is_first: bool) -> pa.Table:
        """The columns of these types; UnsureError where anything else may be meant."""
        del is_first
        rows = _check_lines(lines, types)
        kinds = {name: _read_as(kind) for name, kind in types.items()}
        try:
            found = arrow_json.read_json(
                pa.BufferReader(lines),
                read_options=arrow_json.ReadOptions(use_threads=False, block_size=_BLOCK),
                parse_options=arrow_json.ParseOptions(explicit_schema=pa.schema(kinds.items())),
            )
            for name, kind in types.items():
                if kind.kind is Kind.DECIMAL:
                    # 10000 has five digits, and as a decimal(6, 2) seven: Arrow reads it unseen.
                    found[name].validate(full=True)
        except pa.ArrowInvalid as cause:
            raise UnsureError from cause
        if found.num_rows != rows:
            raise UnsureError
        for field in found.schema:
            if pa.types.is_nested(field.type):
                raise UnsureError
            if pa.types.is_floating(field.type):
                check_values(found[field.name], FLOAT)
        return pa.table([self._column(found, name, types[name]) for name in types], list(types))

    def _column(self, found: pa.Table, name: str, kind: Type) -> pa.ChunkedArray:
        values = found[name]
        if name in self.otherwise:
            values = values.fill_null(self.otherwise[name])
        return values if kind.kind in _AS_WRITTEN else strict_values(values, kind)


def _read_as(kind: Type) -> pa.DataType:
    return arrow_type(kind) if kind.kind in _AS_WRITTEN else pa.string()


def _check_lines(lines: bytes, types: Mapping[str, Type]) -> int:
    """How many lines there are. Arrow knows none, only objects, and takes a decimal from text
    too."""
    count = lines.count(b"\n") + (not lines.endswith(b"\n"))
    starts = lines.count(b"\n{") + lines.startswith(b"{")
    ends = b"\r" not in lines or lines.count(b"\r") == lines.count(b"\r\n")
    if starts != count or not ends or not _is_plain_text(lines):
        raise UnsureError
    for name, kind in types.items():
        quoted = rb'"%s"\s*:\s*"' % re.escape(name.encode())
        if kind.kind is Kind.DECIMAL and re.search(quoted, lines):
            raise UnsureError
    return count


def _is_plain_text(lines: bytes) -> bool:
    if b"\0" in lines or (b"\\" in lines and b"\\u" in lines):
        return False
    try:
        return lines.isascii() or LOST not in lines.decode()
    except UnicodeDecodeError:
        return False
