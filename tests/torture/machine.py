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
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.crashing_database import CRASHES, CrashingDatabase
from tests.support.postgres_server import PASSWORD
from tests.torture.database_world import DatabaseWorld
from tests.torture.preload import ERRORS, failing_calls, shifted_clock
from tests.torture.world import PERIODS, World

_PATIENCE = 300.0
_CALLS = 400
"""About as many changes of files as a run makes."""
_HOUR = 3600
_LOCAL = "local[1]"
_LOCAL_SHARE = 0.1
"""Of the episodes: there each run starts a Spark of its own, and keeps its input by links."""
_ON_SERVER_SHARE = 0.4
"""Of the episodes that any world will do for."""
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
    writes: Path
    """Where its write points are counted."""
    world: World

    def end(self) -> int:
        code = self.process.wait(_PATIENCE)
        if code == 0 and self.writes.exists():
            self.world.points = len(self.writes.read_text().splitlines())
        self.writes.unlink(missing_ok=True)
        text = self.said.read_text(encoding="utf-8", errors="replace")
        assert code in CODES, f"exit code {code}\n{text}"
        assert "INTERNAL" not in text, text
        assert "Traceback" not in text, text
        return code


@dataclass(slots=True)
class Machine:
    """`engine` is a Connect server, where most runs go. Without `library` there are no faults of
    the system, without `database` no worlds that need one."""

    folder: Path
    engine: str
    seed: int
    library: Path | None = None
    database: CrashingDatabase | None = None
    ends: Counter[str] = field(default_factory=Counter)
    """How the commands of each kind of episode ended."""
    _random: random.Random = field(init=False)
    _world: World = field(init=False)
    _other: World = field(init=False)
    _on_server: list[World] = field(default_factory=list)
    """The store in a database; input and outputs; all of it."""
    _number: int = 0
    _kind: str = ""
    _is_local: bool = False

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        tables = self.folder / "tables"
        self._world = World(self.folder / "one", tables)
        self._other = World(self.folder / "two", tables, generation=10_000_000)
        self._world.others.append(self._other)
        self._make(self._world)
        self._make(self._other)
        if self.database is not None:
            self._on_server = list(_worlds_on(self.database, self.folder))

    def _make(self, world: World) -> None:
        world.make()
        for words in (("apply", "--yes"), ("activate", "close")):
            assert self._start(world, *words).end() == 0

    @property
    def kinds(self) -> dict[str, Callable[[], World]]:
        return {
            "killed": self._killed,
            "changed input": self._changed_input,
            "stopped": self._stopped,
            "side by side": self._side_by_side,
            **({"faulty": self._faulty, "clock": self._clock} if self.library else {}),
            **({"crashed": self._crashed} if self.database else {}),
        }

    def episode(self) -> None:
        """One more, of any kind; crashes twice as often as others."""
        kinds = [*self.kinds, *(["crashed"] if self.database else [])]
        kind, is_local = self._random.choice(kinds), self._random.random() < _LOCAL_SHARE
        self.episode_of(kind, is_local=is_local)

    def episode_of(self, kind: str, *, is_local: bool = False) -> None:
        self._number += 1
        self._is_local = is_local
        self._kind = f"{kind}, local" if is_local else kind
        self.kinds[kind]().check()

    # --- episodes

    def _killed(self) -> World:
        world = self._any_world()
        self._run(world, ROWBOOK_KILL_AT_WRITE=str(self._point(world)))
        self._go_on(world, 0.5)
        return world

    def _changed_input(self) -> World:
        world = self._any_world()
        with self._waiting(world) as (command, period):
            if command is not None:
                world.change(self._random, period)
        self._go_on(world, 0.3)
        return world

    def _crashed(self) -> World:
        """The database ends and comes back: while a run waits at a write point, or at any moment;
        before the run asks again, or later."""
        assert self.database is not None
        world, how = self._server_world(), self._random.choice(CRASHES)
        self._kind += f", {how}"
        back = threading.Timer(self._random.choice((0, 0, 0.3, 1, 4)), self.database.start)
        if self._random.random() < 0.7:
            with self._waiting(world):
                self.database.crash(how)
                back.start()
                if back.interval == 0:
                    back.join()
        else:
            command = self._start(world, *_run(self._random.choice(PERIODS)))
            time.sleep(self._random.uniform(0, 8))
            self.database.crash(how)
            back.start()
            self._ended(command.end())
        back.join()
        self.database.start()
        self._go_on(world, 0.5)
        return world

    def _stopped(self) -> World:
        """While one is stopped, the same is refused, and another period waits or is done."""
        with self._waiting(self._world) as (command, period):
            if command is None:
                return self._world
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
        return self._world

    def _side_by_side(self) -> World:
        """Two workspaces write to the same tables."""
        number = str(self._point(self._world))
        first = {"ROWBOOK_KILL_AT_WRITE": number} if self._random.random() < 0.5 else {}
        commands = [
            self._start(self._world, *_run(PERIODS[0]), **first),
            self._start(self._other, *_run(PERIODS[1])),
        ]
        for command in commands:
            self._ended(command.end())
        return self._world

    def _faulty(self) -> World:
        assert self.library is not None
        error = ERRORS[self._random.choice(sorted(ERRORS))]
        number, times = self._random.randint(1, _CALLS), self._random.choice((1, 5, 1_000_000))
        below = self._random.choice((self._world.tables, self._world.folder / ".rowbook"))
        self._run(self._world, **failing_calls(self.library, below, number, error, times))
        self._go_on(self._world, 0.5)
        return self._world

    def _clock(self) -> World:
        """The clock is an hour off, and then off the other way, while the run is at work."""
        assert self.library is not None
        clock, jump = self.folder / "clock", self._random.choice((-_HOUR, _HOUR))
        clock.write_text("0")
        with self._waiting(self._world, **shifted_clock(self.library, clock)) as (command, period):
            clock.write_text(str(jump))
            if command is not None:
                self._check_alone(period)
        return self._world

    # --- their parts

    def _point(self, world: World) -> int:
        """One of the write points of a run: as many as the last one had that was not resumed."""
        return self._random.randint(1, world.points)

    def _any_world(self) -> World:
        is_on_server = self.database is not None and self._random.random() < _ON_SERVER_SHARE
        return self._server_world() if is_on_server else self._world

    def _server_world(self) -> World:
        world = self._random.choice(self._on_server)
        if not world.folder.exists():
            self._make(world)
        return world

    @contextmanager
    def _waiting(self, world: World, **environment: str) -> Iterator[tuple[Command | None, str]]:
        """A run that waits at one of its write points, and is waited for afterwards; None where it
        ended before."""
        place = self.folder / f"point-{self._number}"
        place.mkdir()
        period, number = self._random.choice(PERIODS), self._point(world)
        waits = {"ROWBOOK_WAIT_AT_WRITE": f"{number}:{place}"}
        command = self._start(world, *_run(period), **environment, **waits)
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
        with self._world.open() as workspace:
            running = workspace.store.runs.newest(period=period, status="running")
        again = self._start(self._world, *_run(period)).end()
        assert not running or again != 0, f"a second run was done beside {running[0].id}"
        self._ended(again)

    def _go_on(self, world: World, chance: float) -> None:
        """Resumes what failed last, if that can be: refused where the input is another one."""
        if self._random.random() >= chance:
            return
        listed = self._start(world, "runs", "list", "--format", "json")
        assert listed.end() == 0
        with world.open() as workspace:
            newest = workspace.store.runs.newest(limit=1)
        if newest and newest[0].status == "failed":
            self._ended(self._start(world, "runs", "resume", newest[0].id).end())

    def _run(self, world: World, **environment: str) -> None:
        period = self._random.choice(PERIODS)
        self._ended(self._start(world, *_run(period), **environment).end())

    def _ended(self, code: int) -> None:
        self.ends[f"{self._kind}: {CODES[code]}"] += 1

    def _start(self, world: World, *words: str, **environment: str) -> Command:
        needs_spark = words[0] == "run" or words[:2] == ("runs", "resume")
        master = _LOCAL if self._is_local else self.engine
        engine = ("--engine", master) if needs_spark else ()
        said = self.folder / f"said-{self._number % 100}-{random.randrange(1 << 30)}"
        writes = said.with_name(said.name.replace("said", "writes"))
        if words[0] == "run":
            environment["ROWBOOK_COUNT_WRITES"] = str(writes)
        variables: Mapping[str, str] = {**os.environ, "ROWBOOK_TRUST": "1", **environment}
        with said.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "rowbook", *words, "-C", str(world.folder), *engine],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=variables,
            )
        return Command(process, said, writes, world)


def _run(period: str) -> tuple[str, ...]:
    return "run", "close", "--period", period


def _worlds_on(database: CrashingDatabase, folder: Path) -> Iterator[World]:
    server = database.server
    secret = '"file://secrets/password"'
    grant = f'  credentials: [{{ref: {secret}, host: "127.0.0.1:{server.port}"}}]\n'

    def store(schema: str) -> str:
        return f'  store: {{url: "{server.url(schema)}", credential_ref: {secret}}}\n'

    three, four, five = (folder / name for name in ("three", "four", "five"))
    yield World(three, folder / "three-tables", store("store3"), PASSWORD, 20_000_000)
    for place, settings in ((four, grant), (five, grant + store("store5"))):
        yield DatabaseWorld(
            place,
            folder / f"{place.name}-tables",
            settings,
            PASSWORD,
            database=database,
            schema=place.name,
        )
