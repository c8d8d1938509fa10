"""The jars that some data sources need beside Spark's own: named here and nowhere else.

They are fetched when a workspace first uses such a source, with Maven, or by Spark itself where
there is no Maven; both use the repositories and mirrors that the machine is set up for. What is
fetched must be what is named here, bit for bit. It is kept in the user's cache folder, so that
later sessions need no network and start no slower.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import get_args
from xml.sax.saxutils import escape

from rowbook.engine.session import s3_jars
from rowbook.engine.session.cache_folder import cache_folder
from rowbook.engine.session.java import find_java
from rowbook.errors import RowbookError
from rowbook.sources.source import Extra as Extra

EXTRAS: tuple[Extra, ...] = get_args(Extra)


@dataclass(frozen=True, slots=True)
class Jar:
    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def file_name(self) -> str:
        return f"{self.artifact}-{self.version}.jar"

    @property
    def coordinates(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}"


_DELTA = {
    "delta-spark_4.1_2.13": "75a9400986853c061f5109f012547de2545a5759e5e752e5ef633dabe16a4f10",
    "delta-storage": "c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc",
    "delta-kernel-api": "ee9b5a14ac3b7efdff4d61a58478fe8eb0e5a3fbca43889dca7290795fe79a11",
    "delta-kernel-defaults": "225c975199e4718b38ee5b7e6da7f19e9585024262b2cec2656b32151a856b0b",
    "delta-kernel-unitycatalog": "cea22dfb4ac562b3cd27bf652697750e8336009d73fb06631363aaaad5345ffa",
}
_UNITY = {
    "unitycatalog-client": "48257499a86b801a3e2372cec55ac226ca1c1c7eabe5c118e7302f29a1fdbc19",
    "unitycatalog-hadoop": "c47b63c961c87102b9e1d63809a0915ba4c86b7652f57c8d39ca3a05b441a150",
}
_POSTGRESQL = {
    "postgresql": "73914527305a40cce504b0d3d90b23caf565136912d607ae8ae7c5895512332c",
}
_ICEBERG = {
    "iceberg-spark-runtime-4.1_2.13": (
        "3123c3798af642dd537230923548e013ef41cc28b6626e5225808cf5670a0f82"
    ),
}
_MARIADB = {
    "mariadb-java-client": "42604178b9e57ec08ee0035079961516f086e455d0141f0b22c6eff29fb2fff4",
}


def _jars(group: str, version: str, digests: Mapping[str, str]) -> tuple[Jar, ...]:
    return tuple(Jar(group, artifact, version, digest) for artifact, digest in digests.items())


JARS: Mapping[Extra, tuple[Jar, ...]] = MappingProxyType(
    {
        "delta": (
            *_jars("io.delta", "4.4.0", _DELTA),
            *_jars("io.unitycatalog", "0.6.0", _UNITY),
        ),
        "postgresql": _jars("org.postgresql", "42.7.14", _POSTGRESQL),
        "iceberg": _jars("org.apache.iceberg", "1.12.0", _ICEBERG),
        "mysql": _jars("org.mariadb.jdbc", "3.5.11", _MARIADB),
        "s3": (
            *_jars("org.apache.hadoop", "3.4.2", s3_jars.HADOOP),
            *_jars("software.amazon.awssdk", "2.29.52", s3_jars.AWS),
            *_jars("software.amazon.eventstream", "1.0.1", s3_jars.EVENT_STREAM),
            *_jars("org.reactivestreams", "1.0.4", s3_jars.REACTIVE_STREAMS),
        ),
    }
)

_MAVEN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_WITHIN = 600.0


def jar_folder(environ: Mapping[str, str] = os.environ) -> Path:
    return cache_folder("jars", environ)


def missing_jars(extras: Collection[Extra], folder: Path) -> tuple[Jar, ...]:
    return tuple(jar for jar in _named(extras) if not _is_whole(folder / jar.file_name, jar))


def jars_for(extras: Collection[Extra]) -> tuple[Path, ...]:
    """The jars of extras, fetched if they are not there; ENGINE_007 where they cannot be."""
    if not extras:
        return ()
    folder = jar_folder()
    if missing := missing_jars(extras, folder):
        fetch_jars(missing, folder)
    return tuple(folder / jar.file_name for jar in _named(extras))


def _named(extras: Collection[Extra]) -> list[Jar]:
    return [jar for extra in EXTRAS if extra in extras for jar in JARS[extra]]


def fetch_jars(jars: Sequence[Jar], folder: Path) -> None:
    """Brings jars into the folder; each is there whole or not at all."""
    names = ", ".join(jar.file_name for jar in jars)
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=folder) as place:
        into = Path(place)
        try:
            (_by_maven if shutil.which("mvn") else _by_spark)(jars, into)
        except (OSError, subprocess.SubprocessError, RowbookError) as cause:
            reason = _reason(cause)
            raise _absent(f"{names} cannot be fetched: {reason}", folder) from cause
        for jar in jars:
            found = into / jar.file_name
            if not found.is_file():
                raise _absent(f"{jar.file_name} was not among what was fetched", folder)
            if not _is_whole(found, jar):
                raise _absent(f"{jar.file_name} was fetched, but is not what it should be", folder)
            found.replace(folder / jar.file_name)


def _absent(message: str, folder: Path) -> RowbookError:
    return RowbookError.of(
        "ENGINE_007",
        message,
        hint="run `rowbook jars fetch` where there is a network, or copy the files into"
        f" {folder} from a machine that has them",
    )


def _by_maven(jars: Sequence[Jar], into: Path) -> None:
    dependencies = "".join(
        f"<dependency><groupId>{escape(jar.group)}</groupId>"
        f"<artifactId>{escape(jar.artifact)}</artifactId><version>{escape(jar.version)}</version>"
        "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>"
        "</exclusions></dependency>"
        for jar in jars
    )
    pom = into / "pom.xml"
    pom.write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>rowbook</groupId><artifactId>jars</artifactId><version>1</version>"
        f"<packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>",
        encoding="utf-8",
    )
    command = ["mvn", "-q", "-B", "-f", str(pom), _MAVEN, f"-DoutputDirectory={into}"]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=_WITHIN, cwd=into)


def _by_spark(jars: Sequence[Jar], into: Path) -> None:
    """Spark fetches packages as it starts, and keeps them in a folder of our choice."""
    from rowbook.engine.session.jvm import Jvm

    conf = {
        "spark.master": "local[1]",
        "spark.jars.packages": ",".join(jar.coordinates for jar in jars),
        "spark.jars.ivy": str(into / "ivy"),
    }
    Jvm.start(find_java(), conf, profile="small", scratch=into).close()
    for jar in jars:
        found = into / "ivy" / "jars" / f"{jar.group}_{jar.file_name}"
        if found.is_file():
            found.replace(into / jar.file_name)


def _is_whole(path: Path, jar: Jar) -> bool:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256
    except OSError:
        return False


def _reason(cause: Exception) -> str:
    if isinstance(cause, subprocess.CalledProcessError):
        said = [line for line in cause.stdout.splitlines() if "ERROR" in line]
        return said[0].replace("[ERROR]", "").strip() if said else f"exit code {cause.returncode}"
    return str(cause).splitlines()[0]
