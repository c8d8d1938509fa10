"""Ids of runs: UUIDv7, so that they sort by time."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime


def new_run_id(now: datetime) -> str:
    millis = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    number = (millis << 80) | (7 << 76) | (secrets.randbits(12) << 64)
    return str(uuid.UUID(int=number | (0b10 << 62) | secrets.randbits(62)))
