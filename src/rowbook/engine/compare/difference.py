"""How two tables differ, as values: what is asked for, and what is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions.types import Type
from rowbook.expressions.values import Value

Number: TypeAlias = int | float | Decimal | None
Row: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Criteria:
    """What is compared, and how: `key` tells rows apart (left out: chosen), `columns` are those
    that are compared (left out: all but those that differ by run), `ignore` those that are not.
    Numbers of a column in `tolerance` may differ by that much. `group_by` asks for totals of
    groups. At most `limit` rows of each sort are brought here."""

    key: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tolerance: Mapping[str, Decimal] = field(default_factory=dict)
    group_by: tuple[str, ...] = ()
    limit: int = 20


@dataclass(frozen=True, slots=True)
class CellChange:
    column: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """Where the key says nothing to people (row ids), `known_by` are former cells that do."""

    key: Row
    cells: tuple[CellChange, ...]
    known_by: Row = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Repeated:
    keys: int
    rows: int


@dataclass(frozen=True, slots=True)
class RetypedColumn:
    """A column of another type than before; not `compared` where the types rule that out."""

    column: str
    before: Type
    after: Type
    compared: bool


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of a numeric column on both sides: NULL where there are no numbers, or where it has
    more digits than a decimal holds. Then there is no difference either."""

    column: str
    before: Number
    after: Number
    difference: Number


@dataclass(frozen=True, slots=True)
class Subtotals:
    """Of the summary rows that an aggregate made, by its seq; where it has levels, at one."""

    seq: int
    rows_before: int
    rows_after: int
    totals: tuple[Total, ...]
    level: str | None = None


@dataclass(frozen=True, slots=True)
class GroupTotals:
    """Of the lines of a group, or of its summary rows by the aggregate `seq`, at a `level`."""

    group: Row
    rows_before: int
    rows_after: int
    totals: tuple[Total, ...]
    seq: int | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Groups:
    """The first groups that differ; `count` and `different` count all. Lines and summary rows of
    the same cells are groups of their own."""

    columns: tuple[str, ...]
    count: int
    different: int
    shown: tuple[GroupTotals, ...]


@dataclass(frozen=True, slots=True)
class TableDifference:
    """How a table differs from what it was.

    `key` tells which rows are the same; without one, rows are equal or not. Rows whose key stands
    more than once (see `repeated_before`, `repeated_after`) are compared whole among those of their
    key: none of them is `changed`. Of each sort of rows the first are here, by their key.
    """

    key: tuple[str, ...]
    columns: tuple[str, ...]
    rows_before: int
    rows_after: int
    equal: int
    changed: int
    only_before: int
    only_after: int
    repeated_before: Repeated
    repeated_after: Repeated
    changed_cells: Mapping[str, int]
    """How many rows each column is changed in."""
    changed_rows: tuple[ChangedRow, ...]
    rows_only_before: tuple[Row, ...]
    rows_only_after: tuple[Row, ...]
    totals: tuple[Total, ...]
    """Of the lines: summary rows have theirs in `subtotals`, as they hold the same amounts."""
    subtotals: tuple[Subtotals, ...]
    mixed: bool
    """Summary rows may be among the lines, and nothing in the table tells them apart: `totals` then
    are of all rows."""
    groups: Groups | None
    columns_only_before: tuple[str, ...]
    columns_only_after: tuple[str, ...]
    retyped: tuple[RetypedColumn, ...]

    @property
    def lines(self) -> tuple[int, int]:
        """Rows before and after that are no summary rows."""
        before = sum(each.rows_before for each in self.subtotals)
        after = sum(each.rows_after for each in self.subtotals)
        return self.rows_before - before, self.rows_after - after

    @property
    def has_kinds(self) -> bool:
        """Whether there are lines beside summary rows, or summary rows of several aggregates."""
        return len(self.subtotals) + any(self.lines) > 1

    @property
    def same(self) -> bool:
        rows = self.changed + self.only_before + self.only_after
        columns = (*self.columns_only_before, *self.columns_only_after)
        return not rows and not columns and all(each.compared for each in self.retyped)
