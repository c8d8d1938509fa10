"""From the shell to the first rows on Spark: `rowbook preview` on examples/close.

    python -m benchmarks.start

Three commands take turns, each from its start to its end:

- `rowbook preview`, cold: without the class-data archive that Rowbook makes of Spark's classes;
- `rowbook preview` with that archive, as from the second run on;
- a PySpark script that reads the same files, does the same two steps and prints as many rows.

Archives are made in a cache folder for this benchmark alone. Python modules are compiled before.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import rowbook_side
from benchmarks.measuring.chart import bars, panel
from benchmarks.measuring.command import finished, parser, started
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import (
    Measurement,
    Results,
    label,
    markdown,
    ratio,
    shown_seconds,
)

NAME = "start"
CASE = "to the first rows"
EXAMPLE = Path(__file__).parents[1] / "examples" / "close"
SCRIPT = Path(__file__).parent / "peers" / "pyspark_preview.py"
PREVIEW = (
    *("preview", "monthly_close", "--period", "2026-01", "--after", "20", "--limit", "10"),
    *("--engine", "spark"),
)
COLD, WARM, BY_HAND = "rowbook, cold", "rowbook, with archive", "pyspark script"
_SETTLED = 3.0


@dataclass(frozen=True, slots=True)
class Command:
    """What is typed, and where."""

    words: tuple[str, ...]
    environment: Mapping[str, str]

    def run(self) -> None:
        """To its end; what it prints must have rows in it."""
        done = subprocess.run(
            self.words, env=dict(self.environment), cwd=EXAMPLE, capture_output=True, text=True
        )
        if done.returncode or "J202601-" not in done.stdout:
            raise SystemExit(f"{' '.join(self.words)} failed:\n{done.stdout}{done.stderr}")


def main() -> None:
    options = parser(__doc__ or "", repetitions=5, limit=60).parse_args()
    finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    results = started(NAME)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        commands = _commands(Path(folder))
        for command in commands.values():
            command.run()
        _await_archive(Path(folder))
        for _ in range(options.repetitions):
            for name, command in commands.items():
                begin = time.perf_counter()
                command.run()
                took = time.perf_counter() - begin
                results.measurements.append(Measurement(name, CASE, took))
                print(f"{name}: {shown_seconds(took)}", flush=True)
    return results


def _commands(folder: Path) -> dict[str, Command]:
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "JAVA_HOME": str(rowbook_side.java_home()),
    }
    for name in ("PYTHONDONTWRITEBYTECODE", "ROWBOOK_NO_ARCHIVE"):
        environment.pop(name, None)
    rowbook = str(Path(sys.executable).parent / "rowbook")
    return {
        COLD: Command((rowbook, *PREVIEW), {**environment, "ROWBOOK_NO_ARCHIVE": "1"}),
        WARM: Command((rowbook, *PREVIEW), environment),
        BY_HAND: Command((sys.executable, str(SCRIPT)), environment),
    }


def _await_archive(folder: Path) -> None:
    """The first JVM writes the archive after its command has ended."""
    limit, before = time.monotonic() + 120, -1
    while time.monotonic() < limit:
        time.sleep(_SETTLED)
        found = [p for p in folder.rglob("*.jsa") if not p.name.startswith("base-")]
        size = sum(path.stat().st_size for path in found)
        if size and size == before:
            return
        before = size
    raise SystemExit("no class-data archive was written")


def report(results: Results) -> Report:
    """Times and their ratio to the script's."""
    rows = [
        [name, label(results, name, CASE), ratio(results, name, BY_HAND, CASE)]
        for name in results.contestants()
    ]
    table = markdown(("command", "median (least – most)", "× script"), rows)
    title = "From the shell to the first rows: median seconds, less is better"
    chart = bars(title, [panel(results, CASE)], WARM)
    return Report(table, chart, "Seconds from the shell to the first rows")


if __name__ == "__main__":
    main()
