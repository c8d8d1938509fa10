"""Row ids, with the values that Spark gives them (engine/compile/row_ids.py says what an id is).

Spark's xxhash64 hashes one value after the other, each with the hash so far as its seed, and skips
NULLs. It hashes the bytes of a text and numbers as little-endian ones: integers, timestamps (their
microseconds) and floats of 8 bytes, dates (their days) and booleans of 4, decimals of up to 18
digits as integers without their point, larger ones as big-endian bytes, as few as are needed.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from xxhash import xxh64_intdigest

from rowbook.expressions.types import STRING, Kind, Type
from rowbook.expressions.values import EXACT, Value

Bytes: TypeAlias = Callable[[Any], bytes]

_SEED = 42
_LONG, _INT, _DOUBLE = (struct.Struct(form).pack for form in ("<q", "<i", "<d"))
_FALSE, _TRUE = _INT(0), _INT(1)
_NAN = _LONG(0x7FF8000000000000)
_EPOCH, _EPOCH_DAY = datetime(1970, 1, 1, tzinfo=UTC), date(1970, 1, 1).toordinal()
_MICROSECOND = timedelta(microseconds=1)
_DIGITS_OF_LONG = 18
_UPPER, _LOWER = 0xFFF, (1 << 62) - 1
"""The bits of both numbers that an id shows."""


def new_row_ids(
    rows: Iterable[Sequence[Value]],
    types: Sequence[Type],
    salt: str,
    now: datetime,
    *,
    unique: bool,
) -> Iterator[str]:
    """Ids of rows that are told apart by these values; where they are not known to be `unique`,
    equal rows are numbered. `salt` says what makes the rows: the input, or an operation."""
    hashes = row_hashes(rows, types, salt, unique=unique)
    return (uuid_text(now, first, second) for first, second in hashes)


def row_hashes(
    rows: Iterable[Sequence[Value]], types: Sequence[Type], salt: str, *, unique: bool
) -> Iterator[tuple[int, int]]:
    """The two numbers that an id is made of, without sign."""
    convert = [bytes_of(kind) for kind in types]
    seeds = [xxh64_intdigest(f"{n} {salt}".encode(), _SEED) for n in (1, 2)]
    seen: Counter[tuple[int, int]] = Counter()
    for row in rows:
        parts = [each(v) for each, v in zip(convert, row, strict=True) if v is not None]
        parts += [_TRUE if value is None else _FALSE for value in row]
        first, second = (_chain(parts, seed) for seed in seeds)
        if not unique:
            key = first, second
            seen[key] += 1
            number = _INT(seen[key])
            first, second = (_chain((_unsigned(each), number), _SEED) for each in key)
        yield first, second


def hash_values(values: Sequence[Value], types: Sequence[Type]) -> int:
    """What Spark's xxhash64 gives for these values, as a number without sign."""
    pairs = zip(values, types, strict=True)
    return _chain([bytes_of(kind)(v) for v, kind in pairs if v is not None], _SEED)


def uuid_text(now: datetime, first: int, second: int) -> str:
    """A UUIDv7: 12 bits of one hash and 62 of another below the timestamp."""
    millis = f"{int(now.timestamp() * 1000):012x}"
    upper = f"{first & _UPPER | 0x7000:04x}"
    lower = f"{second & _LOWER | (1 << 63):016x}"
    return f"{millis[:8]}-{millis[8:]}-{upper}-{lower[:4]}-{lower[4:]}"


def uuid_numbers(text: str) -> tuple[int, int]:
    """What such a text shows of both numbers."""
    return int(text[15:18], 16), int(text[19:23] + text[24:], 16) & _LOWER


def stored_numbers(text: str) -> tuple[int, int]:
    """Two numbers of the same kind for an id that came along, whatever it looks like."""
    ((first, second),) = row_hashes([(text,)], [STRING], "stored", unique=True)
    return first & _UPPER, second & _LOWER


def bytes_of(kind: Type) -> Bytes:
    if kind.kind is Kind.DECIMAL:
        return _decimal(kind)
    return _BYTES[kind.kind]


def _chain(parts: Iterable[bytes], seed: int) -> int:
    for part in parts:
        seed = xxh64_intdigest(part, seed)
    return seed


def _unsigned(number: int) -> bytes:
    return number.to_bytes(8, "little")


def _decimal(kind: Type) -> Bytes:
    def unscaled(value: Decimal) -> int:
        return int(EXACT.scaleb(value, kind.scale))

    if kind.precision <= _DIGITS_OF_LONG:
        return lambda value: _LONG(unscaled(value))

    def shortest(value: Decimal) -> bytes:
        number = unscaled(value)
        magnitude = number if number >= 0 else ~number
        return number.to_bytes(magnitude.bit_length() // 8 + 1, "big", signed=True)

    return shortest


def _float(value: float) -> bytes:
    """0.0 and -0.0 are the same, and all that are not a number."""
    return _NAN if math.isnan(value) else _DOUBLE(value + 0.0)


_BYTES: dict[Kind, Bytes] = {
    Kind.STRING: str.encode,
    Kind.INTEGER: _LONG,
    Kind.FLOAT: _float,
    Kind.BOOLEAN: lambda value: _TRUE if value else _FALSE,
    Kind.DATE: lambda day: _INT(day.toordinal() - _EPOCH_DAY),
    Kind.TIMESTAMP: lambda moment: _LONG((moment - _EPOCH) // _MICROSECOND),
}
