"""Periods that a view reads, and that there are no rows of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.read_periods import absence


def absent_in(
    periods: Iterable[object], expected: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """Those of the expected periods that none of the rows, which have these, belongs to."""
    found = set(periods) if expected else set()
    return tuple(period for period, names in expected.items() if found.isdisjoint(names))


def check_absent(dataset: Dataset, absent: Collection[str]) -> None:
    """DATASET_019 where the view says that it is an error."""
    finding = absence(dataset, tuple(absent))
    if finding is not None and finding.severity == "error":
        raise RowbookError(finding)
