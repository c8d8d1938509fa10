"""JUnit files, for build servers: texts that XML can hold, written whole."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from rowbook.errors import RowbookError

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def xml_text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def xml_file(root: ElementTree.Element) -> bytes:
    ElementTree.indent(root)
    head = '<?xml version="1.0" encoding="utf-8"?>'
    return f"{head}\n{ElementTree.tostring(root, encoding='unicode')}\n".encode()


def save_junit(path: Path, content: bytes) -> None:
    """In folders made for it if need be (USAGE_001)."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        reason = error.strerror or error
        raise RowbookError.of(
            "USAGE_001",
            f"the JUnit file {path} cannot be written: {reason}",
            hint="name another file with --junit",
        ) from error
