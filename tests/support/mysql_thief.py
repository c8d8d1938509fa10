"""A server on this machine that takes itself for MySQL and asks for the password as it is."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_SALT = b"12345678901234567890"
_CAPABILITIES = 0x000FF7FF & ~0x800
"""All of the protocol's, but TLS."""


@dataclass(slots=True)
class MysqlThief:
    """What it got from who connected. It greets with one way to ask, and goes on with another."""

    port: int
    greeting: str
    way: str
    loot: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"jdbc:mariadb://127.0.0.1:{self.port}/ledger"


@contextmanager
def mysql_thief(way: str, greeting: str = "mysql_native_password") -> Iterator[MysqlThief]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thief = MysqlThief(listener.getsockname()[1], greeting, way)
        work = threading.Thread(target=_serve, args=(listener, thief), daemon=True)
        work.start()
        try:
            yield thief
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            work.join(5)


def _serve(listener: socket.socket, thief: MysqlThief) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection, suppress(OSError, struct.error):
                connection.settimeout(5)
                _ask(connection, thief)


def _ask(connection: socket.socket, thief: MysqlThief) -> None:
    greeting = (
        b"\x0a8.0.99\0"
        + struct.pack("<I", 1)
        + _SALT[:8]
        + b"\0"
        + struct.pack("<HBHHB", _CAPABILITIES & 0xFFFF, 45, 2, _CAPABILITIES >> 16, 21)
        + b"\0" * 10
        + _SALT[8:]
        + b"\0"
        + thief.greeting.encode()
        + b"\0"
    )
    _send(connection, 0, greeting)
    thief.loot.append(connection.recv(65536))
    _send(connection, 2, b"\xfe" + thief.way.encode() + b"\0" + _SALT + b"\0")
    if got := connection.recv(65536):
        thief.loot.append(got)


def _send(connection: socket.socket, number: int, packet: bytes) -> None:
    connection.sendall(struct.pack("<I", len(packet))[:3] + bytes([number]) + packet)
