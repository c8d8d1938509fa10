"""How the cells of a table compare: by their column's type, within its tolerance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from rowbook.definitions.yaml.nodes import Scalar
from rowbook.expressions.scope import Field
from rowbook.expressions.types import FLOAT
from rowbook.expressions.values import EXACT, Value, float_as_decimal
from rowbook.planning.scenario_cells import read_cell
from rowbook.scenarios.mismatch import Cell, Cells
from rowbook.text.cell_text import Unfit


class _Mark(Enum):
    """For a cell in a key: NaN equals itself, as in Spark; a near number is compared elsewhere."""

    NAN = "NaN"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Compared:
    """The columns that are compared, each with its tolerance if it has one."""

    fields: tuple[Field, ...]
    tolerances: tuple[Decimal | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    @property
    def bounds(self) -> tuple[Decimal, ...]:
        """The tolerances there are, in the order of the columns."""
        return tuple(t for t in self.tolerances if t is not None)

    def expected(self, row: Mapping[str, object]) -> Cells:
        """A cell left out is NULL. With a tolerance, a number may exceed its column's digits."""
        return tuple(
            _read(row.get(field.name), field, exact=tolerance is None)
            for field, tolerance in zip(self.fields, self.tolerances, strict=True)
        )

    def actual(self, row: Mapping[str, Value]) -> Cells:
        return tuple(row.get(field.name) for field in self.fields)

    def same(self, index: int, expected: Cell, got: Cell) -> bool:
        tolerance = self.tolerances[index]
        a, b = (None, None) if tolerance is None else (_number(expected), _number(got))
        if tolerance is None or a is None or b is None:
            return _key(expected) == _key(got)
        return EXACT.abs(EXACT.subtract(a, b)) <= tolerance

    def same_row(self, expected: Cells, got: Cells) -> bool:
        return all(map(self.same, range(len(self.fields)), expected, got))

    def split(self, cells: Cells) -> tuple[tuple[object, ...], tuple[Decimal, ...]]:
        """What must be equal for two rows to match, and the numbers that need only be near. In a
        column with tolerance, a cell without number must be equal, and 0 stands for its number."""
        bounds = self.bounds
        if not bounds:
            return tuple(map(_key, cells)), ()
        exact: list[object] = []
        near: list[Decimal] = []
        for cell, tolerance in zip(cells, self.tolerances, strict=True):
            number = None if tolerance is None else _number(cell)
            exact.append(_key(cell) if number is None else _Mark.NUMBER)
            if tolerance is not None:
                near.append(number or Decimal())
        return tuple(exact), tuple(near)


def _read(cell: object, field: Field, *, exact: bool) -> Cell:
    try:
        if exact:
            return read_cell(cell, field.type)
        return None if read_cell(cell, FLOAT) is None else Decimal(_text(cell))
    except ValueError:
        return Unfit(_text(cell), field.type)


def _text(cell: object) -> str:
    return cell.text if isinstance(cell, Scalar) else str(cell)


def _key(cell: Cell) -> object:
    return _Mark.NAN if isinstance(cell, float) and math.isnan(cell) else cell


def _number(cell: Cell) -> Decimal | None:
    """The number that a cell holds; a float as people write it, so that 0.1 is 0.1."""
    if isinstance(cell, float):
        return float_as_decimal(cell) if math.isfinite(cell) else None
    return Decimal(cell) if isinstance(cell, int | Decimal) else None
