"""What an operation did."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.expressions.values import Value
from rowbook.reference.working_rows import WorkingRows
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """The working dataset after an operation; how many rows it acted on (for an append: took of its
    source), added and deleted; for an output the rows that are written, in the order of its
    columns."""

    working: WorkingRows
    matched: int
    added: int = 0
    deleted: int = 0
    written: Sequence[dict[str, Value]] | None = None
