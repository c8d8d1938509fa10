"""What a database said when a job of Spark failed on it."""

from __future__ import annotations

import re

from rowbook.spark.errors import is_spark_failure

_DRIVER_SAID = re.compile(
    r"(?:org\.postgresql\.[\w.]*|java\.sql\.\w+)Exception: (?P<text>[^\n]*(?:\n(?!\s*at )[^\n]*)*)"
)
_SERVER_SAID = re.compile(r"(?:ERROR|FATAL|PANIC): (?P<text>[^\n]*)")


def reason_in_spark(error: Exception) -> str | None:
    """What the database or its driver said in a failure of a Spark job; None where it failed on
    something else. What a driver repeats of a statement is left out: it holds values of rows."""
    if not is_spark_failure(error):
        return None
    driver = _DRIVER_SAID.search(str(error))
    if driver is None:
        return None
    server = _SERVER_SAID.search(driver["text"])
    return server["text"].strip() if server else driver["text"].partition("\n")[0]
