"""Which places data may be read from and written to: the workspace, and what it allows beside; and
which server may get which secret."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from rowbook.definitions.models.workspace import CredentialDefinition, WorkspaceDefinition
from rowbook.locations.jdbc_urls import JdbcUrl, JdbcUrlError, server_address
from rowbook.private_files import STATE
from rowbook.value_class import dataclass

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


@dataclass(frozen=True, slots=True)
class Boundary:
    root: Path
    allowed: tuple[str, ...] = ()
    credentials: tuple[CredentialDefinition, ...] = ()

    @classmethod
    def of(cls, root: Path, settings: WorkspaceDefinition | None) -> Boundary:
        if settings is None:
            return cls(root)
        return cls(root, settings.allowed_locations, settings.credentials)

    def grant(self, reference: str, url: JdbcUrl) -> CredentialDefinition | None:
        """What lets a secret go to the server of a database; None: nothing does."""
        wanted = url.host.lower(), url.port
        return next(
            (e for e in self.credentials if e.ref == reference and _server(e.host) == wanted), None
        )

    def lets_keys_go(self, reference: str, server: str) -> bool:
        """Whether keys may go to an object store, host:port; a host alone is one of https."""
        hosts = (e.host.lower() for e in self.credentials if e.ref == reference)
        return any(server.lower() in (host, f"{host}:443") for host in hosts)

    def contains(self, path: str, below: str = ".") -> bool:
        """Whether a path, taken from `below` where it is relative, stays inside after `..` and
        links are resolved. A URI is inside only where an allowed location says so."""
        uri = _uri(path, below)
        if uri is not None:
            return _uri_allowed(uri, self.allowed)
        if "\0" in path:
            return False
        target = os.path.realpath(self.root / below / path)
        return any(_is_below(target, folder) for folder in self._folders())

    def is_whole(self, path: str, below: str = ".") -> bool:
        """Whether a path is the workspace, an allowed location or `below`, not a part of it."""
        uri = _uri(path, below)
        if uri is not None:
            return uri.rstrip("/") in (prefix.rstrip("/") for prefix in (*self.allowed, below))
        if "\0" in path:
            return False
        folder = os.path.realpath(self.root / below)
        return os.path.realpath(self.root / below / path.strip()) in (*self._folders(), folder)

    def is_state(self, path: str, below: str = ".") -> bool:
        """Whether a path leads to what Rowbook itself keeps in the workspace."""
        if _uri(path, below) is not None or "\0" in path:
            return False
        state = os.path.realpath(self.root / STATE)
        return _is_below(os.path.realpath(self.root / below / path.strip()), state)

    def _folders(self) -> list[str]:
        local = (folder for folder in self.allowed if not _SCHEME.match(folder))
        return [os.path.realpath(self.root / folder) for folder in (".", *local)]


def _uri(path: str, below: str) -> str | None:
    """The URI that a path means; None for a path of the file system."""
    if _SCHEME.match(path):
        return path
    if _SCHEME.match(below) and not path.startswith("/"):
        return f"{below.rstrip('/')}/{path}"
    return None


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _uri_allowed(uri: str, allowed: Sequence[str]) -> bool:
    if ".." in uri.split("/") or "%" in uri:
        return False
    return any(
        uri == prefix or uri.startswith(prefix.rstrip("/") + "/")
        for prefix in allowed
        if _SCHEME.match(prefix)
    )


def _server(text: str) -> tuple[str, int] | None:
    try:
        host, port = server_address(text)
    except JdbcUrlError:
        return None
    return host.lower(), port
