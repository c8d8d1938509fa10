"""What is not as a scenario expects: the values that diffs and reports are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rowbook.errors import Diagnostic, Position
from rowbook.expressions.values import Value
from rowbook.text.cell_text import Unfit

Cell: TypeAlias = Value | Unfit
Cells: TypeAlias = tuple[Cell, ...]
"""A row, in the order of the columns that are compared."""


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """A row that must come out, and where it is written: `line 24`, `rows.csv:5`."""

    cells: Cells
    origin: str


@dataclass(frozen=True, slots=True)
class CellDifference:
    column: str
    expected: Cell
    got: Cell


@dataclass(frozen=True, slots=True)
class RowPair:
    """An expected row and the actual row nearest to it, or at its place. `known_by` are the cells
    that tell which row it is; where order counts, `number` is its place, from 1."""

    origin: str
    known_by: tuple[tuple[str, Cell], ...]
    cells: tuple[CellDifference, ...]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class RowsDifference:
    """Rows left over on either side; those that could be paired are in `pairs` only. `searched` is
    how many rows a side were looked at for pairs, where those were not all."""

    columns: tuple[str, ...]
    missing: tuple[ExpectedRow, ...] = ()
    unexpected: tuple[Cells, ...] = ()
    pairs: tuple[RowPair, ...] = ()
    searched: int | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One expectation that is not met; `what` names it: `working`, `output result`, `error` …"""

    what: str
    message: str
    position: Position
    rows: RowsDifference | None = None
    cells: tuple[CellDifference, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
