"""From the shell to the first rows, and to closed months: commands on few rows, from their start.

    python -m benchmarks.start
    python -m benchmarks.start --before ../an-earlier-checkout

Cases, of which each contestant does what it can, in turns:

- `rowbook preview` on examples/close;
- on the workspace that `rowbook init` makes: `preview`, `test`, `run --period`, and `run --periods`
  with three months, of which the first and the third are told by when each is said to be complete.

Contestants:

- rowbook, which starts no Spark for so few rows;
- rowbook, before: the same with the code of another checkout, named by --before;
- PySpark scripts that read the same files and show or write the same rows.

Where Spark starts, it has the class-data archive that Rowbook makes of its classes, in a cache
folder for this benchmark alone. Python modules are compiled before.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
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
from rowbook.starter.creation import init_workspace

NAME = "start"
EXAMPLE = Path(__file__).parents[1] / "examples" / "close"
PEERS = Path(__file__).parent / "peers"
ROWBOOK, BEFORE, BY_HAND = "rowbook", "rowbook, before", "pyspark script"
MONTHS = ("2026-01", "2026-02", "2026-03")
CLOSE = ("run", "monthly_close")
_SETTLED, _LOOKS = 3.0, 4
"""Seconds between looks at archives, and after how many looks none is waited for."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is typed in a workspace. A line of what it prints `says` that a part of it is done;
    parts that have a name are measured, each from the end of the one before."""

    example: bool
    rowbook: tuple[str, ...]
    script: tuple[str, ...] | None
    says: str
    parts: tuple[str | None, ...]


_FIRST = ("preview", "monthly_close", "--period", "2026-01", "--limit", "10", "--after")
TASKS = (
    Task(True, (*_FIRST, "20"), ("pyspark_preview.py",), "J202601-", ("preview, the example",)),
    Task(False, (*_FIRST, "60"), None, "202601-", ("preview, the starter",)),
    Task(False, ("test",), None, "passed", ("test, the starter",)),
    Task(
        False,
        (*CLOSE, "--period", MONTHS[0]),
        ("pyspark_starter.py", MONTHS[0]),
        "completed",
        ("run, a month",),
    ),
    Task(
        False,
        (*CLOSE, "--periods", f"{MONTHS[0]}..{MONTHS[-1]}"),
        ("pyspark_starter.py", *MONTHS),
        "completed",
        ("run, first of three months", None, "run, third of three months"),
    ),
)


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    environment: Mapping[str, str]

    def words(self, task: Task) -> tuple[str, ...] | None:
        """None where there is no script for it."""
        if self.name != BY_HAND:
            return (sys.executable, "-m", "rowbook", *task.rowbook)
        if task.script is None:
            return None
        return (sys.executable, str(PEERS / task.script[0]), *task.script[1:])

    def times(self, task: Task, folder: Path) -> Iterator[tuple[str, float]]:
        """Of the parts of a task that have a name; the last one ends with the command."""
        words = self.words(task)
        if words is None:
            return
        ends = list(self._ends(words, folder, task))
        if len(ends) < len(task.parts):
            raise SystemExit(f"{' '.join(words)}: only {len(ends)} of {len(task.parts)} were done")
        for part, begin, end in zip(task.parts, [0.0, *ends], ends, strict=False):
            if part is not None:
                yield part, end - begin

    def _ends(self, words: tuple[str, ...], folder: Path, task: Task) -> Iterator[float]:
        place = EXAMPLE if task.example else folder
        begin = time.perf_counter()
        with (
            tempfile.TemporaryFile("w+") as said,
            subprocess.Popen(
                words,
                env=dict(self.environment),
                cwd=place,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            ) as command,
        ):
            assert command.stdout is not None
            ends = [time.perf_counter() - begin for line in command.stdout if task.says in line]
            code = command.wait()
            took = time.perf_counter() - begin
            said.seek(0)
            if code:
                raise SystemExit(f"{' '.join(words)} failed:\n{said.read()}")
        last = len(task.parts) - 1
        yield from ends[:last]
        if len(ends) > last:
            yield took


def main() -> None:
    made = parser(__doc__ or "", repetitions=5, limit=60)
    made.add_argument("--before", type=Path, help="another checkout, to measure its code too")
    options = made.parse_args()
    finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    results = started(NAME)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        workspace = Path(folder, "acme_close")
        init_workspace(workspace, "close")
        contestants = list(_contestants(Path(folder), options.before))
        for contestant in contestants:
            for task in TASKS:
                list(contestant.times(task, workspace))
        _await_archives(Path(folder))
        for _ in range(options.repetitions):
            for task in TASKS:
                for contestant in contestants:
                    for case, took in contestant.times(task, workspace):
                        results.measurements.append(Measurement(contestant.name, case, took))
                        print(f"{contestant.name}, {case}: {shown_seconds(took)}", flush=True)
    return results


def _contestants(folder: Path, before: Path | None) -> Iterator[Contestant]:
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "PYTHONUNBUFFERED": "1",
        "JAVA_HOME": str(rowbook_side.java_home()),
    }
    for name in ("PYTHONDONTWRITEBYTECODE", "ROWBOOK_NO_ARCHIVE"):
        environment.pop(name, None)
    yield Contestant(ROWBOOK, environment)
    if before is not None:
        yield Contestant(BEFORE, {**environment, "PYTHONPATH": str(before.resolve() / "src")})
    yield Contestant(BY_HAND, environment)


def _await_archives(folder: Path) -> None:
    """The first JVM of a kind writes its archive after its command has ended."""
    sizes: list[int] = []
    while len(sizes) < _LOOKS or sizes[-1] != sizes[-2]:
        time.sleep(_SETTLED)
        sizes.append(sum(path.stat().st_size for path in folder.rglob("*.jsa")))


def report(results: Results) -> Report:
    """A line for each case, a column for each contestant, and the ratio to the script's."""
    names = results.contestants()
    rows = [
        [
            case,
            *(label(results, name, case) for name in names),
            ratio(results, ROWBOOK, BY_HAND, case),
        ]
        for case in results.cases()
    ]
    table = markdown(("from the shell", *names, f"{ROWBOOK} × script"), rows)
    title = "From the shell to rows and to closed months: median seconds, less is better"
    chart = bars(title, [panel(results, case) for case in results.cases()], ROWBOOK)
    return Report(table, chart, "Seconds from the shell to rows and to closed months")


if __name__ == "__main__":
    main()
