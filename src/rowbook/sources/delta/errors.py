"""What Delta says when it refuses something, in one line, and what it means for a write."""

from __future__ import annotations

import re

from pyspark.errors import PySparkException

from rowbook.planning.columns import PERIOD

_SAID = re.compile(r"\[(DELTA_[A-Z0-9_.]+)\] (.*?)(?=\n\s*at |\n\s*JVM stacktrace|\Z)", re.DOTALL)
_MORE = re.compile(
    r"\s*(?:Conflicting commit:|Refer to http|Please refer to http|SQLSTATE:).*", re.DOTALL
)
_OTHERS = re.compile(
    r"DELTA_(?:CONCURRENT_(?!TRANSACTION)|METADATA_CHANGED|PROTOCOL_CHANGED|MAX_COMMIT_RETRIES)"
)
_RAISED_BY_ROWS = "[USER_RAISED_EXCEPTION]"
_OTHER_PERIOD = re.compile(rf"- {PERIOD.name} : ([^\n]*)")


def refusal_in(error: BaseException) -> tuple[str, str] | None:
    """Delta's code and reason; None where the error is not Delta's, but that of computing rows."""
    text = str(error)
    found = _SAID.search(text)
    if found is None or _RAISED_BY_ROWS in text:
        return None
    reason = " ".join(_MORE.sub("", found[2]).split())
    return found[1], reason


def other_period_in(error: BaseException) -> str | None:
    text = str(error)
    found = _OTHER_PERIOD.search(text) if "DELTA_REPLACE_WHERE_MISMATCH" in text else None
    return found[1] if found else None


def is_conflict(code: str) -> bool:
    """Whether others changed the table meanwhile: nothing was written, and it may be tried
    again."""
    return _OTHERS.match(code) is not None


def is_final(error: BaseException) -> bool:
    """Whether it was Spark that gave a job up, so that nothing of it can be written any more."""
    if isinstance(error, PySparkException):
        return error.getCondition() is not None
    return type(error).__name__ == "Py4JJavaError"
