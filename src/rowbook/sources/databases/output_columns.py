"""The types of an output's columns in a database, and which existing columns can take them.

Servers themselves would take more: they round a number to fit a column of fewer decimals, and a
timestamp to fit a date. Nothing is written here that is then not what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rowbook.locations.identifiers import name_fault
from rowbook.sources.databases.database import unwritable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql import types as s

DIGITS = 38
"""Those of the longest number of Spark."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column; `type` as the server writes it. Of texts, `charset` where there are several."""

    name: str
    type: str
    never_null: bool = False
    charset: str | None = None

    @property
    def kind(self) -> str:
        return re.sub(r"\([^)]*\)", "", self.type)

    @property
    def arguments(self) -> tuple[int, ...]:
        return tuple(int(n) for n in re.findall(r"-?[0-9]+", self.type))


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """`type` is that of the column called `staged`."""

    name: str
    staged: str
    type: str


Fits: TypeAlias = Callable[[TableColumn, TableColumn], bool]


@dataclass(frozen=True, slots=True)
class ColumnTypes:
    """Those of a product: by the names of Spark's types, and which kinds of columns `take` which,
    beside those of equal types. `quoted` writes a name as somebody would type it."""

    simple: Mapping[str, str]
    decimal: str
    takes: Mapping[tuple[str, str], Fits]
    quoted: Callable[[str], str]

    def output_columns(self, frame: DataFrame, label: str) -> tuple[OutputColumn, ...]:
        """OUTPUT_006 for what a database cannot hold or call so. Staged columns are numbered:
        Spark, which quotes names its own way, never sees a name of ours."""
        return tuple(
            OutputColumn(_sound(field.name, label), f"c{i}", self._type(field, label))
            for i, field in enumerate(frame.schema.fields, start=1)
        )

    def recorded_columns(self, recorded: Sequence[Sequence[str]]) -> tuple[OutputColumn, ...]:
        """As a record has them, which may say anything: ValueError where one is none of ours."""
        decimal = rf"{self.decimal}\([0-9]+,[0-9]+\)"
        ours = re.compile("|".join((*map(re.escape, self.simple.values()), decimal)))
        columns = tuple(OutputColumn(*each) for each in recorded)
        for column in columns:
            if name_fault(column.name) or not ours.fullmatch(column.type):
                raise ValueError(f"'{column.name}' of type {column.type} is no column of an output")
        return columns

    def check(
        self, columns: Sequence[OutputColumn], there: Mapping[str, TableColumn], label: str
    ) -> None:
        """OUTPUT_006 where an existing table lacks a column, or has it with a type that does not
        take every value, or only by changing it (a value that is too large is seen when it is
        written)."""
        for column in columns:
            found = there.get(column.name)
            if found is None:
                said, hint = self._lacking(column, there)
                raise unwritable(label, said, hint=hint)
            if not self._takes(found, column):
                said = (
                    f"column '{column.name}' is {found.type} there, which cannot hold"
                    f" {column.type} as it is"
                )
                raise unwritable(label, said, hint="convert in the project, or alter the column")

    def _lacking(self, column: OutputColumn, there: Mapping[str, TableColumn]) -> tuple[str, str]:
        definition = f"{self.quoted(column.name)} {column.type}"
        said = f"it has no column '{column.name}'"
        return said, f"ALTER TABLE … ADD COLUMN {definition}, or leave the column out of the output"

    def _type(self, field: s.StructField, label: str) -> str:
        kind = field.dataType.typeName()
        if kind == "decimal":
            return field.dataType.simpleString().replace(kind, self.decimal)
        if kind not in self.simple:
            raise unwritable(label, f"column '{field.name}' is {field.dataType.simpleString()}")
        return self.simple[kind]

    def _takes(self, there: TableColumn, column: OutputColumn) -> bool:
        if there.type == column.type:
            return True
        mine = TableColumn(column.name, column.type)
        check = self.takes.get((mine.kind, there.kind))
        return check is not None and check(mine, there)


def _sound(name: str, label: str) -> str:
    if fault := name_fault(name):
        raise unwritable(label, f"the name of column '{name}' {fault}")
    return name


def always(_: TableColumn, __: TableColumn) -> bool:
    return True


def with_decimals(mine: TableColumn, there: TableColumn) -> bool:
    """Too many digits before them are an error as it is written."""
    _, wanted = mine.arguments or (0, 0)
    return not there.arguments or (*there.arguments, 0)[1] >= wanted


def whole(mine: TableColumn, _: TableColumn) -> bool:
    return mine.arguments[1] == 0
