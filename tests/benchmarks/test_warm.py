"""Turns in one process: who gets them, how often, and what becomes of those who fail."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest
from benchmarks.measuring.results import Measurement, Results
from benchmarks.measuring.turns import Rules
from benchmarks.measuring.warm import Left, Work, take_warm

CASE = "a case"


@pytest.fixture
def results() -> Results:
    return Results("trial", "python -m benchmarks.trial", "2026-01-31", {}, {}, 0.1)


def nobody() -> None:
    raise AssertionError("nothing takes too long here")


def test_contestants_take_turns_and_get_warm_before(results: Results, tmp_path: Path) -> None:
    seen: list[str] = []
    works = {name: Work(partial(seen.append, name)) for name in "ab"}
    take_warm(results, CASE, works, Rules(2, 60, tmp_path), nobody)
    assert seen == ["a", "b"] * 5
    assert [m.contestant for m in results.measurements] == ["a", "b", "a", "b"]


def test_what_a_run_left_is_kept_with_its_time(results: Results, tmp_path: Path) -> None:
    works = {"a": Work(lambda: None, lambda: Left(7, 2))}
    take_warm(results, CASE, works, Rules(1, 60, tmp_path), nobody)
    (measured,) = Results.load("trial", tmp_path).measurements
    assert (measured.written_bytes, measured.files) == (7, 2)
    assert measured.seconds is not None


def test_only_what_is_missing_is_measured(results: Results, tmp_path: Path) -> None:
    results.measurements += [Measurement("a", CASE, 1.0)] * 2 + [Measurement("b", CASE, 1.0)]
    seen: list[str] = []
    works = {name: Work(partial(seen.append, name)) for name in "ab"}
    take_warm(results, CASE, works, Rules(2, 60, tmp_path), nobody)
    assert set(seen) == {"b"}
    assert [len(results.of(name, CASE)) for name in "ab"] == [2, 2]


def test_who_fails_has_a_reason_and_no_second_try(
    results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise ValueError("no such table")

    works = {"a": Work(fails), "b": Work(lambda: None)}
    take_warm(results, CASE, works, Rules(2, 60, tmp_path), nobody)
    assert results.failure("a", CASE) == "failed: ValueError: no such table"
    assert [len(results.of(name, CASE)) for name in "ab"] == [1, 2]
    assert "no such table" in capsys.readouterr().err


def test_who_takes_too_long_is_stopped(results: Results, tmp_path: Path) -> None:
    stopped = threading.Event()

    def waits() -> None:
        assert stopped.wait(30)
        raise RuntimeError("cancelled")

    take_warm(results, CASE, {"a": Work(waits)}, Rules(3, 0.01, tmp_path), stopped.set)
    assert [m.failed for m in results.measurements] == ["> 0 s"]
