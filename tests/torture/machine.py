"""Episodes of torture, drawn from one seed: a run is disturbed, then what must hold is checked.

The same seed gives the same episodes; where processes race it need not give the same end.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rowbook.runs.open_workspace import OpenWorkspace
from tests.torture.preload import ERRORS, failing_calls, shifted_clock
from tests.torture.world import PERIODS, World

_PATIENCE = 300.0
_POINTS = 60
"""About as many write points as a run has."""
_CALLS = 400
"""About as many changes of files as a run makes."""
_HOUR = 3600
CODES = {
    0: "completed",
    1: "an error",
    2: "not begun",
    3: "failed",
    4: "refused",
    -signal.SIGKILL: "killed",
}


@dataclass(slots=True)
class Command:
    """`rowbook` at work, in a process of its own; its words go into a file."""

    process: subprocess.Popen[bytes]
    said: Path

    def end(self) -> int:
        code = self.process.wait(_PATIENCE)
        text = self.said.read_text(encoding="utf-8", errors="replace")
        assert code in CODES, f"exit code {code}\n{text}"
        assert "INTERNAL" not in text, text
        assert "Traceback" not in text, text
        return code


@dataclass(slots=True)
class Machine:
    """`engine` is where Spark is; without `library` there are no faults of the system."""

    folder: Path
    engine: str
    seed: int
    library: Path | None = None
    ends: Counter[str] = field(default_factory=Counter)
    """How the commands of each kind of episode ended."""
    _random: random.Random = field(init=False)
    _world: World = field(init=False)
    _other: World = field(init=False)
    _number: int = 0
    _kind: str = ""

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        tables = self.folder / "tables"
        self._world = World(self.folder / "one", tables)
        self._other = World(self.folder / "two", tables, generation=10_000_000)
        self._world.others.append(self._other)
        for world in (self._world, self._other):
            world.make()
            for words in (("apply", "--yes"), ("activate", "close")):
                assert self._start(world, *words).end() == 0

    def episode(self) -> str:
        """One more; gives what was done."""
        self._number += 1
        episodes: list[Callable[[], None]] = [
            self._killed,
            self._changed_input,
            self._stopped,
            self._side_by_side,
            *((self._faulty, self._clock) if self.library else ()),
        ]
        act = self._random.choice(episodes)
        self._kind = act.__name__.removeprefix("_").replace("_", " ")
        act()
        self._world.check()
        return self._kind

    # --- episodes

    def _killed(self) -> None:
        number = self._random.randint(1, _POINTS)
        self._run(ROWBOOK_KILL_AT_WRITE=str(number))
        if self._random.random() < 0.5:
            self._go_on()

    def _changed_input(self) -> None:
        with self._waiting() as (command, period):
            if command is not None:
                self._change(period)
        if self._random.random() < 0.3:
            self._go_on()

    def _stopped(self) -> None:
        """While one is stopped, the same is refused, and another period waits or is done."""
        with self._waiting() as (command, period):
            if command is None:
                return
            command.process.send_signal(signal.SIGSTOP)
            try:
                self._check_alone(period)
                other = next(each for each in PERIODS if each != period)
                quick = {"ROWBOOK_WAIT_SECONDS": "2"}
                self._ended(self._start(self._world, *_run(other), **quick).end())
                if self._random.random() < 0.3:
                    command.process.kill()
            finally:
                command.process.send_signal(signal.SIGCONT)

    def _side_by_side(self) -> None:
        """Two workspaces write to the same tables."""
        number = str(self._random.randint(1, _POINTS))
        first = {"ROWBOOK_KILL_AT_WRITE": number} if self._random.random() < 0.5 else {}
        commands = [
            self._start(self._world, *_run(PERIODS[0]), **first),
            self._start(self._other, *_run(PERIODS[1])),
        ]
        for command in commands:
            self._ended(command.end())

    def _faulty(self) -> None:
        assert self.library is not None
        error = ERRORS[self._random.choice(sorted(ERRORS))]
        number, times = self._random.randint(1, _CALLS), self._random.choice((1, 5, 1_000_000))
        below = self._random.choice((self._world.tables, self._world.folder / ".rowbook"))
        self._run(**failing_calls(self.library, below, number, error, times))
        if self._random.random() < 0.5:
            self._go_on()

    def _clock(self) -> None:
        """The clock is an hour off, and then off the other way, while the run is at work."""
        assert self.library is not None
        clock, jump = self.folder / "clock", self._random.choice((-_HOUR, _HOUR))
        clock.write_text("0")
        with self._waiting(**shifted_clock(self.library, clock)) as (command, period):
            clock.write_text(str(jump))
            if command is not None:
                self._check_alone(period)

    # --- their parts

    @contextmanager
    def _waiting(self, **environment: str) -> Iterator[tuple[Command | None, str]]:
        """A run that waits at one of its write points, and is waited for afterwards; None where it
        ended before."""
        place = self.folder / f"point-{self._number}"
        place.mkdir()
        period, number = self._random.choice(PERIODS), self._random.randint(1, _POINTS)
        waits = {"ROWBOOK_WAIT_AT_WRITE": f"{number}:{place}"}
        command = self._start(self._world, *_run(period), **environment, **waits)
        try:
            while not (place / "reached").exists() and command.process.poll() is None:
                time.sleep(0.01)
            yield (command if (place / "reached").exists() else None), period
        finally:
            (place / "on").touch()
            self._ended(command.end())
            shutil.rmtree(place)

    def _check_alone(self, period: str) -> None:
        """A second run is not done where the first one has begun and not ended; it is refused, or
        waits for the store in vain."""
        with OpenWorkspace(self._world.folder) as workspace:
            running = workspace.store.runs.newest(period=period, status="running")
        again = self._start(self._world, *_run(period)).end()
        assert not running or again != 0, f"a second run was done beside {running[0].id}"
        self._ended(again)

    def _change(self, period: str) -> None:
        world, act = self._world, self._random.choice(("rename", "in place", "quietly", "add"))
        name = self._random.choice(("a.csv", "b.csv"))
        extra = world.inbox(period) / "c.csv"
        if act == "add" and extra.exists():
            extra.unlink()
        elif act == "add":
            world.put(period, extra.name)
        else:
            world.put(period, name, in_place=act != "rename", quietly=act == "quietly")

    def _go_on(self) -> None:
        """Resumes what failed last, if that can be: refused where the input is another one."""
        listed = self._start(self._world, "runs", "list", "--format", "json")
        assert listed.end() == 0
        run_id = self._last_failed()
        if run_id is not None:
            self._ended(self._start(self._world, "runs", "resume", run_id).end())

    def _last_failed(self) -> str | None:
        with OpenWorkspace(self._world.folder) as workspace:
            newest = workspace.store.runs.newest(limit=1)
        return newest[0].id if newest and newest[0].status == "failed" else None

    def _run(self, **environment: str) -> None:
        period = self._random.choice(PERIODS)
        self._ended(self._start(self._world, *_run(period), **environment).end())

    def _ended(self, code: int) -> None:
        self.ends[f"{self._kind}: {CODES[code]}"] += 1

    def _start(self, world: World, *words: str, **environment: str) -> Command:
        needs_spark = words[0] == "run" or words[:2] == ("runs", "resume")
        engine = ("--engine", self.engine) if needs_spark else ()
        said = self.folder / f"said-{self._number % 100}-{random.randrange(1 << 30)}"
        variables: Mapping[str, str] = {**os.environ, "ROWBOOK_TRUST": "1", **environment}
        with said.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "rowbook", *words, "-C", str(world.folder), *engine],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=variables,
            )
        return Command(process, said)


def _run(period: str) -> tuple[str, ...]:
    return "run", "close", "--period", period
