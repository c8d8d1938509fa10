"""What a driver said inside Spark when something failed, in one line of ours."""

from __future__ import annotations

import re

_DRIVER_SAID = re.compile(
    r"(?:org\.(?:postgresql|mariadb)\.[\w.]*|java\.sql\.\w+)Exception:"
    r" (?P<text>[^\n]*(?:\n(?!\s*at )[^\n]*)*)"
)
_SERVER_SAID = re.compile(r"(?:ERROR|FATAL|PANIC): (?P<text>[^\n]*)")
_CONNECTION = re.compile(r"\(conn=-?\d+\) ")
_VALUE = re.compile(r"(value:?|entry) '.*' for ")


def reason_in_spark(error: Exception) -> str | None:
    """None where a job failed on something else. What a driver repeats of a statement is left out:
    it holds values of rows."""
    from rowbook.spark.causes import is_spark_failure

    if not is_spark_failure(error):
        return None
    driver = _DRIVER_SAID.search(str(error))
    if driver is None:
        return None
    server = _SERVER_SAID.search(driver["text"])
    said = server["text"].strip() if server else driver["text"].partition("\n")[0]
    return without_values(_CONNECTION.sub("", said))


def without_values(said: str) -> str:
    return _VALUE.sub(r"\1 … for ", said)
