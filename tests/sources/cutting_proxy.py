"""A way to a server that is cut at a chosen moment, once."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class _Proxy:
    """Passes on what two sides say, until the client says `word`: it is passed on too or not, and
    the connection ends without an answer."""

    def __init__(self, to_port: int, word: bytes, *, pass_word: bool) -> None:
        self._to_port, self._word, self._pass_word = to_port, word, pass_word
        self._cut = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    @property
    def has_cut(self) -> bool:
        return self._cut.is_set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._to_port))
                for one, other, watched in ((client, server, True), (server, client, False)):
                    passing = threading.Thread(target=self._pass, args=(one, other, watched))
                    passing.daemon = True
                    passing.start()

    def _pass(self, one: socket.socket, other: socket.socket, watched: bool) -> None:
        with suppress(OSError), one, other:
            while said := one.recv(65536):
                if watched and self._word in said and not self._cut.is_set():
                    self._cut.set()
                    one.shutdown(socket.SHUT_RDWR)
                    if self._pass_word:
                        other.sendall(said)
                    else:
                        other.shutdown(socket.SHUT_RDWR)
                    return
                other.sendall(said)


@contextmanager
def cutting_proxy(to_port: int, word: bytes, *, pass_word: bool) -> Iterator[_Proxy]:
    proxy = _Proxy(to_port, word, pass_word=pass_word)
    try:
        yield proxy
    finally:
        proxy.close()
