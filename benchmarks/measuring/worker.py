"""The other side of a turn: a fresh process that prepares, does the timed part once, and answers.

It is the benchmark's own module, started with `--worker` and its job as JSON. The answer is one
line of JSON on standard output, with the fields of a Measurement that the worker can know.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measuring.memory import family, peak_megabytes


def timed(
    work: Callable[[], object], limit: int, written_bytes: Callable[[], int] | None = None
) -> None:
    """Does the work, and answers with its seconds and the peak memory, and with the bytes that it
    wrote, where these are counted; after `limit` seconds gives up and ends the process."""
    watch = threading.Timer(limit, _give_up, [limit])
    watch.daemon = True
    watch.start()
    begin = time.perf_counter()
    work()
    seconds = time.perf_counter() - begin
    watch.cancel()
    written = {} if written_bytes is None else {"written_bytes": written_bytes()}
    _answer({"seconds": seconds, "peak_megabytes": peak_megabytes(), **written})


def into_page_cache(folder: Path) -> None:
    """Reads all files once, so that the first contestant does not wait for the disk alone."""
    for path in folder.rglob("*.parquet"):
        path.read_bytes()


def _give_up(limit: int) -> None:
    _answer({"seconds": None, "failed": f"> {limit} s"})
    me, *others = family(os.getpid())
    for process in (*others, me):
        os.kill(process, signal.SIGKILL)


def _answer(told: dict[str, object]) -> None:
    print(json.dumps(told), flush=True)
