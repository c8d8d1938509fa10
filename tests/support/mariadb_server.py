"""A MariaDB server of our own: real, private, gone afterwards."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymysql

from tests.support.free_port import free_port
from tests.support.postgres_server import PASSWORD, NoServerError

_PLACES = ("/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")


@dataclass(frozen=True, slots=True)
class MariadbServer:
    """Reached by a port with a password, and by who started it through a socket without."""

    folder: Path
    port: int
    user: str = "keeper"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def connect(self, **more: Any) -> pymysql.Connection[Any]:
        """As the user who may do everything."""
        return pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user=self.user,
            password=PASSWORD.encode(),
            **{"autocommit": True, **more},
        )


@contextmanager
def running_mariadb(*options: str) -> Iterator[MariadbServer]:
    """Starts a server as a child of this process, and stops it whatever happens."""
    with new_mariadb() as server:
        process = start_mariadb(server, *options)
        try:
            yield server
        finally:
            stop_mariadb(process)


@contextmanager
def new_mariadb() -> Iterator[MariadbServer]:
    """One that is not running yet."""
    folder = Path(tempfile.mkdtemp(prefix="rowbook-mariadb-", dir="/tmp"))
    try:
        folder.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(folder, pwd.getpwnam(_account()).pw_uid, -1)
        server = MariadbServer(folder, free_port())
        _run(
            _program("mariadb-install-db"),
            *("--no-defaults", f"--datadir={folder / 'data'}", f"--user={_account()}"),
            *("--auth-root-authentication-method=socket", "--skip-test-db"),
            f"--auth-root-socket-user={getpass.getuser()}",
            "--skip-name-resolve",
        )
        yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start_mariadb(server: MariadbServer, *options: str) -> subprocess.Popen[bytes]:
    """The server at work; also after a crash, once it has recovered."""
    place = server.folder / "socket"
    command = [
        _program("mariadbd"),
        *("--no-defaults", f"--datadir={server.folder / 'data'}", f"--user={_account()}"),
        *("--bind-address=127.0.0.1", f"--port={server.port}", f"--socket={place}"),
        *(f"--pid-file={server.folder / 'pid'}", "--skip-name-resolve"),
        *("--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M", "--skip-log-bin"),
        *options,
    ]
    with server.log.open("ab") as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd="/")
    try:
        _prepare(server, place, process)
    except BaseException:
        stop_mariadb(process)
        raise
    return process


def stop_mariadb(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _prepare(server: MariadbServer, place: Path, process: subprocess.Popen[bytes]) -> None:
    """Waits until it answers. Who started it makes the user of tests."""
    for _ in range(300):
        if not _listens(place):
            if process.poll() is not None:
                break
            time.sleep(0.1)
            continue
        try:
            with pymysql.connect(unix_socket=str(place), user=getpass.getuser()) as connection:
                cursor = connection.cursor()
                cursor.execute(
                    f"CREATE USER IF NOT EXISTS {server.user}@'127.0.0.1' IDENTIFIED BY %s",
                    (PASSWORD,),
                )
                cursor.execute(f"GRANT ALL ON *.* TO {server.user}@'127.0.0.1' WITH GRANT OPTION")
                return
        except pymysql.OperationalError:
            time.sleep(0.1)
    raise NoServerError(f"mariadbd did not start: {server.log.read_text(errors='replace')[-500:]}")


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def _account() -> str:
    """MariaDB does not run as root unless it is told to."""
    return "mysql" if os.geteuid() == 0 else getpass.getuser()


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, cwd="/")
    except subprocess.CalledProcessError as error:
        raise NoServerError(f"mariadb-install-db failed: {error.stderr.strip()}") from None


def _program(name: str, places: Sequence[str] = _PLACES) -> str:
    found = shutil.which(name) or shutil.which(name, path=":".join(places))
    if found is None:
        raise NoServerError(f"MariaDB is not installed: there is no {name}")
    return found
