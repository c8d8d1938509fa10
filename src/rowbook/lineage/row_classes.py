"""The rows of a working dataset by where they were born: what each of their columns depends on, and
whether there are such rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from rowbook.expressions import types as t
from rowbook.expressions.bound import Column, Constant, Value
from rowbook.expressions.scope import Field
from rowbook.lineage.influences import (
    NOTHING,
    Influences,
    at_operation,
    merged,
    used_as,
)
from rowbook.planning.columns import OPERATION_SEQ, Columns, is_system
from rowbook.planning.datasets import Dataset
from rowbook.value_class import dataclass

BirthKind: TypeAlias = Literal["input", "append", "entries", "summary", "quarantine"]


@dataclass(frozen=True, slots=True)
class BirthClass:
    """How rows came to be: read, appended, made from others, summed up, by operation `seq`."""

    kind: BirthKind
    seq: int | None = None
    level: str | None = None

    @property
    def label(self) -> str:
        words = {
            "input": "input rows",
            "append": f"rows of {self.seq}",
            "entries": f"entries of {self.seq}",
            "summary": f"totals of {self.seq}",
            "quarantine": "quarantined rows",
        }
        return words[self.kind] + (f" ({self.level})" if self.level else "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of rows that are visible. `constant` is its value where all have the same, which
    `is_lasting` where deleted ones have it too: operations leave these as they are. `if_deleted` is
    what it depends on besides in these; `operations` are those that gave it a value."""

    found: Influences = field(default_factory=lambda: NOTHING)
    constant: Constant | None = None
    if_deleted: Influences = field(default_factory=lambda: NOTHING)
    is_lasting: bool = True
    operations: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RowClass:
    """`rows` decide whether there are such rows, `deletes` whether they are visible.
    `may_be_deleted` is known for sure where nothing deletes them; `is_deleted`: all are."""

    birth: BirthClass
    cells: Mapping[str, Cell]
    rows: Influences = field(default_factory=lambda: NOTHING)
    deletes: Influences = field(default_factory=lambda: NOTHING)
    may_be_deleted: bool = False
    is_deleted: bool = False

    @property
    def visible(self) -> Influences:
        """What decides which rows operations see."""
        return merged(self.rows, self.deletes)

    def constant(self, column: Column) -> Constant | None:
        """Of visible rows."""
        if column.source is not None:
            return None
        if column.name == "_deleted":
            return Constant(False, t.BOOLEAN)
        return self.cells[column.name].constant

    def lasting_constant(self, column: Column) -> Constant | None:
        """Of deleted rows too."""
        if column.source is not None or column.name == "_deleted":
            return None
        cell = self.cells[column.name]
        return cell.constant if cell.is_lasting else None


def assigned(
    before: Cell, value: Cell, condition: Influences | None, owner: RowClass, seq: int
) -> Cell:
    """A column after an operation that gives it a value, on rows that it picks; `condition` is None
    where it picks all that are visible."""
    is_same = before.constant is not None and before.constant == value.constant
    constant = value.constant if condition is None or is_same else None
    found, operations = value.found, frozenset({seq})
    if condition is not None:
        found = merged(before.found, value.found, at_operation(condition, seq))
        operations |= before.operations
    if not owner.may_be_deleted:
        return Cell(found, constant, operations=operations)
    deletes = used_as(owner.deletes, "conditional")
    kept = merged(before.found, before.if_deleted, deletes)
    return Cell(found, constant, kept, is_lasting=False, operations=operations)


def combined(cells: Iterable[Cell]) -> Cell:
    """One column of rows that come from rows of several classes."""
    first, *rest = cells
    same = all(each.constant == first.constant for each in rest)
    return Cell(
        merged(first.found, *(each.found for each in rest)),
        first.constant if same else None,
        operations=first.operations.union(*(each.operations for each in rest)),
    )


def new_cells(columns: Columns, origin: Dataset, seq: int | None) -> dict[str, Cell]:
    """Of rows that bring nothing along: NULL, and what the system says of rows of an operation."""
    known: dict[str, Value] = {
        "_source_dataset_id": origin.id,
        "_source_table": origin.table_name,
        OPERATION_SEQ: seq,
        "_labels": "",
    }
    return {name: Cell(constant=_constant(field, known)) for name, field in columns.fields.items()}


def _constant(field: Field, known: Mapping[str, Value]) -> Constant | None:
    if is_system(field.name) and field.name not in known:
        return None
    return Constant(known.get(field.name), field.type)
