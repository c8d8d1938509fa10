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
# Of Amazon's library what Hadoop's file system needs, and Spark has not: 10 MB, not 640.
_HADOOP = {
    "hadoop-aws": "d2d24e6b715b5656b9d238bf13b6682a07e2004dd36aad74a73aeb854319f4d9",
}
_AWS = {
    "annotations": "8cd8bd8afd7eca5a367f69fd87427f6d9f3e7d359962122da24d71f1963f00cd",
    "apache-client": "c96494be30ecac6f0ab7a35fdd91a4c77ca8a5daf62f3d9d84644ef0f0524dc6",
    "arns": "f5a4d1d9b4e4fc63c9bda49bcf1c59d23fd876b276c6b43aaca12969337303a6",
    "auth": "4d8143b6198dc7a530c2ccdd813129c132b96736086c0d4fea85480b9bdbc5fe",
    "aws-core": "eb560c064fbaac7e2e7f4a77ac343d3083bea0d7f6e2c69ba022d3f3e859be90",
    "aws-query-protocol": "1b117672963ee5059c45f2aadb110f191b578d108d8f08d7c7a59e6c0b098a8e",
    "aws-xml-protocol": "daf87b429373ad586d165003b5b1d4fe498c6472eb65ec9a9e2aa7d56f3917dd",
    "checksums": "bca99ff25c9b917d6be03e5dce78ad5328e7dca485e96024fa8476e4192a800a",
    "checksums-spi": "21193b9b648843dcaff493f0dd80abab9ee6871b203b9218120554698d8f7b8a",
    "crt-core": "4e1f33de21b688695fec91b977ddfa99e9d376edcbad06a62b0c138c60b37de4",
    "endpoints-spi": "e54f246c668d70b55cffe0c8fad18d4465e74e22db75139918bd30610093d1e6",
    "http-auth": "d8aa3bd376aaec7196396e65fe8755f1fdd169e51357f8128ecdc7d23a687450",
    "http-auth-aws": "7ae124e81ac0c2860bb61fdde34a388dbe823fef8509dd46a6bec805ada90308",
    "http-auth-aws-eventstream": "565a4aacce955c5ffaed551f6faaaa958e9e92b2f8514c8482f664edb2bab576",
    "http-auth-spi": "7a2168c5a7baa856d7ae9f9c4f7522d2db9f1361108c38f5b6ece66f249e6a2d",
    "http-client-spi": "8ea61ce3b527779fbfe119e0775c4b7cfdf274a979b1e50596a634685a5b6542",
    "identity-spi": "85104635abf9e5c044aaf7f8951b63efc2ef82051b5ee303571ee2e1fd8b46d0",
    "json-utils": "2652cdb3668311bcff6e643c8612b9fea266423ae1ce33743c84dd7f77904311",
    "metrics-spi": "1db2e3da338148ee40a716e1733c9a5b99e9e6daa4db3aa8bd7e718adafa2510",
    "netty-nio-client": "07238668c9cf54531ee269fd6e2a1e2650fb75d6774d401f406c2a14f26af654",
    "profiles": "fef84619d101838ba45f48d0caddb09a85d9ed8bf869095bd7d2064796856cf7",
    "protocol-core": "7b32e41a3743b422d2edec1670f60b4c1e512fcd5ab7a53fef20742d6b9104d1",
    "regions": "5ee0e26277c679ffa70d83923b0d5f77a53066ecde8610f28be1856947d60eaf",
    "retries": "ca3752ba31399721980c6398992921ff5aa164e084b4c14484333df58c76a353",
    "retries-spi": "a4218ea742fc9e07a620629d7a258bfd92b8ea3ef75f1b99193d0898ca3efe99",
    "s3": "abaedea7e68063e9c4ab090f80d14b9884c57b50953bfe6e5acaa23025609efa",
    "s3-transfer-manager": "0c9e654637247187a7e2494eb7a8799477a772a7d554cd3ae787cd3e3bae3c55",
    "sdk-core": "ea8e9856569f85075a8a806d0481c4bd848c98b24fd6d706fc0b5883fc4604dc",
    "sts": "6495d0457f4e4c3724d8c9c5fe4f6f98c9530a22f92449c4cca5fd03622e4edb",
    "third-party-jackson-core": "eaece3eb60beb8ec09d8a4f48d5bff4110010b03cc23688bdcf2af2eb075cac6",
    "utils": "f150a38f2fec14ced2de6459bfe804f647c88baa573b218646ef89b436a29d42",
}
_EVENT_STREAM = {
    "eventstream": "0c37d8e696117f02c302191b8110b0d0eb20fa412fce34c3a269ec73c16ce822",
}
_REACTIVE_STREAMS = {
    "reactive-streams": "f75ca597789b3dac58f61857b9ac2e1034a68fa672db35055a8fb4509e325f28",
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
            *_jars("org.apache.hadoop", "3.4.2", _HADOOP),
            *_jars("software.amazon.awssdk", "2.29.52", _AWS),
            *_jars("software.amazon.eventstream", "1.0.1", _EVENT_STREAM),
            *_jars("org.reactivestreams", "1.0.4", _REACTIVE_STREAMS),
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
