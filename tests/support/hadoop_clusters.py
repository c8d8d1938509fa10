"""HDFS and YARN on this machine: Hadoop's own clusters for tests, in one JVM."""

from __future__ import annotations

import getpass
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen
from xml.etree import ElementTree

from rowbook.engine.session.cache_folder import cache_folder
from rowbook.engine.session.jars import Jar, fetch_jars
from rowbook.engine.session.java import find_java
from rowbook.engine.session.launch import MODULE_OPTIONS, spark_home
from tests.support.processes import child_processes, end_process, wait_until

_HADOOP = "3.4.2"
"""That of the jars that come with PySpark, whose client parts are used."""
_BOUNCY = {
    "bcpkix-jdk18on": "4b48ea084e5232b9d79ebca1887b9de037b124931807cd60710748c2aee08cc9",
    "bcprov-jdk18on": "add5915e6acfc6ab5836e1fd8a5e21c6488536a8c1f21f386eeb3bf280b702d7",
    "bcutil-jdk18on": "d9fa56f97b0f761ce3bc8d9d74c5d7137a987bf5bd3abfe1003f9bafa45a1d2f",
}
_JAXB = {
    "jaxb-runtime": "ba88e5bde7c0d878c3e1f2ec2fcabaf51d201eaf93b3bb9cfecfc1f11b2304d4",
    "txw2": "973018b87af911ecf6e6d861dd0d6a477e4d8ae6a883ec5d073d3df1330b87f0",
}
JARS = (
    Jar(
        "org.apache.hadoop",
        "hadoop-client-minicluster",
        _HADOOP,
        "ae2406c544825b7734b8aad4f87eff60d9ec422284f0b16c2856032083b63c77",
    ),
    Jar(
        "junit",
        "junit",
        "4.13.2",
        "8e495b634469d64fb8acfa3495a065cbacc8a0fff55ce1e31007be4c16dc57d3",
    ),
    *(Jar("org.bouncycastle", name, "1.78.1", digest) for name, digest in _BOUNCY.items()),
    *(Jar("org.glassfish.jaxb", name, "2.3.9", digest) for name, digest in _JAXB.items()),
    Jar(
        "com.sun.istack",
        "istack-commons-runtime",
        "3.0.12",
        "27d85fc134c9271d5c79d3300fc4669668f017e72409727c428f54f2417f04cd",
    ),
    Jar(
        "com.sun.activation",
        "jakarta.activation",
        "1.2.2",
        "02156773e4ae9d048d14a56ad35d644bee9f1052a791d072df3ded3c656e6e1a",
    ),
    Jar(
        "jakarta.xml.bind",
        "jakarta.xml.bind-api",
        "2.3.3",
        "c04539f472e9a6dd0c7685ea82d677282269ab8e7baca2e14500e381e0c6cec5",
    ),
)
_OF_SPARK = ("hadoop-client-*", "log4j-*", "slf4j-api-*", "jcl-over-slf4j-*")


@dataclass(frozen=True, slots=True)
class HadoopClusters:
    """`conf` is what HADOOP_CONF_DIR names; `hdfs` the URL of the file system, `namenode` that of
    its name node, over HTTP."""

    process: subprocess.Popen[bytes]
    conf: Path
    hdfs: str
    namenode: str

    def put(self, path: str, text: str) -> None:
        """A file of HDFS, in place of another one of the name."""
        words = f"op=CREATE&overwrite=true&noredirect=true&user.name={getpass.getuser()}"
        with _put(f"{self.namenode}/webhdfs/v1{path}?{words}", b"") as answer:
            place = json.load(answer)["Location"]
        _put(place, text.encode()).close()

    def executors(self) -> list[int]:
        """Processes of executors, which the shells of containers start."""
        return child_processes(self.process.pid, "YarnCoarseGrainedExecutorBackend")


@contextmanager
def hadoop_clusters(folder: Path) -> Iterator[HadoopClusters]:
    """For as long as it is entered; all of it is in the folder."""
    (folder / "conf").mkdir(parents=True)
    jars = cache_folder("test-jars")
    missing = [jar for jar in JARS if not (jars / jar.file_name).is_file()]
    if missing:
        fetch_jars(missing, jars)
    ours = [str(jars / jar.file_name) for jar in JARS]
    theirs = [str(each) for name in _OF_SPARK for each in (spark_home() / "jars").glob(name)]
    java = find_java()
    settings = folder / "conf" / "core-site.xml"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                str(java.executable),
                *MODULE_OPTIONS,
                *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"),
                *("-cp", os.pathsep.join([*ours, *theirs])),
                str(Path(__file__).with_name("MiniClusters.java")),
                str(folder),
            ],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "JAVA_HOME": str(java.home), "LC_ALL": "C"},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: settings.exists() or process.poll() is not None, "YARN")
        assert settings.exists(), (folder / "log").read_text(errors="replace")[-3000:]
        found = {
            each.findtext("name"): each.findtext("value") or ""
            for each in ElementTree.parse(settings).iter("property")
        }
        names = ("fs.defaultFS", "dfs.namenode.http-address")
        yield HadoopClusters(process, settings.parent, *(found[name] for name in names))
    finally:
        end_process(process)


def _put(url: str, data: bytes) -> Any:
    return urlopen(Request(url, data, method="PUT"), timeout=60)
