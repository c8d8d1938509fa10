"""What went wrong inside Spark, in our words: code, operation and column.

Spark's own text goes along as the cause and is shown with --debug only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from rowbook.errors import Diagnostic, OperationRef, RowbookError
from rowbook.spark.markers import found_in

_OVERFLOWS = re.compile(
    r"\[(?:BINARY_)?ARITHMETIC_OVERFLOW|\[NUMERIC_VALUE_OUT_OF_RANGE|\[CAST_OVERFLOW"
    r"|\[DATETIME_OVERFLOW|\[DECIMAL_PRECISION|\[NUMERIC_OUT_OF_SUPPORTED_RANGE"
)
_CONDITION = re.compile(r"\[([A-Z][A-Z_]+(?:\.[A-Z_]+)?)\] ([^\n]*)")
_UNREADABLE = re.compile(
    r"\[FAILED_READ_FILE\.\w+\] Encountered error while reading file (\S+?)\.?\s"
)
_CAUSED_BY = re.compile(r"^Caused by: [\w.$]+: ([^\n]+)", re.MULTILINE)
_SPARK_FAILURES = (PySparkException,)


@dataclass(frozen=True, slots=True)
class RetryPart:
    """Something that a job computes and that can fail on its own: a column of an operation."""

    seq: int
    name: str
    what: str
    kind: str
    frame: Callable[[], DataFrame]
    """Makes a frame that computes this part and nothing after it."""


def is_failure_of_spark(error: BaseException) -> bool:
    """Whether an exception came out of a job, not out of our own code."""
    return isinstance(error, _SPARK_FAILURES) or type(error).__name__.startswith("Py4J")


def explain(
    error: Exception,
    parts: Callable[[], Iterable[RetryPart]],
    bad_values: Callable[[], tuple[Diagnostic, ...]],
    appends: Mapping[str, OperationRef],
    doing: str | OperationRef,
    operations: Iterable[OperationRef] = (),
) -> RowbookError:
    """The error as a user reads it. `parts` gives those the failed job computed, in their order;
    `bad_values` finds values that do not fit their declared type; `appends` names the operation
    that appends a dataset; `doing` is the operation at work; `operations` are those that a text
    raised inside Spark may begin with."""
    text = str(error)
    marked = found_in(text)
    if marked and marked[0] == "JOIN_005":
        begins = (each for each in operations if marked[1].startswith(f"{each}: "))
        joining = next(begins, None)
        return _because(error, "JOIN_005", marked[1].removeprefix(f"{joining}: "), joining)
    if marked and marked[0].startswith(("DATASET_", "DATASOURCE_")):
        found = bad_values() or (Diagnostic(*marked),)
        appending = next((a for name, a in appends.items() if f"'{name}'" in marked[1]), None)
        if appending is not None:
            return cannot_load(appending, found, error)
        explained = RowbookError(*found)
        explained.__cause__ = error
        return explained
    if _OVERFLOWS.search(text) or (marked and marked[0] == "RUN_001"):
        return _overflow(error, parts, doing)
    if unreadable := _UNREADABLE.search(text):
        causes = _CAUSED_BY.findall(text) or ["Spark cannot read it"]
        file = unquote(urlsplit(unreadable[1]).path)
        return _because(error, "DATASOURCE_007", f"{file} cannot be read: {causes[-1]}", None)
    condition = _CONDITION.search(text)
    said = f"{condition[2]} [{condition[1]}]" if condition else text.strip().split("\n", 1)[0]
    return _because(error, "RUN_002", said, doing)


def cannot_load(
    where: OperationRef, causes: Iterable[Diagnostic], error: Exception
) -> RowbookError:
    """What an append's source lacks, as the append's own error (APPEND_008)."""
    said = "; ".join(f"{cause.message} ({cause.code})" for cause in causes)
    return _because(error, "APPEND_008", said, where)


def _overflow(
    error: Exception, parts: Callable[[], Iterable[RetryPart]], doing: str | OperationRef
) -> RowbookError:
    for part in parts():
        if _fails(part):
            message = f"{part.what} does not fit {part.kind}"
            return _because(error, "RUN_001", message, OperationRef(part.seq, part.name))
    return _because(error, "RUN_001", "a value does not fit its type", doing)


def _fails(part: RetryPart) -> bool:
    try:
        part.frame().write.format("noop").mode("overwrite").save()
    except _SPARK_FAILURES:
        return True
    return False


def _because(
    error: Exception, code: str, message: str, doing: str | OperationRef | None
) -> RowbookError:
    if isinstance(doing, str):
        explained = RowbookError.of(code, f"{doing}: {message}")
    else:
        explained = RowbookError(Diagnostic(code, message, operation=doing))
    explained.__cause__ = error
    return explained
