"""One session for the runs of a command: when it is kept, and when Spark starts again."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from rowbook.engine.session import shared_session
from rowbook.engine.session.session import Engine
from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.shared_session import SharedSession

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SMALL = EngineSettings(profile="small")
BULK = EngineSettings(profile="bulk")
DELTA = EngineSettings(profile="small", extras=frozenset({"delta"}))
ELSEWHERE = EngineSettings("local[1]", profile="small")


class Sessions:
    """What is opened and closed, in order; nothing starts."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.opened: list[EngineSettings] = []
        self.events: list[str] = []
        patch.setattr(shared_session, "open_session", self._open)

    def _open(self, settings: EngineSettings, *, debug: bool) -> Engine:
        assert not debug
        self.opened.append(settings)
        self.events.append("opened")
        endings = ExitStack()
        endings.callback(self.events.append, "closed")
        return Engine(cast("SparkSession", None), endings)

    def after(self, *needs: EngineSettings) -> list[EngineSettings]:
        with SharedSession() as shared:
            for needed in needs:
                with shared.lend(needed, lambda: self.events.append("told")):
                    self.events.append("run")
        return self.opened


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    return Sessions(monkeypatch)


def test_spark_starts_once_for_runs_of_one_need(sessions: Sessions) -> None:
    assert sessions.after(SMALL, SMALL, SMALL) == [SMALL]
    assert sessions.events == ["told", "opened", "run", "run", "run", "closed"]


def test_a_session_for_much_data_serves_little(sessions: Sessions) -> None:
    assert sessions.after(BULK, SMALL, BULK) == [BULK]


def test_for_more_data_spark_starts_again_once_and_that_is_told(sessions: Sessions) -> None:
    assert sessions.after(SMALL, BULK, SMALL) == [SMALL, BULK]
    again = ["told", "opened", "run", "closed", "told", "opened", "run", "run", "closed"]
    assert sessions.events == again


def test_a_session_that_starts_again_has_what_the_former_had(sessions: Sessions) -> None:
    both = EngineSettings(profile="bulk", extras=frozenset({"delta"}))
    assert sessions.after(DELTA, BULK, DELTA) == [DELTA, both]


def test_another_place_is_another_session(sessions: Sessions) -> None:
    assert sessions.after(SMALL, ELSEWHERE) == [SMALL, ELSEWHERE]


def test_where_nothing_runs_nothing_starts(sessions: Sessions) -> None:
    assert sessions.after() == []
    assert sessions.events == []


@pytest.mark.parametrize(
    ("session", "needed", "meets"),
    [
        (SMALL, SMALL, True),
        (BULK, SMALL, True),
        (SMALL, BULK, False),
        (DELTA, SMALL, True),
        (SMALL, DELTA, False),
        (SMALL, ELSEWHERE, False),
        (EngineSettings(scratch=Path("a")), EngineSettings(scratch=Path("b")), False),
    ],
)
def test_a_session_meets_needs(
    session: EngineSettings, needed: EngineSettings, meets: bool
) -> None:
    assert session.meets(needed) is meets
