"""A server on this machine that takes itself for PostgreSQL and asks for the password as it is."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_NO_ENCRYPTION = {80877103, 80877104}
"""Requests for TLS and GSS, which are answered with no."""
_CLEARTEXT = b"R" + struct.pack("!ii", 8, 3)


@dataclass(slots=True)
class Thief:
    """How often it was asked, and what it got after it had asked for the password."""

    port: int
    visits: int = 0
    loot: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"jdbc:postgresql://127.0.0.1:{self.port}/ledger"


@contextmanager
def password_thief() -> Iterator[Thief]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thief = Thief(listener.getsockname()[1])
        work = threading.Thread(target=_serve, args=(listener, thief), daemon=True)
        work.start()
        try:
            yield thief
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            work.join(5)


def _serve(listener: socket.socket, thief: Thief) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            thief.visits += 1
            with connection, suppress(OSError):
                connection.settimeout(5)
                _ask(connection, thief)


def _ask(connection: socket.socket, thief: Thief) -> None:
    while True:
        length, code = struct.unpack("!ii", _exactly(connection, 8))
        if code not in _NO_ENCRYPTION:
            break
        connection.sendall(b"N")
    _exactly(connection, length - 8)
    connection.sendall(_CLEARTEXT)
    while got := connection.recv(4096):
        thief.loot.append(got)


def _exactly(connection: socket.socket, count: int) -> bytes:
    got = b""
    while len(got) < count:
        part = connection.recv(count - len(got))
        if not part:
            raise OSError("gone")
        got += part
    return got
