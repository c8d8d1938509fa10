"""Waiting for a writer: seen, and bounded."""

from __future__ import annotations

import pytest

from rowbook.errors import RowbookError
from rowbook.sources import waiting as module
from rowbook.sources.waiting import Waiting, wait_limit


class Clock:
    """Time passes by pauses alone."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now = round(self.now + seconds, 3)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def wait_in_vain(waiting: Waiting) -> None:
    while True:
        waiting.pause("r7", "the last beat")


def test_who_waits_says_so_after_a_second_and_gives_up_at_the_limit(clock: Clock) -> None:
    said: list[tuple[float, str]] = []
    waiting = Waiting("gl", lambda text: said.append((clock.now, text)), 5)
    with pytest.raises(RowbookError, match="OUTPUT_006  gl is being written by r7: waited 5 s"):
        wait_in_vain(waiting)
    assert said[0] == (1.0, "waiting for r7, which writes to gl")
    assert clock.now == 5.0


def test_a_writer_that_shows_that_it_is_at_work_is_waited_for(clock: Clock) -> None:
    waiting = Waiting("gl", limit=5)
    while clock.now < 60:
        waiting.pause("r7", clock.now // 4)
    with pytest.raises(RowbookError, match="OUTPUT_006"):
        wait_in_vain(waiting)
    assert 65 <= clock.now < 65.2


@pytest.mark.parametrize(("setting", "seconds"), [(None, 120), ("", 120), ("2.5", 2.5)])
def test_two_minutes_are_waited_or_as_long_as_is_set(
    setting: str | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROWBOOK_WAIT_SECONDS", raising=False)
    if setting is not None:
        monkeypatch.setenv("ROWBOOK_WAIT_SECONDS", setting)
    assert wait_limit() == seconds
