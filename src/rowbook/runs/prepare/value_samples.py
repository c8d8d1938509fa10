"""The beginnings of text files, loaded without Spark: values that a run would fail of."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import PlainTable, value_faults
from rowbook.sources import registry
from rowbook.sources.source import SourceTable
from rowbook.sources.source_errors import NotPlainError

LINES = 1_000
"""Of each dataset, of all its tables together."""


def sampled_faults(
    dataset: Dataset, tables: Sequence[SourceTable | None]
) -> tuple[Diagnostic, ...]:
    """What a run says of these rows; where there are others, that it was found in the first lines.
    What only Spark can read is left to it, and so is what cannot be read."""
    sampled: list[PlainTable] = []
    lines, is_whole = 0, True
    for table in tables:
        if lines >= LINES or table is None:
            is_whole = False
            continue
        try:
            found = registry.sample_plain(table, LINES - lines)
        except (NotPlainError, OSError):
            is_whole = False
            continue
        sampled += found.tables
        lines += found.lines
        is_whole = is_whole and found.is_whole
    within = "" if is_whole else f" in the first {lines:,} lines"
    return value_faults(dataset, sampled, within=within) if sampled else ()
