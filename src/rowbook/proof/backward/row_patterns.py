"""Rows of sources that a run treated alike, counted together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from rowbook.expressions.values import Value
from rowbook.proof.backward.figure_stage import FigureStage
from rowbook.value_class import dataclass

RowState: TypeAlias = Literal["inside", "elsewhere", "not chosen", "not known", "deleted"]
"""What became of rows where they could have been counted: they were; in another group, or row of
the output; the condition was FALSE, or NULL; they were deleted before."""


@dataclass(frozen=True, slots=True)
class RowPattern:
    """`appended` is the seq of the append that rows came by, None for the input; `met` are the
    operations that met them; `keys` what they have in common; `joined` the keys of rows that joins
    found for them, by operation and alias. `amount` is the sum of what `valued` of the rows add or
    would have added."""

    appended: int | None
    met: frozenset[int]
    state: RowState
    keys: Mapping[str, Value]
    joined: Mapping[tuple[int, str], Mapping[str, Value]]
    rows: int
    valued: int
    amount: Value


@dataclass(frozen=True, slots=True)
class AppendedRows:
    """Rows of the dataset of an append, by what its condition gave for them; those it took are no
    patterns where it summed them up, or added them behind all that is counted."""

    seq: int
    taken: int
    not_chosen: int
    not_known: int


@dataclass(frozen=True, slots=True)
class LargeRow:
    """A row that adds much, by its id and what names it."""

    row_id: str
    appended: int | None
    values: Mapping[str, Value]
    amount: Value


@dataclass(frozen=True, slots=True)
class FigurePatterns:
    """`stages` are those that a figure's rows went through, the last one, which is the first to
    count rows of sources, at the end. `value` is what was computed."""

    stages: tuple[FigureStage, ...]
    rows: int
    value: Value
    patterns: tuple[RowPattern, ...]
    largest: tuple[LargeRow, ...]
    appended: tuple[AppendedRows, ...] = ()
