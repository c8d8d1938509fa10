"""What made Spark fail: the innermost cause of an exception, which Spark wraps in many others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from pyspark.errors import PySparkException

_CAUSED = re.compile(r"^Caused by: ([\w.$]+)(?:: (.*))?$", re.MULTILINE)
_THROWN = re.compile(r"\b((?:[a-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error))(?:: (.*))?$", re.MULTILINE)
_FRAME = re.compile(r"\s+at (?:\S+/)?([\w.$]+)\(")
_FILE = re.compile(r"\[FAILED_READ_FILE[\w.]*\] Encountered error while reading file (.+?)\. +\S")
_SCRATCH = re.compile(r"org\.apache\.spark\.(?:storage|shuffle|io|util\.collection)\.")


@dataclass(frozen=True, slots=True)
class Cause:
    """`kind` is Java's class, '' where none is told; `frames` are the methods it came out of, the
    innermost first."""

    kind: str
    message: str
    frames: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.message or self.kind.rpartition(".")[2]

    @property
    def in_scratch(self) -> bool:
        """Whether it came out of what Spark keeps for itself (shuffles, spills, checkpoints), not
        out of what it reads or writes for others."""
        own = next((frame for frame in self.frames if frame.startswith("org.apache.")), "")
        return _SCRATCH.match(own) is not None


def is_spark_failure(error: BaseException) -> bool:
    """Whether an exception came out of Spark, and not out of our own code."""
    return isinstance(error, PySparkException) or type(error).__name__.startswith("Py4J")


def innermost_cause(error: BaseException) -> Cause:
    """The last `Caused by`; where there is none, what was thrown; else the first line."""
    text = failure_text(error)
    found = list(_CAUSED.finditer(text)) or list(_THROWN.finditer(text))[:1]
    if not found:
        return Cause("", text.strip().split("\n", 1)[0])
    frames = []
    for line in text[found[-1].end() :].split("\n")[1:]:
        frame = _FRAME.match(line)
        if frame is None:
            break
        frames.append(frame[1])
    return Cause(found[-1][1], (found[-1][2] or "").strip(), tuple(frames))


def unread_path(error: BaseException) -> str | None:
    """The file that a job failed to read; None where that is not what failed."""
    found = _FILE.search(failure_text(error))
    return unquote(urlsplit(found[1]).path) if found else None


def failure_text(error: BaseException) -> str:
    """All that is told, with Java's stack traces, which Spark keeps apart."""
    traces = (getattr(error, name, None) for name in ("_stackTrace", "_stacktrace"))
    return "\n".join((str(error), *(trace for trace in traces if isinstance(trace, str))))
