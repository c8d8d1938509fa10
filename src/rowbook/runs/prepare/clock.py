"""The run's clock, as-of date and id: read once, handed to everything."""

from __future__ import annotations

import secrets
import uuid
from datetime import UTC, date, datetime

from rowbook.errors import RowbookError
from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.locations.removal import is_run_id
from rowbook.periods import Period


def read_now(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    found = parse_timestamp(text)
    if found is None:
        raise RowbookError.of(
            "USAGE_001", f"'{text}' is not a timestamp", hint="write 2026-01-31T10:00:00Z"
        )
    return found


def new_run_id(now: datetime) -> str:
    """A UUIDv7: ids sort by time."""
    millis = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    number = (millis << 80) | (7 << 76) | (secrets.randbits(12) << 64)
    return str(uuid.UUID(int=number | (0b10 << 62) | secrets.randbits(62)))


def check_run_id(run_id: str) -> None:
    """STORE_002 for what a store has for an id, and no run ever got."""
    if not is_run_id(run_id):
        message = f"the store has a run '{run_id}', which is no id that Rowbook gives"
        raise RowbookError.of("STORE_002", message)


def read_as_of(text: str | None, period: Period) -> date | datetime:
    if text is None:
        return period.end
    found = parse_date(text) or parse_timestamp(text)
    if found is None:
        raise RowbookError.of(
            "USAGE_001", f"'{text}' is not a date", hint="write 2026-01-31 or 2026-01-31T10:00:00Z"
        )
    return found
