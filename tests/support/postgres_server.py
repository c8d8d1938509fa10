"""A PostgreSQL server of our own: real, private, gone afterwards."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSWORD = "s3cret-Örtchen %$/@:"
_INSTALLED = ("/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt")


class NoServerError(Exception):
    """There is no PostgreSQL on this machine that could be started."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: reached by a socket in a folder or by a port, with a password. What it logs
    is in `log`."""

    folder: Path
    port: int
    user: str = "keeper"

    def url(self, schema: str) -> str:
        where = f"host={self.folder}&port={self.port}"
        return f"postgresql://{self.user}@/postgres?{where}&schema={schema}"

    @property
    def log(self) -> Path:
        return self.folder / "log"


@contextmanager
def running_server() -> Iterator[Server]:
    """Starts a server as a child of this process, and stops it whatever happens."""
    with new_server() as server:
        process = start_server(server)
        try:
            yield server
        finally:
            stop_server(process)


@contextmanager
def new_server() -> Iterator[Server]:
    """One that is not running yet. PostgreSQL refuses to run as root: then it is the user postgres,
    or nobody."""
    identity = _identity()
    folder = Path(tempfile.mkdtemp(prefix="rowbook-pg-", dir="/tmp"))
    try:
        if identity is not None:
            os.chown(folder, identity, -1)
        secret = folder / "password"
        secret.write_text(PASSWORD, encoding="utf-8")
        secret.chmod(0o644)
        server = Server(folder, _free_port())
        data = ["-D", str(folder / "data"), "-U", server.user, f"--pwfile={secret}"]
        settings = ["-A", "scram-sha-256", "--no-sync", "-E", "UTF8", "--locale=C"]
        _initialise([str(_programs() / "initdb"), *data, *settings], identity)
        yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _initialise(command: list[str], identity: int | None) -> None:
    try:
        subprocess.run(
            command, check=True, capture_output=True, text=True, cwd="/", **_as(identity)
        )
    except subprocess.CalledProcessError as error:
        raise NoServerError(f"initdb failed: {error.stderr.strip()}") from None
    except OSError as error:
        raise NoServerError(f"initdb cannot be run: {error}") from None


def start_server(server: Server) -> subprocess.Popen[bytes]:
    """The server at work; also after a crash, once it has recovered."""
    programs = _programs()
    options = {
        "listen_addresses": "127.0.0.1",
        "port": str(server.port),
        "unix_socket_directories": str(server.folder),
        "fsync": "off",
    }
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    with server.log.open("ab") as sink:
        process = subprocess.Popen(
            [str(programs / "postgres"), "-D", str(server.folder / "data"), *settings],
            stdout=sink,
            stderr=sink,
            cwd="/",
            **_as(_identity()),
        )
    try:
        _wait(programs, server, process)
    except BaseException:
        stop_server(process)
        raise
    return process


def stop_server(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)  # a fast shutdown: sessions are ended
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait(programs: Path, server: Server, process: subprocess.Popen[bytes]) -> None:
    asking = [str(programs / "pg_isready"), "-q", "-h", str(server.folder), "-p", str(server.port)]
    for _ in range(300):
        ready = subprocess.run(asking, cwd="/")
        if ready.returncode == 0:
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise NoServerError(f"postgres did not start: {server.log.read_text(errors='replace')[-500:]}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def _programs() -> Path:
    """The newest installed version; else what the Python package pgserver brings."""
    found = [p.parent for root in _INSTALLED for p in Path(root).glob("*/bin/initdb")]
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path).resolve().parent)
    if found:
        return max(found, key=lambda p: [int(n) for n in p.parent.name.split(".") if n.isdigit()])
    package = importlib.util.find_spec("pgserver")
    if package is None or package.origin is None:
        raise NoServerError("neither PostgreSQL nor the Python package pgserver is installed")
    return Path(package.origin).parent / "pginstall" / "bin"


def _identity() -> int | None:
    """Who shall run the server; None: whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    raise NoServerError("PostgreSQL does not run as root, and there is no other user")


def _as(identity: int | None) -> dict[str, Any]:
    """How a program is started as somebody, and with none of our groups."""
    if identity is None:
        return {}
    return {"user": identity, "group": pwd.getpwuid(identity).pw_gid, "extra_groups": []}
