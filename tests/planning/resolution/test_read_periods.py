"""Which periods a view reads in a run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.resolution.read_periods import absence, read_periods
from rowbook.planning.run_context import RunContext
from tests.support.trial import Trial


def reading(trial: Trial, periods: str, more: str = "") -> Dataset:
    text = f"dataset: {{name: v, of: gl_entries, periods: {periods}{more}}}\n"
    found = trial.accepts(text).known.dataset("v", None)
    assert isinstance(found, Version)
    return typed(found)


def run_in(period: str) -> RunContext:
    found = GREGORIAN.parse(period)
    return RunContext("r", "p", datetime(2026, 1, 1, tzinfo=UTC), found, GREGORIAN, found.end)


@pytest.mark.parametrize(
    ("said", "period", "expected", "outside"),
    [
        ("current", "2026-02", ("2026-02",), ()),
        ("previous", "2026-01", ("2025-12",), ()),
        ("previous", "2026-Q1", ("2025-Q4",), ()),
        ("same_last_year", "2026-02", ("2025-02",), ()),
        ("year_to_date", "2026-03", ("2026-01", "2026-02", "2026-03"), ()),
        ("{trailing: 1}", "2026-03", ("2026-03",), ()),
        ("{trailing: 3}", "2026-02", ("2025-12", "2026-01", "2026-02"), ()),
        ("{offset: -3}", "2026-02", ("2025-11",), ()),
        ("{offset: 0}", "2026-02", ("2026-02",), ()),
        ("{offset: 1}", "2026-12", ("2027-01",), ()),
        ("all", "2026-02", ("2026-02",), ()),
        ("previous", "1900-01", (), ("1 month before 1900-01",)),
        ("same_last_year", "2026-W53", (), ("the week of last year like 2026-W53",)),
        ("{trailing: 4}", "1900-02", ("1900-01", "1900-02"), ("2 months before 1900-01",)),
        ("{offset: 13}", "2998", (), ("13 years after 2998",)),
    ],
)
def test_periods_are_counted_from_the_run_at_its_level(
    said: str, period: str, expected: tuple[str, ...], outside: tuple[str, ...], trial: Trial
) -> None:
    found = read_periods(reading(trial, said), run_in(period))
    assert (found.identifiers, found.outside) == (expected, outside)


@pytest.mark.parametrize(
    ("missing", "severity"), [("error", "error"), ("warn", "warning"), ("empty", None)]
)
def test_a_period_without_data_is_what_the_view_says(
    missing: str, severity: str | None, trial: Trial
) -> None:
    dataset = reading(trial, "previous", f", missing: {missing}")
    found = absence(dataset, ("2025-12", "2025-11"))
    assert absence(dataset, ()) is None
    assert (found and found.severity) == severity
    if found is not None:
        message = "dataset 'v' has no data of 'gl_entries' for 2025-12, 2025-11"
        assert (found.code, found.message) == ("DATASET_019", message)
