"""What adds to a figure, and the rows of sources behind it."""

from __future__ import annotations

import math
from dataclasses import field
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from rowbook.expressions.values import Value
from rowbook.proof.replay import SourceKey, SourceRow
from rowbook.proof.rule_slices import RuleSlice
from rowbook.value_class import dataclass

Step: TypeAlias = tuple[int, str | None]
"""An operation that summed rows up, and the level; of an append that made a row of a row: `entry`
instead of a level."""
ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class Term:
    """What rows of sources add to a figure. `line` says what it is where no row stands behind it.
    `path` are the summaries on its way, `life` the row of the working dataset that brought it, as
    the step at the place `index` saw it."""

    amount: Fraction
    sources: tuple[SourceRow, ...] = ()
    slice: RuleSlice = RuleSlice()
    path: tuple[Step, ...] = ()
    line: Literal["", "constant", "rounding"] = ""
    life: int | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class PartTerms:
    """A part of a formula that cannot be taken apart further, with the terms of its own."""

    formula: str
    value: Value
    terms: tuple[Term, ...]


@dataclass(slots=True)
class TermNotes:
    """What comes up while a figure is taken apart: the parts of a formula that is no sum, rows that
    were counted and add nothing, with the reason, and windows that were read."""

    pieces: list[PartTerms] = field(default_factory=list)
    idle: dict[SourceKey, tuple[str, int]] = field(default_factory=dict)
    windows: set[tuple[int, str]] = field(default_factory=set)


def exact(value: Value) -> Fraction | None:
    """A number as it is; None for NULL, what is no number, and floats that are none."""
    match value:
        case bool() | None:
            return None
        case int() | Decimal():
            return Fraction(value)
        case float() if math.isfinite(value):
            return Fraction(value)
    return None
