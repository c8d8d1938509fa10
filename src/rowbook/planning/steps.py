"""The steps of a Plan: what each operation does, with everything resolved. Values, no behaviour."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.expressions.bound import Bound, Column
from rowbook.expressions.scope import LEVEL, Field
from rowbook.expressions.types import Type
from rowbook.planning.columns import Columns
from rowbook.planning.datasets import Dataset, Join
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """A column and the expression of its value, already converted to the column's type."""

    column: str
    expression: Bound
    is_new: bool = False


StepType: TypeAlias = Literal["update", "aggregate", "append", "delete", "output"]


@dataclass(frozen=True, slots=True)
class Step:
    """What every step has; `columns` are those of the working dataset after it."""

    type: ClassVar[StepType]
    seq: int
    name: str
    selector: Bound | None
    joins: tuple[Join, ...]
    """The datasets it joins, lookups first; only those that its expressions mention."""
    columns: Columns


@dataclass(frozen=True, slots=True)
class Window:
    """Values of a group of visible rows, for each of them to see under the alias. The selector says
    which rows count. With an order, in which `_row_id` has the last word, a value is that of the
    rows up to and including each."""

    alias: str
    keys: tuple[str, ...]
    selector: Bound | None
    order: tuple[SortKey, ...]
    values: tuple[Result, ...]

    @property
    def trees(self) -> tuple[Bound, ...]:
        selector = () if self.selector is None else (self.selector,)
        return (*selector, *(each.expression for each in self.values))


@dataclass(frozen=True, slots=True)
class UpdateStep(Step):
    """`windows` are those that selector and assignments mention."""

    type = "update"
    assignments: tuple[Result, ...]
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True)
class TotalLevel:
    """Summary rows of an aggregate that are grouped alike; they are all of them where it has no
    name."""

    name: str | None
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AggregateStep(Step):
    """`keys` are those of all levels. `key_values` gives those that are expressions, on the rows
    that are grouped; `assignments` see the keys and results of the summary row, and LEVEL()."""

    type = "aggregate"
    keys: tuple[str, ...]
    results: tuple[Result, ...]
    key_values: tuple[Result, ...] = ()
    levels: tuple[TotalLevel, ...] = ()
    assignments: tuple[Result, ...] = ()

    @property
    def groupings(self) -> tuple[TotalLevel, ...]:
        return self.levels or (TotalLevel(None, self.keys),)

    @property
    def level_columns(self) -> tuple[str, ...]:
        """The columns that hold nothing but the name of a summary row's level."""
        values = ((each.column, each.expression) for each in self.assignments)
        return tuple(c for c, value in values if isinstance(value, Column) and value.name == LEVEL)

    @property
    def values(self) -> tuple[Result, ...]:
        """All that is computed for a summary row, in the order in which it can be."""
        return (*self.key_values, *self.results, *self.assignments)


@dataclass(frozen=True, slots=True)
class Spread:
    """Splits `column` of a row over its matches in the join `alias`, which has many, by `weight`.
    Both are integers or decimals; `type` is the column's in the source."""

    column: str
    type: Type
    alias: str
    weight: Bound
    scale: int


@dataclass(frozen=True, slots=True)
class AppendStep(Step):
    """Append rows of another dataset, or made from those of the working dataset (`source` is None);
    selector and lookups are the source's. `keys` is None for rows as they are; `results` gives each
    column of the appended rows from the source, `key_values` the keys that are expressions."""

    type = "append"
    source: Dataset | None
    keys: tuple[str, ...] | None
    results: tuple[Result, ...]
    key_values: tuple[Result, ...] = ()
    matched: frozenset[str] = frozenset()
    """The aliases of joins that rows meet once the selector has picked them."""
    spread: Spread | None = None
    left_out: tuple[str, ...] = ()
    """Columns of the source that the new rows do not have."""

    @property
    def values(self) -> tuple[Result, ...]:
        return (*self.key_values, *self.results)

    @property
    def lookups(self) -> tuple[Join, ...]:
        return tuple(join for join in self.joins if join.alias not in self.matched)

    @property
    def matches(self) -> tuple[Join, ...]:
        return tuple(join for join in self.joins if join.alias in self.matched)


@dataclass(frozen=True, slots=True)
class DeleteStep(Step):
    type = "delete"


@dataclass(frozen=True, slots=True)
class SortKey:
    """NULL comes last either way."""

    column: str
    descending: bool = False

    def __str__(self) -> str:
        return f"{self.column} descending" if self.descending else self.column


@dataclass(frozen=True, slots=True)
class OutputStep(Step):
    """With `order_by`, rows that are equal by it are in the order of all that is written."""

    type = "output"
    destination: DestinationDefinition
    written: tuple[str, ...]
    include_deleted: bool
    mode: Literal["replace", "append", "error_if_exists"]
    register_as: str | None
    order_by: tuple[SortKey, ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """What is written, in order."""
        return tuple(self.columns.fields[name] for name in self.written)


AnyStep: TypeAlias = UpdateStep | AggregateStep | AppendStep | DeleteStep | OutputStep


def results_of(step: AnyStep) -> tuple[Result, ...]:
    """The columns that an operation gives values, with what they are computed from."""
    match step:
        case UpdateStep():
            return step.assignments
        case AggregateStep() | AppendStep():
            return step.values
    return ()
