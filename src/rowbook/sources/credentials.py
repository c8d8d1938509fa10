"""Secrets: named in definitions, read when needed, kept nowhere; and for no server but those that
the workspace names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from rowbook.errors import RowbookError
from rowbook.errors.redaction import remember
from rowbook.locations.boundary import Boundary
from rowbook.locations.jdbc_urls import JdbcUrl
from rowbook.locations.object_urls import StoreAddress
from rowbook.planning.datasources import grant_hint, grant_message


class Secret(NamedTuple):
    """A password, and how a server may ask for it, as drivers write that."""

    text: str
    auth: str


class StoreKeys(NamedTuple):
    """What an object store knows somebody by."""

    id: str
    secret: str
    token: str | None = None


def granted_secret(reference: str, url: JdbcUrl, boundary: Boundary) -> Secret:
    """Read for the server of one database; DATASOURCE_011 where the workspace does not let it go
    there, and then it is not read at all."""
    grant = boundary.grant(reference, url)
    if grant is None:
        hint = grant_hint(reference, url.server)
        raise RowbookError.of("DATASOURCE_011", grant_message(reference, url.server), hint=hint)
    return Secret(read_secret(reference, boundary.root), ",".join(grant.auth))


def granted_keys(reference: str, address: StoreAddress, boundary: Boundary) -> StoreKeys:
    """The same for the server of a bucket; the text is `id:secret`, or `id:secret:token`; for Azure
    `account:key` or `account:signature`."""
    most = 1 if address.is_azure else -1
    parts = granted_token(reference, address.server, boundary).split(":", most)
    for part in parts[1:] if address.is_azure else parts:  # an account is in its URLs
        remember(part)
    if len(parts) not in (2, 3) or not all(parts):
        raise _missing(f"{reference} holds no keys of an object store", "write it as id:secret")
    if address.is_azure and parts[0] != address.account:
        hint = f"write it as {address.account}:key"
        raise _missing(f"{reference} is of another storage account", hint)
    return StoreKeys(*parts)


def granted_token(reference: str, server: str, boundary: Boundary) -> str:
    """The same for a server that takes the text as it is."""
    if not boundary.lets_keys_go(reference, server):
        hint = grant_hint(reference, server)
        raise RowbookError.of("DATASOURCE_011", grant_message(reference, server), hint=hint)
    return read_secret(reference, boundary.root).strip()


def read_secret(reference: str, root: Path) -> str:
    """`env://NAME` or `file://path`, which is below `root` where it is relative. DATASOURCE_009
    where there is nothing: the message names the place, never its content."""
    parts = urlsplit(reference)
    place = unquote(f"{parts.netloc}{parts.path}")
    if parts.scheme == "env":
        found = os.environ.get(place)
        if not found:
            hint = f"set it where rowbook runs: export {place}=…"
            raise _missing(f"the environment variable {place} is not set", hint)
        remember(found)
        return found
    if parts.scheme != "file":
        raise _missing(f"a secret is named by env:// or file://, not {parts.scheme}://")
    try:
        text = (root / place).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise _missing(f"the file {place} cannot be read") from None
    if not text.strip():
        raise _missing(f"the file {place} is empty")
    secret = text.strip("\r\n")
    remember(secret)
    return secret


def _missing(message: str, hint: str | None = None) -> RowbookError:
    return RowbookError.of("DATASOURCE_009", f"a credential is not there: {message}", hint=hint)
