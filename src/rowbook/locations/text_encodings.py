"""The encodings of text files: those that can be read can be written too."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

SPARK_CHARSETS: Mapping[str, str] = {
    "utf-8": "UTF-8",
    "ascii": "US-ASCII",
    "iso8859-1": "ISO-8859-1",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "utf-32": "UTF-32",
}
"""Those that Spark itself reads, by Python's names."""

WITH_MARK: Mapping[str, str] = {"utf-8": "utf-8-sig", "utf-16": "utf-16"}
"""Those whose files may begin with a mark of it, and how Python writes that."""


def encoding_named(name: str) -> str | None:
    """Python's name of an encoding that can be read: one that Spark knows, or one byte for each
    character and ASCII below. None for others."""
    try:
        found = codecs.lookup(name).name.removesuffix("-sig")
        if found in SPARK_CHARSETS:
            return found
        ascii_, above = bytes(range(128)), bytes(range(128, 256))
        single = len(above.decode(found, "replace")) == len(above)
        return found if single and ascii_.decode(found) == ascii_.decode() else None
    except (LookupError, ValueError):
        return None
