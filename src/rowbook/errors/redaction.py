"""Secrets that were read are shown nowhere: every text that leaves goes through `redact`."""

from __future__ import annotations

import json
from urllib.parse import quote, quote_plus

SHOWN = "***"
_SHORTEST = 3
"""What is shorter hides nothing, and would make texts unreadable."""

_forms: set[str] = set()


def remember(secret: str) -> None:
    """From now on this is not shown, however it is written."""
    escaped = json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]
    forms = {secret, quote(secret, safe=""), quote_plus(secret), repr(secret)[1:-1], *escaped}
    _forms.update(form for form in forms if len(form) >= _SHORTEST)


def redact(text: str) -> str:
    for form in sorted(_forms, key=len, reverse=True):
        text = text.replace(form, SHOWN)
    return text
