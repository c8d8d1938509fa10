"""A hook for tests that do something to the process between any two durable changes.

`ROWBOOK_KILL_AT_WRITE=n` ends the process with SIGKILL at the n-th write point;
`ROWBOOK_WAIT_AT_WRITE=n:FOLDER` makes a file `reached` there, and waits until a file `on` comes;
`ROWBOOK_COUNT_WRITES=FILE` leaves a line for each of them there, with its name. They are read once,
at import; without them a write point costs one comparison.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from pathlib import Path

_KILL_AT = int(os.environ.get("ROWBOOK_KILL_AT_WRITE") or 0)
_WAIT_AT, _, _WAIT_FOLDER = (os.environ.get("ROWBOOK_WAIT_AT_WRITE") or "0").partition(":")
_COUNT_FILE = os.environ.get("ROWBOOK_COUNT_WRITES")
_WATCHED = bool(_KILL_AT or _WAIT_FOLDER or _COUNT_FILE)
_PACE = 0.005
_numbers = itertools.count(1)  # one step, so that threads need no lock


def write_point(name: str) -> None:
    """Call immediately before and immediately after each durable change; `name` says which."""
    if not _WATCHED:
        return
    number = next(_numbers)
    if _COUNT_FILE:
        with Path(_COUNT_FILE).open("a", encoding="utf-8") as count:
            count.write(f"{name}\n")
    if number == _KILL_AT:
        print(f"killed at write point {number}: {name}", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if number == int(_WAIT_AT):
        Path(_WAIT_FOLDER, "reached").write_text(name, encoding="utf-8")
        while not Path(_WAIT_FOLDER, "on").exists():
            time.sleep(_PACE)
