"""Time zone, language and encoding of driver and executors: results must not depend on what a
machine has, nor on what somebody sets."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rowbook.errors import RowbookError

SAME_EVERYWHERE: tuple[str, ...] = (
    "-Duser.timezone=UTC",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Dfile.encoding=UTF-8",
    "-XX:-DontCompileHugeMethods",
)
"""Java options of driver and executors; the last, as Spark's generated methods get huge, and left
interpreted they are far slower."""

_DEFAULT = "spark.executor.defaultJavaOptions"
_LOCALE, _UTF_8 = "spark.executorEnv.LC_ALL", "C.UTF-8"
_HOLDS_OPTIONS = re.compile(
    r"spark\.(?:driver|executor)\.(?:default|extra)JavaOptions"
    r"|spark\.executorEnv\.(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)"
)
_PROPERTY = re.compile(
    r"-D(user\.timezone|user\.(?:language|country|region|script|variant)|file\.encoding"
    r"|sun\.jnu\.encoding)(?:\.\w+)?(?:=(.*))?"
)
_VALUES: Mapping[str, str] = MappingProxyType(
    {
        "user.timezone": "UTC",
        "user.language": "en",
        "user.country": "US",
        "user.region": "US",
        "file.encoding": "UTF-8",
        "sun.jnu.encoding": "UTF-8",
    }
)
"""By property; any other of them must be empty."""


def executor_conf(conf: Mapping[str, str]) -> dict[str, str]:
    """What executors elsewhere get, beside what `conf` has for them."""
    return {_DEFAULT: " ".join((*SAME_EVERYWHERE, conf.get(_DEFAULT, ""))).strip(), _LOCALE: _UTF_8}


def check_java_options(conf: Mapping[str, str]) -> None:
    """Refuses (ENGINE_003) settings that would take away what is the same everywhere."""
    locale = conf.get(_LOCALE, _UTF_8)
    if locale != _UTF_8:
        raise _refused(f"engine.conf sets {_LOCALE} to '{locale}', but it must be '{_UTF_8}'")
    for key, text in conf.items():
        if _HOLDS_OPTIONS.fullmatch(key):
            for option, wanted in _contrary(key, text):
                raise _refused(f"engine.conf sets {key} to '{option}', but it must be '{wanted}'")


def _contrary(key: str, text: str) -> Iterator[tuple[str, str]]:
    try:
        options = shlex.split(text)
    except ValueError as fault:
        raise RowbookError.of("ENGINE_003", f"engine.conf sets {key}: {fault}") from fault
    for option in options:
        found = _PROPERTY.fullmatch(option)
        if found is None:
            continue
        wanted, value = _VALUES.get(found[1], ""), found[2] or ""
        if value.lower().replace("utf8", "utf-8") != wanted.lower():
            yield option, f"{option.partition('=')[0]}={wanted}"


def _refused(message: str) -> RowbookError:
    why = "results must not depend on a machine's time zone, language or encoding"
    return RowbookError.of("ENGINE_003", f"{message}: {why}")
