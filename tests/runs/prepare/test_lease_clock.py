"""How long a lease lasts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from rowbook.runs.prepare.lease_clock import at_present, lease_time


@pytest.mark.parametrize(("setting", "seconds"), [(None, 60), ("", 60), ("2.5", 2.5)])
def test_a_lease_lasts_a_minute_or_as_long_as_is_set(
    setting: str | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROWBOOK_LEASE_SECONDS", raising=False)
    if setting is not None:
        monkeypatch.setenv("ROWBOOK_LEASE_SECONDS", setting)
    assert lease_time() == timedelta(seconds=seconds)


def test_times_of_records_are_utc() -> None:
    assert at_present().utcoffset() == timedelta(0)
