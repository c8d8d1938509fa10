"""A standalone cluster on this machine, started as docs/cluster.md says: a master and workers."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rowbook.engine.session.java import find_java
from rowbook.engine.session.launch import spark_home
from tests.support.free_port import free_port
from tests.support.processes import child_processes, end_process, wait_until

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
_EXECUTOR = "CoarseGrainedExecutorBackend"


@dataclass(frozen=True, slots=True)
class StandaloneCluster:
    url: str
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def executors(self) -> list[int]:
        """Processes of executors, those of the first worker first."""
        return [pid for each in self.workers for pid in child_processes(each.pid, _EXECUTOR)]

    def wait_for_executors(self, number: int) -> None:
        wait_until(lambda: len(self.executors()) >= number, f"{number} executors")

    def kill_executor(self) -> None:
        """The first one, as the kernel does where memory runs out."""
        os.kill(self.executors()[0], signal.SIGKILL)

    def kill_executors(self) -> None:
        for pid in self.executors():
            os.kill(pid, signal.SIGKILL)

    def kill_worker(self) -> None:
        """As a machine is lost: the worker, and its executors with it."""
        end_process(self.workers[0])


@contextmanager
def standalone_cluster(folder: Path, workers: int = 2) -> Iterator[StandaloneCluster]:
    """For as long as it is entered; what it writes for itself goes into the folder."""
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    with ExitStack() as running:
        master = spark_class(
            folder / "master", MASTER, "-h", "127.0.0.1", "-p", str(port), "--webui-port", "0"
        )
        running.enter_context(_until_the_end(master))
        cluster = StandaloneCluster(url, folder)
        wait_until(lambda: "New state: ALIVE" in _said(folder / "master"), "the master")
        for number in range(workers):
            place = folder / f"worker{number}"
            size = ("-c", "1", "-m", "2g")
            known = ("-h", "127.0.0.1", "-d", str(place / "work"), "--webui-port", "0")
            worker = spark_class(place, WORKER, *size, *known, url)
            running.enter_context(_until_the_end(worker))
            cluster.workers.append(worker)
        said = "Successfully registered with master"
        places = [folder / f"worker{number}" for number in range(workers)]
        wait_until(lambda: all(said in _said(each) for each in places), "the workers")
        yield cluster


def spark_class(folder: Path, *command: str) -> subprocess.Popen[bytes]:
    """A process of Spark's own, with an environment that is nobody's; what it says is in `log`."""
    folder.mkdir(parents=True, exist_ok=True)
    home = spark_home()
    environment = {
        "PATH": os.environ["PATH"],
        "JAVA_HOME": str(find_java().home),
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_DAEMON_MEMORY": "256m",
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "LC_ALL": "C",
        "TZ": "America/New_York",
    }
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [str(home / "bin" / "spark-class"), *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


@contextmanager
def _until_the_end(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        end_process(process)


def _said(folder: Path) -> str:
    return (folder / "log").read_text(encoding="utf-8", errors="replace")
