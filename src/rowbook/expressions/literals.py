"""The values that texts stand for: dates, timestamps, date formats."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIMESTAMP = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?\s*(Z|[+-]\d{2}:\d{2})?)?",
    re.IGNORECASE | re.ASCII,
)
_FORMAT = re.compile(r"(?:yyyy|MM|dd|[^A-Za-z'\[\]{}#])+")


def parse_date(text: str) -> date | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def parse_timestamp(text: str) -> datetime | None:
    """The UTC instant of an ISO text; a date alone is its midnight, no zone means UTC."""
    found = _TIMESTAMP.fullmatch(text)
    if not found:
        return None
    day, minutes, seconds, zone = found.groups()
    offset = "+00:00" if zone is None or zone in "Zz" else zone
    try:
        parsed = datetime.fromisoformat(f"{day}T{minutes or '00:00'}{seconds or ':00'}{offset}")
        return parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def is_date_format(text: str) -> bool:
    """Whether TO_DATE understands the format: yyyy, MM and dd, once each, and punctuation."""
    return bool(_FORMAT.fullmatch(text)) and all(text.count(p) == 1 for p in ("yyyy", "MM", "dd"))
