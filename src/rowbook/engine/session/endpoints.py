"""Whether somebody answers where Spark shall run, asked before Spark is: it would go on trying in
silence, for a minute or ten."""

from __future__ import annotations

import os
import socket
from urllib.parse import urlsplit

from rowbook.errors import RowbookError

_WITHIN = 10.0
_CONNECT_PORT = 15002
_PORTS = {"spark": 7077, "http": 80, "https": 443}
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")


def check_master(master: str) -> None:
    """ENGINE_011 where nobody answers at a standalone master (of several, at any), or at the API
    server of a Kubernetes cluster. Who else is a master, Spark knows."""
    kubernetes = master.startswith("k8s://")
    if (not kubernetes and not master.startswith("spark://")) or (kubernetes and _is_proxied()):
        return
    url = master.removeprefix("k8s://")
    kind, _, places = url.partition("://") if "://" in url else ("https", "", url)
    refusals = [_refusal(f"{kind}://{each}", _PORTS.get(kind)) for each in places.split(",")]
    if all(refusals):
        raise RowbookError.of("ENGINE_011", f"nobody answers at {master}: {refusals[0]}")


def check_remote(url: str) -> None:
    """ENGINE_004 where nobody answers at a Connect endpoint."""
    if not url.startswith("sc://"):
        raise unreachable(url, "a remote is written sc://host:port")
    if not _is_proxied() and (refusal := _refusal(url, _CONNECT_PORT)):
        raise unreachable(url, refusal)


def endpoint(url: str) -> str:
    """The address without its parameters, which may hold a token."""
    return url.partition("/;")[0].partition(";")[0]


def unreachable(url: str, cause: str) -> RowbookError:
    for parameter in filter(None, url.split(";")[1:]):
        cause = cause.replace(parameter.partition("=")[2] or parameter, "…")
    return RowbookError.of("ENGINE_004", f"no Spark session at {endpoint(url)}: {cause}")


def _is_proxied() -> bool:
    return any(name.lower() in _PROXIES for name in os.environ)


def _refusal(url: str, port: int | None) -> str:
    """Why there is no connection; empty where there is one."""
    try:
        parts = urlsplit(url)
        place = parts.hostname or "", parts.port or port or 0
        socket.create_connection(place, timeout=_WITHIN).close()
    except (OSError, ValueError) as cause:
        return next(iter(str(cause).splitlines()), type(cause).__name__)
    return ""
