"""Real processes, quickly: a server that has everything imported forks one for each task.

The test's own process is not forked, as it may have threads.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from tests.store.places import Place
from tests.support.paths import ROOT

_IMPORTED = (
    "alembic.command",
    "sqlalchemy.dialects.postgresql.psycopg",
    "psycopg",
    "sqlalchemy.dialects.sqlite",
    "tests.store.tasks",
)
"""What a task would otherwise import itself."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its exit code (negative: the signal), and what its task returned, or the
    name and text of what it raised."""

    code: int
    result: Any = None
    error: str | None = None
    text: str = ""


class Forks:
    """The server, seen from the tests."""

    def __enter__(self) -> Forks:
        command = [sys.executable, "-W", "error", "-m", __name__]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._process.communicate()

    def at_once(self, task: str, place: Place, calls: Sequence[Mapping[str, Any]]) -> list[Ended]:
        """Runs a task of `tasks` once for each call, all at the same moment."""
        return self._ask({"task": task, "place": asdict(place), "calls": list(calls), "env": {}})

    def killed_at(self, number: int, task: str, place: Place, **call: Any) -> Ended:
        """Runs a task that dies at its n-th write point, if it gets there."""
        env = {"ROWBOOK_KILL_AT_WRITE": str(number)}
        asked = {"task": task, "place": asdict(place), "calls": [call], "env": env}
        (ended,) = self._ask(asked)
        return ended

    def _ask(self, asked: dict[str, Any]) -> list[Ended]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        return [Ended(**each) for each in json.loads(self._process.stdout.readline())]


def serve() -> None:
    """Answers each line with what became of its calls."""
    for name in _IMPORTED:
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(_run_all(json.loads(line))), flush=True)


def _run_all(asked: dict[str, Any]) -> list[dict[str, Any]]:
    gate, opener = os.pipe()
    children = [_fork(asked, call, gate, opener) for call in asked["calls"]]
    os.close(gate)
    os.close(opener)  # all wait for this end of file
    ended = []
    for pid, reader in children:
        with os.fdopen(reader) as answers:
            answer = json.loads(answers.read() or "{}")
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        ended.append({"code": code, **answer})
    return ended


def _fork(asked: dict[str, Any], call: dict[str, Any], gate: int, opener: int) -> tuple[int, int]:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    os.close(opener)
    os.read(gate, 1)
    answer: dict[str, Any]
    try:
        from rowbook import write_points
        from tests.store import tasks

        os.environ.update(asked["env"])
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        importlib.reload(write_points)  # the environment is read at import
        answer = {"result": getattr(tasks, asked["task"])(Place(**asked["place"]), **call)}
    except BaseException as error:
        answer = {"error": type(error).__name__, "text": str(error)}
    os.write(writer, json.dumps(answer).encode())
    os._exit(0)


if __name__ == "__main__":
    serve()
