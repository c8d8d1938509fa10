"""The command line that benchmarks share, from options to the page."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.ledger_data import default_folder
from benchmarks.measuring.machine import load, machine, versions
from benchmarks.measuring.page import Report, publish
from benchmarks.measuring.results import Results
from benchmarks.measuring.turns import Rules, Turn, take


def parser(description: str, *, repetitions: int, limit: int) -> argparse.ArgumentParser:
    """The options of every benchmark, with their usual values."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--data", type=Path, default=default_folder(), help="where data is kept")
    made.add_argument("--repetitions", type=int, default=repetitions)
    made.add_argument(
        "--limit", type=int, default=limit, help="seconds after which a run is given up"
    )
    made.add_argument("--print", action="store_true", help="only print: leave results and docs")
    made.add_argument("--render", action="store_true", help="docs again, from the stored results")
    made.add_argument("--resume", action="store_true", help="go on after an interruption")
    made.add_argument("--worker", type=json.loads, help=argparse.SUPPRESS)
    return made


def started(name: str) -> Results:
    """No measurements yet; the command as it was typed, without places of this machine."""
    typed = [word for word in sys.argv[1:] if word not in ("--print", "--resume")]
    for place in ("--data", "--before"):
        if place in typed:
            at = typed.index(place)
            del typed[at : at + 2]
    command = shlex.join(["python", "-m", f"benchmarks.{name}", *typed])
    today = datetime.now(UTC).date().isoformat()
    return Results(name, command, today, machine(), versions(), load())


def resumed(name: str, folder: Path) -> Results:
    """What an interrupted run has measured; refused where versions have changed since."""
    before, now = Results.load(name, folder), started(name)
    if before.versions != now.versions:
        raise SystemExit(f"measured with {before.versions}; now it is {now.versions}: start again")
    before.command = now.command
    return before


def begun(name: str, options: argparse.Namespace) -> Results:
    """What there is before the first turn: nothing, or what an interrupted run left beside the
    data."""
    options.data.mkdir(parents=True, exist_ok=True)
    return resumed(name, options.data) if options.resume else started(name)


def measured(name: str, turns: Sequence[Turn], options: argparse.Namespace) -> Results:
    """All turns, taken by workers. What is there so far is kept beside the data."""
    results = begun(name, options)
    take(
        results,
        f"benchmarks.{name}",
        turns,
        Rules(options.repetitions, options.limit, options.data),
    )
    return results


def finished(
    name: str,
    options: argparse.Namespace,
    measure: Callable[[], Results],
    report: Callable[[Results], Report],
) -> None:
    """Measures, then prints and publishes; or publishes again what was measured before."""
    results = Results.load(name) if options.render else measure()
    if not options.render:
        results.load_after = load()
    label = report(results)
    print(f"\n{label.table}")
    if options.print:
        return
    results.save()
    publish(results, label)
