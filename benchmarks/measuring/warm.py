"""Taking turns in one process, where a session is open and stays warm."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.measuring.processor_time import processor_seconds
from benchmarks.measuring.results import Measurement, Results, shown_seconds
from benchmarks.measuring.turns import Rules, reason_in

_WARM_UP_TURNS = 3


@dataclass(frozen=True, slots=True)
class Left:
    """What a run left: bytes, and in how many files; None where that is nothing to be told."""

    written_bytes: int | None = None
    files: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """What a contestant does, and what is done after it that is not its work: to look at what it
    left, and to tidy up for the next one."""

    run: Callable[[], object]
    after: Callable[[], Left] = Left


def take_warm(
    results: Results,
    case: str,
    works: Mapping[str, Work],
    rules: Rules,
    give_up: Callable[[], None],
    *,
    warm_up_turns: int = _WARM_UP_TURNS,
) -> None:
    """Measures all contestants of a case in turns, as often as asked, less what is there already;
    before that each gets warm. One that fails is not tried again. `give_up` is called from another
    thread when a run takes too long, to end what it is at."""
    for number in range(1 - warm_up_turns, rules.repetitions + 1):
        for name, work in works.items():
            wanted = number if number > 0 else rules.repetitions
            if len(results.of(name, case)) >= wanted or results.failure(name, case):
                continue
            measured = _measure(name, case, work, rules.limit, give_up)
            if number < 1 and measured.failed is None:
                continue
            results.measurements.append(measured)
            results.save(rules.scratch)
            told = measured.failed or shown_seconds(measured.seconds or 0)
            print(f"{max(number, 1)}/{rules.repetitions}  {case}  {name}: {told}", flush=True)


def _measure(
    name: str, case: str, work: Work, limit: float, give_up: Callable[[], None]
) -> Measurement:
    overdue = threading.Event()

    def stop() -> None:
        overdue.set()
        give_up()

    watch = threading.Timer(limit, stop)
    watch.daemon = True
    watch.start()
    processor, begin = processor_seconds(), time.perf_counter()
    try:
        work.run()
        seconds = time.perf_counter() - begin
        processor = processor_seconds() - processor
    except Exception:
        if overdue.is_set():
            return _late(name, case, limit)
        complained = traceback.format_exc()
        print(complained, file=sys.stderr)
        return Measurement(name, case, None, failed=reason_in(complained))
    finally:
        watch.cancel()
        watch.join()
    if overdue.is_set():
        return _late(name, case, limit)
    left = work.after()
    return Measurement(
        name,
        case,
        seconds,
        written_bytes=left.written_bytes,
        files=left.files,
        processor_seconds=processor,
    )


def _late(name: str, case: str, limit: float) -> Measurement:
    return Measurement(name, case, None, failed=f"> {limit:.0f} s")
