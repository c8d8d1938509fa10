"""Taking turns: each measurement in a fresh process, contestants one after the other.

A benchmark's module is also its worker (see worker.py). Turns go case by case and, within a case,
contestant by contestant, and then all over again: what disturbs the machine for a while hits all.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring.memory import family
from benchmarks.measuring.results import Measurement, Results, shown_seconds

Job = Mapping[str, str | int]

_ROOT = Path(__file__).parents[2]
_PREPARING = 300.0
"""Seconds a worker may take beside the timed part."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What is measured: a contestant on a case, and the job its worker gets."""

    contestant: str
    case: str
    job: Job


@dataclass(frozen=True, slots=True)
class Rules:
    """How often each turn is taken, how many seconds its timed part may last, and where workers get
    a folder each for what they write; it is removed after them."""

    repetitions: int
    limit: float
    scratch: Path


def take(results: Results, module: str, turns: Sequence[Turn], rules: Rules) -> None:
    """Measures all turns as often as asked, less what is there already. One that fails is not tried
    again."""
    for number in range(1, rules.repetitions + 1):
        for turn in turns:
            made = len(results.of(turn.contestant, turn.case))
            if made >= number or results.failure(turn.contestant, turn.case):
                continue
            measured = _measure(module, turn, rules)
            results.measurements.append(measured)
            results.save(rules.scratch)
            told = measured.failed or shown_seconds(measured.seconds or 0)
            counted = f"{number}/{rules.repetitions}"
            print(f"{counted}  {turn.case}  {turn.contestant}: {told}", flush=True)


def _measure(module: str, turn: Turn, rules: Rules) -> Measurement:
    with tempfile.TemporaryDirectory(dir=rules.scratch, ignore_cleanup_errors=True) as folder:
        said, complained = _worker(module, {**turn.job, "limit": int(rules.limit)}, folder)
    answer = next((line for line in reversed(said.splitlines()) if line.startswith("{")), None)
    if answer is None:
        print(complained, file=sys.stderr)
        return Measurement(turn.contestant, turn.case, None, failed=reason_in(complained))
    return Measurement(turn.contestant, turn.case, **json.loads(answer))


def _worker(module: str, job: Job, folder: str) -> tuple[str, str]:
    """What a worker prints. Nothing that it started outlives it. Class-data archives are off: they
    only matter to the start, and writing one would disturb the next measurement."""
    environment = {**os.environ, "TMPDIR": folder, "ROWBOOK_NO_ARCHIVE": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    worker = subprocess.Popen(
        [sys.executable, "-m", module, "--worker", json.dumps(dict(job))],
        cwd=_ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        return worker.communicate(timeout=int(job["limit"]) + _PREPARING)
    except subprocess.TimeoutExpired:
        return "", f"no answer after {_PREPARING:.0f} s beside the timed part"
    finally:
        if worker.poll() is None:
            _end(family(worker.pid))
        worker.wait()


def _end(processes: Sequence[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def reason_in(complained: str) -> str:
    """Why there is no time, in a few words, from all that was said."""
    for mark, words in _REASONS.items():
        if mark in complained:
            return f"failed: {words}"
    last = complained.strip().splitlines()[-1:] or ["no answer"]
    return f"failed: {last[0][:60]}"


_REASONS = {
    "StackOverflowError": "stack overflow",
    "RecursionError": "stack overflow",
    "OutOfMemoryError": "out of memory",
    "MemoryError": "out of memory",
    "No space left on device": "disk full",
}
