"""Rows found by their ids, without the texts of all ids: an asked one is taken apart instead.

Where rows are told apart by what they hold, an id is that of the first, the second … of equal rows.
Which is which need not be known: equal rows are taken all or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import LOWER, STORED, UPPER, id_hashes
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Call, Constant, columns, rebuilt, replaced, with_parts
from rowbook.expressions.bound import Column as BoundColumn
from rowbook.expressions.folding import FALSE, folded
from rowbook.planning.columns import ROW_ID
from rowbook.reference.id_hashes import uuid_text
from rowbook.spark.column_names import column

MOST_EQUAL = 8
"""Equal rows that are looked for by their number; of more, all ids are made."""

_MARK = "__is_"


@dataclass(frozen=True, slots=True)
class IdMarks:
    """A condition with a mark in place of each comparison of an id with a text, and these texts."""

    condition: Bound
    texts: tuple[str, ...]

    @classmethod
    def of(cls, condition: Bound) -> IdMarks | None:
        """None where ids are read in any other way."""
        texts: list[str] = []

        def marked(node: Bound, below: Sequence[Bound]) -> Bound:
            match node:
                case Call("=", (BoundColumn(None, name), Constant(str(text)))) if name == ROW_ID:
                    texts.append(text)
                    return BoundColumn(None, f"{_MARK}{len(texts) - 1}", t.BOOLEAN, False)
            return with_parts(node, below)

        found = cls(rebuilt(condition, marked), tuple(texts))
        return None if (None, ROW_ID) in columns(found.condition) else found

    @property
    def are_needed(self) -> bool:
        """Whether no row meets the condition that has none of them."""
        nothing = {f"{_MARK}{i}": FALSE for i in range(len(self.texts))}
        return folded(replaced(self.condition, nothing)) == FALSE

    @property
    def any(self) -> Column:
        """Whether a row has one of them."""
        return reduce(Column.__or__, [column(f"{_MARK}{i}") for i in range(len(self.texts))])

    def marked(
        self, frame: DataFrame, told_by: Sequence[str], now: datetime, *, unique: bool, stored: bool
    ) -> DataFrame:
        """The rows with the marks; `told_by` are the columns that say what a row is."""
        first, second = id_hashes("input", [column(name) for name in told_by])
        numbers = [None] if unique else [F.lit(n) for n in range(1, MOST_EQUAL + 1)]
        marks = {}
        for i, text in enumerate(self.texts):
            made = reduce(
                Column.__or__,
                [_is_made(text, now, *_numbered(first, second, n)) for n in numbers],
            )
            if stored:
                own = column(STORED)
                made = F.when(own.isNotNull(), own == F.lit(text)).otherwise(made)
            marks[f"{_MARK}{i}"] = made
        return frame.withColumns(marks) if marks else frame


def _numbered(first: Column, second: Column, number: Column | None) -> tuple[Column, Column]:
    if number is None:
        return first, second
    return F.xxhash64(first, number), F.xxhash64(second, number)


def _is_made(text: str, now: datetime, first: Column, second: Column) -> Column:
    """Whether the two numbers of an id make this text."""
    try:
        upper = int(text[15:18], 16)
        lower = int(text[19:].replace("-", ""), 16) & LOWER
    except ValueError:
        return F.lit(False)
    if uuid_text(now, upper, lower) != text:
        return F.lit(False)
    is_upper = first.bitwiseAND(F.lit(UPPER)) == F.lit(upper)
    return is_upper & (second.bitwiseAND(F.lit(LOWER)) == F.lit(lower))
