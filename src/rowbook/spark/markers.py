"""What the engine raises inside Spark: a short text that is recognised in the error that comes out.

`raise_error` inside a plan is the only way to fail a job on a value without a second pass.
"""

from __future__ import annotations

import re

from pyspark.sql import Column
from pyspark.sql import functions as F

_MARK = "ROWBOOK"
_SQL_STATE = re.compile(r" SQLSTATE: \w+.*")
_FOUND = re.compile(rf"{_MARK} ([A-Z]+_\d+): ([^\n]*)")


def failing(code: str, detail: Column | str) -> Column:
    """A column that fails the job with a code and a text where it is evaluated."""
    text = F.lit(detail) if isinstance(detail, str) else detail
    return F.raise_error(F.concat(F.lit(f"{_MARK} {code}: "), text))


def overflow(kind: str) -> Column:
    """A value that does not fit; which operation and column is found out afterwards."""
    return failing("RUN_001", f"a value does not fit {kind}")


def found_in(text: str) -> tuple[str, str] | None:
    found = _FOUND.search(text)
    return (found[1], _SQL_STATE.sub("", found[2]).strip()) if found else None
