"""Texts of row ids, made of their numbers by the Python processes beside Spark's tasks, which take
a tenth of the time that Spark takes for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_LENGTH = 36
_FOUR = "V4"
_HEX = np.frombuffer(b"0123456789abcdef", np.uint8)
_DIGITS = _HEX[np.arange(1 << 16)[:, np.newaxis] >> (12, 8, 4, 0) & 0xF].view(_FOUR)[:, 0]
"""The four hexadecimal digits of each number of 16 bits."""
_PLACES = {14: None, 19: 48, 24: 32, 28: 16, 32: 0}
"""Where four digits stand in a text, and how far right their bits are in the second number; the
first ones are those of the first."""


@dataclass(frozen=True, slots=True)
class IdTexts:
    """The column `name`, and what the ids in it are made of: the run's start in milliseconds, two
    columns with numbers, of which the bits of `upper` and `lower` show, and a column of ids that
    rows brought along."""

    name: str
    millis: int
    first: str
    second: str
    upper: int
    lower: int
    stored: str | None

    def of(self, rows: pa.Table) -> pa.ChunkedArray:
        made = pa.chunked_array([self._made(rows)])
        return made if self.stored is None else pc.coalesce(rows[self.stored], made)

    def _made(self, rows: pa.Table) -> pa.Array:
        first, second = (rows[name].to_numpy() for name in (self.first, self.second))
        upper, lower = 0x7000 | (first & self.upper), (second & self.lower) | -(1 << 63)
        millis = f"{self.millis:012x}"
        same = f"{millis[:8]}-{millis[8:]}-0000-0000-000000000000".encode()
        texts = np.empty((len(first), _LENGTH), np.uint8)
        texts[:] = np.frombuffer(same, np.uint8)
        for place, shift in _PLACES.items():
            bits = upper if shift is None else lower >> shift & 0xFFFF
            texts[:, place : place + 4].view(_FOUR)[:, 0] = _DIGITS[bits]
        ends = np.arange(0, (len(first) + 1) * _LENGTH, _LENGTH, dtype=np.int32)
        return pa.StringArray.from_buffers(len(first), pa.py_buffer(ends), pa.py_buffer(texts))
