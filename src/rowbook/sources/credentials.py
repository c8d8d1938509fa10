"""Secrets: named in definitions, read when needed, kept nowhere."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rowbook.errors import RowbookError
from rowbook.errors.redaction import remember


def read_secret(reference: str, root: Path) -> str:
    """`env://NAME` or `file://path`, which is below `root` where it is relative. DATASOURCE_009
    where there is nothing: the message names the place, never its content."""
    parts = urlsplit(reference)
    place = unquote(f"{parts.netloc}{parts.path}")
    if parts.scheme == "env":
        found = os.environ.get(place)
        if not found:
            raise _missing(f"the environment variable {place} is not set")
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


def _missing(message: str) -> RowbookError:
    return RowbookError.of("DATASOURCE_009", f"a credential is not there: {message}")
