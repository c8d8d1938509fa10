"""`python -m tests.torture --seed 7 --minutes 60`: says what was done and how it ended."""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.support.connect_server import connect_server
from tests.support.crashing_database import running_database
from tests.support.postgres_server import NoServerError
from tests.torture.machine import Machine
from tests.torture.preload import compiled


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--minutes", type=float, default=10.0)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rowbook-torture-"))
    print(f"seed {options.seed}, {options.minutes:g} minutes, in {folder}", flush=True)
    (folder / "spark").mkdir()
    with ExitStack() as resources:
        engine, database = resources.enter_context(connect_server(folder / "spark")), None
        try:
            database = resources.enter_context(running_database())
        except NoServerError as missing:
            print(f"no database is crashed: {missing}")
        machine = Machine(folder / "world", engine, options.seed, compiled(folder), database)
        limit, count = time.monotonic() + options.minutes * 60, 0
        while time.monotonic() < limit:
            try:
                machine.episode()
            except (AssertionError, subprocess.TimeoutExpired) as violation:
                print(f"episode {count + 1} of seed {options.seed}: {violation}", file=sys.stderr)
                print(f"left as it is in {folder}", file=sys.stderr)
                return 1
            count += 1
            if count % 20 == 0:
                print(f"{count} episodes", flush=True)
    print(f"{count} episodes, nothing violated")
    for end, times in sorted(machine.ends.items()):
        print(f"  {times:5}  {end}")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
