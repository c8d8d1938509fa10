"""Commands one after another in a process of its own, on one session whose JVM says all it has to
say. Each line of stdin is a command, as JSON: its words, and variables. Each is answered by a line
with its exit code, after what it printed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from rowbook.cli.app import _print_trace, run
from rowbook.engine.session.jars import EXTRAS
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.engine.session.sizing import FEW_ROWS
from tests.starter.shared_session import shared_session

ENDED = "ended with "


def main() -> None:
    settings = EngineSettings(profile="small", extras=frozenset(EXTRAS), conf=FEW_ROWS)
    with open_session(settings, debug=True) as engine, shared_session(engine.spark):
        os.chdir(Path(sys.argv[1]))
        for line in sys.stdin:
            asked = json.loads(line)
            os.environ.update(asked["environment"])
            print(f"{ENDED}{_code(asked['arguments'])}", flush=True)


def _code(arguments: list[str]) -> int:
    try:
        return run(arguments)
    except Exception as error:
        _print_trace(type(error), error, error.__traceback__)
        return 1


if __name__ == "__main__":
    main()
