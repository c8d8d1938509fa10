"""JSON documents of the store: one way to write them, one hash to compare them."""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""What `json` reads and writes. Numbers that must stay exact are given as text."""


def canonical(content: JsonObject) -> str:
    """The same text for the same content, however its keys are ordered."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)


def verbatim(content: JsonObject) -> str:
    """The content as it is, keys in their order. Text beyond ASCII is escaped, so that any file
    name survives any database."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False)


def content_hash(content: JsonObject) -> str:
    return hashlib.sha256(canonical(content).encode("ascii")).hexdigest()
