"""Texts of row ids, made of their numbers by the Python processes beside Spark's tasks, which take
a tenth of the time that Spark takes for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_LENGTH = 36
_DASHES = (8, 13, 18, 23)
_PAIRS = np.frombuffer("".join(f"{each:02x}" for each in range(256)).encode(), np.uint16)
"""Two hexadecimal digits of each byte."""


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
        numbers = np.empty((len(first), 2), ">u8")
        numbers[:, 0] = (self.millis << 16) | 0x7000 | (first & self.upper)
        numbers[:, 1] = (second & self.lower).astype(np.uint64) | np.uint64(1 << 63)
        digits = _PAIRS[numbers.view(np.uint8)].view(np.uint8)
        texts = np.full((len(first), _LENGTH), ord("-"), np.uint8)
        start = 0
        for place, dash in enumerate((*_DASHES, _LENGTH)):
            texts[:, start:dash] = digits[:, start - place : dash - place]
            start = dash + 1
        ends = np.arange(0, (len(first) + 1) * _LENGTH, _LENGTH, dtype=np.int32)
        return pa.StringArray.from_buffers(len(first), pa.py_buffer(ends), pa.py_buffer(texts))
