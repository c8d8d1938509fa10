"""Running commands: in this process, or as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from rowbook.cli.app import run
from tests.support.write_files import write_files

SCRIPT = Path(sys.executable).parent / "rowbook"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Shell:
    """A folder to be in, and what was printed there."""

    folder: Path
    _capture: pytest.CaptureFixture[str]

    def write(self, files: Mapping[str, str]) -> None:
        write_files(self.folder, files)

    def run(self, *arguments: str) -> Ended:
        """A command in this process."""
        self._capture.readouterr()
        code = run(list(arguments))
        out, err = self._capture.readouterr()
        return Ended(code, out, err)


def spawn(
    *arguments: str, folder: Path, seconds: float = 30, environment: Mapping[str, str] | None = None
) -> Ended:
    """The installed command, as a process of its own."""
    done = subprocess.run(
        [str(SCRIPT), *arguments],
        cwd=folder,
        capture_output=True,
        timeout=seconds,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
