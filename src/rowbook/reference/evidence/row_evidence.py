"""The fingerprint of rows, and their control totals: equal rows have equal ones, in any order.

Each row is hashed twice, as its id would be (`id_hashes.row_hashes`), and the 32-bit halves of the
hashes are summed up. Sums, not XOR: one row and three equal ones must differ. It tells rows that
changed by mistake, or by hand; it is no secret seal against somebody who looks for other rows of
the same sums. Floats may differ in their last digits from one computation to the next: they are not
hashed, but summed up and compared within a billionth. Spark computes the same by
`spark/evidence_metrics.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from rowbook.expressions.scope import Field
from rowbook.expressions.types import BOOLEAN, MAX_PRECISION, Kind, Type
from rowbook.expressions.values import EXACT, Value
from rowbook.reference.id_hashes import row_hashes
from rowbook.value_class import dataclass

SALT = "rows"
SUMMED = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT})
HALF = 32
_LOWER = (1 << HALF) - 1
_TOLERANCE = 1e-9

Total: TypeAlias = "int | Decimal | float | None"


@dataclass(frozen=True, slots=True)
class ColumnTotal:
    """Of a column of numbers: how many are not NULL, and their sum, None where there are none, or
    it has more digits than a decimal."""

    column: str
    values: int
    sum: Total

    def is_same(self, other: ColumnTotal) -> bool:
        if isinstance(self.sum, float) and isinstance(other.sum, float):
            both = math.isnan(self.sum) and math.isnan(other.sum)
            near = math.isclose(self.sum, other.sum, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
            return self.values == other.values and (both or near)
        return (self.values, self.sum) == (other.values, other.sum)


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """`columns` are names and types; `sums` those of the upper and lower halves of both hashes."""

    columns: tuple[tuple[str, str], ...]
    rows: int
    sums: tuple[int, int, int, int]
    totals: tuple[ColumnTotal, ...]

    @property
    def fingerprint(self) -> str:
        return "-".join(f"{each:x}" for each in self.sums)

    def differences(self, other: RowEvidence) -> tuple[str, ...]:
        """In words, this being what was recorded; none where these are the same rows."""
        if self.columns != other.columns:
            return ("other columns",)
        found = []
        if self.rows != other.rows:
            found.append(f"{other.rows:,} rows, not {self.rows:,}")
        for mine, its in zip(self.totals, other.totals, strict=True):
            if not mine.is_same(its):
                found.append(f"{mine.column}: {_words(its, mine)}")
        if not found and self.sums != other.sums:
            found.append("the same counts and totals, but other rows")
        return tuple(found)

    def as_json(self) -> dict[str, Any]:
        return {
            "columns": [list(each) for each in self.columns],
            "rows": self.rows,
            "fingerprint": self.fingerprint,
            "totals": [
                {"column": t.column, "values": t.values, "sum": _text(t.sum)} for t in self.totals
            ],
        }

    @classmethod
    def from_json(cls, recorded: Mapping[str, Any]) -> RowEvidence:
        columns = tuple((name, kind) for name, kind in recorded["columns"])
        kinds = dict(columns)
        a, b, c, d = (int(each, 16) for each in recorded["fingerprint"].split("-"))
        totals = (
            ColumnTotal(t["column"], t["values"], _number(t["sum"], kinds[t["column"]]))
            for t in recorded["totals"]
        )
        return cls(columns, recorded["rows"], (a, b, c, d), tuple(totals))


def row_evidence(rows: Iterable[Mapping[str, Value]], fields: Sequence[Field]) -> RowEvidence:
    """Of rows with these columns, whatever else they hold."""
    given = list(rows)
    return evidence_of_columns({f.name: [row[f.name] for row in given] for f in fields}, fields)


def evidence_of_columns(
    columns: Mapping[str, Sequence[Value]], fields: Sequence[Field]
) -> RowEvidence:
    """Of rows that stand in columns."""
    hashed = [f for f in fields if f.type.kind is not Kind.FLOAT]
    floats = [f for f in fields if f.type.kind is Kind.FLOAT]
    values = [columns[f.name] for f in hashed]
    values += [[value is None for value in columns[f.name]] for f in floats]
    types = [*(_hashed_type(f.type) for f in hashed), *(BOOLEAN for _ in floats)]
    sums, rows = [0, 0, 0, 0], len(columns[fields[0].name]) if fields else 0
    for pair in row_hashes(zip(*values, strict=True), types, SALT, unique=True):
        for place, number in enumerate(pair):
            sums[2 * place] += number >> HALF
            sums[2 * place + 1] += number & _LOWER
    a, b, c, d = sums
    totals = (_total(f, columns[f.name]) for f in fields if f.type.kind in SUMMED)
    return RowEvidence(described(fields), rows, (a, b, c, d), tuple(totals))


def described(fields: Sequence[Field]) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, str(f.type)) for f in fields)


def _hashed_type(kind: Type) -> Type:
    """Nothing but NULL has no type of its own."""
    return BOOLEAN if kind.is_open else kind


def _total(field: Field, column: Sequence[Value]) -> ColumnTotal:
    values: list[Any] = [value for value in column if value is not None]
    if not values:
        return ColumnTotal(field.name, 0, None)
    match field.type.kind:
        case Kind.INTEGER:
            total: Total = sum(values)
        case Kind.DECIMAL:
            unscaled = sum(int(EXACT.scaleb(value, field.type.scale)) for value in values)
            total = _pointed(unscaled, field.type)
        case _:
            total = math.fsum(values) if all(map(math.isfinite, values)) else sum(values)
    return ColumnTotal(field.name, len(values), total)


def _pointed(unscaled: int, kind: Type) -> Decimal | None:
    """A sum of decimals without their point, with it; Spark has no more digits than these."""
    digits = tuple(map(int, str(abs(unscaled))))
    fits = len(digits) <= MAX_PRECISION
    return Decimal((int(unscaled < 0), digits, -kind.scale)) if fits else None


def _words(now: ColumnTotal, then: ColumnTotal) -> str:
    if now.sum != then.sum:
        return f"{_text(now.sum) or 'nothing'} in all, not {_text(then.sum) or 'nothing'}"
    return f"{now.values:,} values, not {then.values:,}"


def _text(total: Total) -> str | None:
    if total is None:
        return None
    return f"{total:f}" if isinstance(total, Decimal) else repr(total)


def _number(text: str | None, kind: str) -> Total:
    if text is None:
        return None
    if kind == Kind.FLOAT:
        return float(text)
    return int(text) if kind == Kind.INTEGER else Decimal(text)
