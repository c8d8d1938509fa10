"""Many columns of text that become one type: parsed as the elements of one array.

Every expression takes calls into the JVM, a decimal some eighty, and then Spark's work on it. Where
many columns have one type, it is made once, for any element of an array of their texts:

    c0, c1 …  →  transform([c0, c1 …], text → decimal)  →  values[0] AS c0, values[1] AS c1 …

Spark compiles no code for elements of arrays, which rows pay for: a few columns are parsed one by
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.loading.column_mapping import Mapped
from rowbook.expressions.types import Type
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.files.text.value_forms import TextForm
from rowbook.spark.column_names import column

LEAST = 16
"""Columns of a type for which an array is made."""


@dataclass(frozen=True, slots=True)
class TextArray:
    """Columns of one type that are written in one form, all nullable or none."""

    number: int
    columns: tuple[Mapped, ...]

    @property
    def fault_name(self) -> str:
        return f"__fault_{self.number}"

    @property
    def arrays(self) -> dict[str, Column]:
        """To be selected of the source."""
        texts = F.array(*(m.text for m in self.columns))
        if not self._is_parsed:
            return {self._texts: texts}
        values = F.transform(texts, self.columns[0].parsed)
        return {self._texts: texts, self._values: values}

    @property
    def values(self) -> dict[str, Column]:
        """The columns under their declared names, to be selected of these arrays."""
        found = column(self._values if self._is_parsed else self._texts)
        return {m.field.name: found[i] for i, m in enumerate(self.columns)}

    @property
    def fault(self) -> Column:
        """TRUE on rows of these arrays with a value that does not fit."""
        texts, nullable = column(self._texts), self.columns[0].field.nullable
        if not self._is_parsed:
            lost = F.exists(texts, lambda text: _is_lost(text, nullable=nullable))
            return F.coalesce(lost, F.lit(False))
        values = column(self._values)
        if not nullable:
            return F.exists(values, lambda value: value.isNull())
        unfit = F.zip_with(texts, values, lambda text, value: text.isNotNull() & value.isNull())
        return F.exists(unfit, lambda is_unfit: is_unfit)

    @property
    def _is_parsed(self) -> bool:
        return self.columns[0].checked

    @property
    def _texts(self) -> str:
        return f"__texts_{self.number}"

    @property
    def _values(self) -> str:
        return f"__values_{self.number}"


def text_arrays(mapped: Sequence[Mapped]) -> tuple[tuple[TextArray, ...], tuple[Mapped, ...]]:
    """The arrays, and the columns that are in none of them."""
    alike: dict[tuple[Type, bool, TextForm], list[Mapped]] = {}
    for m in mapped:
        if m.fitted is None and (m.checked or m.is_text):
            alike.setdefault((m.field.type, m.field.nullable, m.form), []).append(m)
    many = [tuple(each) for each in alike.values() if len(each) >= LEAST]
    inside = {m.field.name for each in many for m in each}
    alone = tuple(m for m in mapped if m.field.name not in inside)
    return tuple(TextArray(i, each) for i, each in enumerate(many)), alone


def _is_lost(text: Column, *, nullable: bool) -> Column:
    lost = text.contains(LOST)
    return lost if nullable else text.isNull() | lost
