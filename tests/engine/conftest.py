"""Programs that need a session of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.paths import SOURCES


class Program:
    """A Python program in a process and a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder.parent / f"{folder.name}-tmp"
        self.temporary.mkdir()

    def start(self, code: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code)],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCES),
                "TMPDIR": str(self.temporary),
                **(environ or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str, environ: Mapping[str, str] | None = None) -> tuple[str, str]:
        """What it printed, and what it said on stderr; it must end well."""
        with self.start(code, environ) as process:
            try:
                said, complained = process.communicate(timeout=200)
            finally:
                process.kill()
        assert process.returncode == 0, complained
        return said, complained


@pytest.fixture
def program(tmp_path: Path) -> Program:
    folder = tmp_path / "cwd"
    folder.mkdir()
    return Program(folder)
