"""What a run is measured for: totals of one column and a few rows of each operation. Values, no
behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value

Number: TypeAlias = Decimal | float


@dataclass(frozen=True, slots=True)
class Amount:
    """Visible rows and the sum of the column over them; no sum where there is no such column."""

    rows: int
    total: Number | None


@dataclass(frozen=True, slots=True)
class Moved:
    """What the rows that an operation touched brought to the total, and what they took from it:
    an update does both. Summed over these rows alone, apart from the total."""

    gained: Number
    lost: Number


@dataclass(frozen=True, slots=True)
class Sample:
    """A few rows that an operation changed, added, deleted or wrote, as they are after it; `was`
    has, for each, the values that an update replaced."""

    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Value], ...]
    was: tuple[Mapping[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class StepFigures:
    """Of one operation; seq 0 is the input. `moved` is None where an operation cannot change the
    column's total: the amount then is the one before."""

    seq: int
    amount: Amount
    moved: Moved | None = None
    sample: Sample | None = None
