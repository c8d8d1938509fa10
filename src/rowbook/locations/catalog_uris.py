"""Servers of Iceberg's REST protocol, as definitions name them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

FORM = "write https://host:port/path, as the server's manual says"
_URI = re.compile(r"https?://[A-Za-z0-9.\-]+(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~\-]+)*/?")
_PREFIX = re.compile(r"[A-Za-z0-9._~\-]+(?:/[A-Za-z0-9._~\-]+)*")
_PORTS = {"https": 443, "http": 80}
_HERE = ("localhost", "127.0.0.1")


def catalog_uri_fault(uri: str) -> str | None:
    if not _URI.fullmatch(uri) or _leads_up(uri) or catalog_server(uri) is None:
        return "'uri' must be https://host or https://host:port, with or without a path"
    return None


def prefix_fault(prefix: str) -> str | None:
    if not _PREFIX.fullmatch(prefix) or _leads_up(prefix):
        return "'prefix' must be a path of letters, digits, dots, dashes and underscores"
    return None


def catalog_server(uri: str) -> str | None:
    """host:port, as credentials are granted to it."""
    parts = urlsplit(uri)
    try:
        return f"{parts.hostname}:{parts.port or _PORTS[parts.scheme]}"
    except (ValueError, LookupError):
        return None


def is_readable_on_the_way(uri: str) -> bool:
    """What is sent there: without encryption, to another machine."""
    parts = urlsplit(uri)
    return parts.scheme == "http" and parts.hostname not in _HERE


def _leads_up(path: str) -> bool:
    return any(part in (".", "..") for part in path.split("/"))
