"""Few rows of an output that are here, to be written without Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.expressions.values import Value
from rowbook.spark.arrow_types import arrow_type


@dataclass(frozen=True, slots=True)
class PlainOutput:
    """Rows with exactly these columns."""

    fields: tuple[Field, ...]
    rows: Sequence[Mapping[str, Value]]

    @property
    def columns(self) -> list[str]:
        return [field.name for field in self.fields]

    @property
    def has_types(self) -> bool:
        """Not where a column is nothing but NULL: what that is, Spark says."""
        return all(field.type.kind is not Kind.NULL for field in self.fields)

    @property
    def empty(self) -> PlainOutput:
        return replace(self, rows=())

    def values(self, field: Field) -> list[Any]:
        return [row[field.name] for row in self.rows]

    def array(self, field: Field) -> pa.Array:
        return pa.array(self.values(field), arrow_type(field.type))

    def table(self) -> pa.Table:
        return pa.table([self.array(field) for field in self.fields], names=self.columns)
