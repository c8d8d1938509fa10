"""Commands as processes of their own, which can be watched, stopped and killed."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from rowbook.cli.app import main
from tests.support.forked import forked

_PATIENCE = 120.0
_BEGINS = re.compile(r"^run (\S+) of ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended; a code below zero is the signal that killed it."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed for programs."""
        return json.loads(self.out)

    @property
    def run_id(self) -> str:
        """The run that it said it begins."""
        return _run_id(self.err)


class Running:
    """`rowbook` at work. Leaving the `with` kills it, if it still is there."""

    def __init__(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.iterdir()))
        self._out, self._err = folder / f"{number}.out", folder / f"{number}.err"
        for file in (self._out, self._err):
            file.touch()
        variables = {**os.environ, **environment}
        self._process = forked(main, arguments, variables, self._out, self._err)

    @property
    def said(self) -> str:
        """What it has said on stderr so far."""
        return self._err.read_text(encoding="utf-8")

    @property
    def run_id(self) -> str:
        """The run that it said it begins."""
        return _run_id(self.said)

    @property
    def has_ended(self) -> bool:
        return self._process.exitcode is not None

    def wait_until_it_says(self, text: str) -> None:
        wait_until(lambda: text in self.said or self.has_ended, f"'{text}'")
        assert text in self.said, self.said

    def send(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def stop(self, is_free: Callable[[], bool] = lambda: True) -> None:
        """Stops it as if its machine slept; at a moment when `is_free` holds."""
        while True:
            self.send(signal.SIGSTOP)
            wait_until(self._is_stopped, "the stop")
            if is_free():
                return
            self.send(signal.SIGCONT)
            time.sleep(0.02)

    def _is_stopped(self) -> bool:
        stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0] == "T"

    def go_on(self) -> None:
        self.send(signal.SIGCONT)

    def end(self, seconds: float = _PATIENCE) -> Ended:
        """Waits for its end."""
        self._process.join(seconds)
        code = self._process.exitcode
        assert code is not None, f"still at work after {seconds} seconds"
        return Ended(code, self._out.read_text(encoding="utf-8"), self.said)

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.join()


def wait_until(condition: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < limit, f"waited in vain for {what}"
        time.sleep(0.01)


def _run_id(said: str) -> str:
    found = _BEGINS.search(said)
    assert found, said
    return found[1]
