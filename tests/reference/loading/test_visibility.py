"""Which rows a run sees, by period and by validity."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.visibility import is_visible_in_time
from tests.support.small_plans import CONTEXT, NOW, PERIOD, plan_of

TEXT = """
dataset:
  name: t
  main_table:
    name: t
    temporal_mode: bitemporal
    columns: [{{name: valid_from, type: {kind}}}, {{name: valid_to, type: {kind}}}]
---
project: {{name: p, input_dataset_id: t, operations: []}}
"""


def dataset(folder: Path, kind: str) -> Dataset:
    return plan_of(folder, TEXT.format(kind=kind)).input


def sees(table: Dataset, as_of: date | datetime, first: Value, last: Value) -> bool:
    context = RunContext("run", "project", NOW, PERIOD, CONTEXT.calendar, as_of)
    row = {"valid_from": first, "valid_to": last}
    return is_visible_in_time(table, context, ())(row)


DAY, NEXT = date(2026, 1, 31), date(2026, 2, 1)


@pytest.mark.parametrize(
    ("first", "last", "seen"),
    [
        (DAY, None, True),
        (DAY, NEXT, True),
        (date(2026, 1, 1), DAY, False),
        (NEXT, None, False),
        (None, None, False),
    ],
)
def test_dates_count_from_their_midnight(
    tmp_path: Path, first: date | None, last: date | None, seen: bool
) -> None:
    table = dataset(tmp_path, "date")
    assert sees(table, DAY, first, last) is seen
    assert sees(table, datetime(2026, 1, 31, 12, tzinfo=UTC), first, last) is seen


@pytest.mark.parametrize(
    ("first", "seen"),
    [
        (datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC), True),
        (datetime(2026, 2, 1, tzinfo=UTC), False),
    ],
)
def test_among_timestamps_a_date_means_the_end_of_its_day(
    tmp_path: Path, first: datetime, seen: bool
) -> None:
    assert sees(dataset(tmp_path, "timestamp"), DAY, first, None) is seen


def test_a_timestamp_is_the_exact_instant(tmp_path: Path) -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    table = dataset(tmp_path, "timestamp")
    assert sees(table, noon, noon, None)
    assert not sees(table, noon, datetime(2026, 1, 1, tzinfo=UTC), noon)
